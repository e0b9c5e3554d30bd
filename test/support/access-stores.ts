import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { AuditEntry, Scope } from '../../src/contract/control/tokens.ts'
import { Access, openAccess } from '../../src/sandbox/access/access.ts'
import type { Grant } from '../../src/sandbox/access/grants.ts'
import type { TokenOptions, TokenRegistry, WantedToken } from '../../src/sandbox/access/token-registry.ts'
import { Database } from '../../src/sandbox/store/postgres/connection/database.ts'
import { databaseAudit, databaseTokens } from '../../src/sandbox/store/postgres/database-access.ts'
import { sharedCluster, skipsPostgres } from './cluster/postgres.ts'
import { cuttingProxy } from './network/cutting-proxy.ts'
import { temporaryFolder, WallClock } from './service/service.ts'

/** A place of tokens and of an audit log. */
export type AccessStore = ReturnType<typeof storeAt>

/** What no test of a place expects to be told. */
export const unexpected = (error: Error): never => {
  throw error
}

/** A token that is to be made, for a viewer of all spaces where nothing else is said. */
export const wantedToken = (name: string, more: Partial<WantedToken> = {}): WantedToken => ({
  ...{ name, scope: 'viewer', space: null, ttlMs: null },
  ...more,
})

/** What a token grants. Errors: an Error when it is not valid. */
export async function grantOf(tokens: Pick<TokenRegistry, 'find'>, token: string): Promise<Grant> {
  const grant = await tokens.find(token)
  if (grant === undefined) throw new Error('the token is not found')
  return grant
}

/** Code of what a call was refused with; 0 when it was not. */
export const refusalCode = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => '0',
    ({ code }) => code,
  )

/** A text with the shape of a token that is not one. */
export const madeToken = (scope: Scope): string => `tbx_${scope}_${'a'.repeat(43)}`

/** A line of an audit log; every other one is of the space ci-1. */
export const auditEntry = (number: number): AuditEntry => ({
  ...{ token: 'local', scope: null, address: '127.0.0.1', method: 'POST', path: `/${number}` },
  ...{ action: 'page', code: '0', status: 200, space: number % 2 === 0 ? 'default' : 'ci-1' },
  at: new Date(number).toISOString(),
})

/** What opens a place, and what else can be done to it. */
interface Place {
  open(options: TokenOptions, start: string | null): Promise<Access>
  /** Lets every later write of tokens fail: the disk is full. */
  failWrites(): Promise<void>
  /** The text of each file or table. */
  contents(): Promise<string[]>
}

/** Each makes a place that is empty. */
export const accessStores: readonly (readonly [string, () => Promise<AccessStore>, boolean])[] = [
  ['a state folder', async () => storeAt(folderPlace()), false],
  ['PostgreSQL', async () => storeAt(await databasePlace()), skipsPostgres()],
]

function storeAt(place: Place) {
  const clock = new WallClock(Date.parse('2026-11-20T12:00:00Z'))
  /** Opens it as another node, or another start, does, with that start token; closed when the test is over. */
  const open = async (start: string | null, report: (error: Error) => void = unexpected) => {
    const access = await place.open({ wall: clock.read, report }, start)
    onTestFinished(() => access.close()) // before its database is: what is registered last is done first
    return access
  }
  return {
    ...place,
    open,
    openTokens: async (report?: (error: Error) => void) => (await open(null, report)).tokens,
    openAudit: async () => (await open(null)).audit,
    /** Lets time pass for tokens. */
    pass: (milliseconds: number) => clock.pass(milliseconds),
  }
}

function folderPlace(): Place {
  const folder = temporaryFolder()
  let confirm = () => undefined
  return {
    open: async (options, start) => openAccess({ ...options, folder, confirm: () => confirm() }, start),
    failWrites: async () => {
      confirm = () => unexpected(new Error('the disk is full'))
    },
    contents: async () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1')),
  }
}

/** Tokens and audit log in a database, as a node has them. */
export const accessIn = (database: Database, start: string | null, options: TokenOptions): Access =>
  new Access(databaseTokens(database), databaseAudit(database, options.report), start, options)

async function databasePlace(): Promise<Place> {
  const url = (await sharedCluster()).url()
  const { run } = await databaseAt(url)
  return {
    open: async (options, start) => accessIn(await databaseAt(url), start, options),
    failWrites: async () => {
      await run('alter table tokens add constraint "the disk is full" check (false) not valid')
    },
    contents: async () => {
      const tables = await run<{ name: string }>(
        'select tablename as name from pg_tables where schemaname = current_schema()',
      )
      const read = tables.rows.map(({ name }) => run(`select json_agg(t)::text as dump from ${name} t`))
      return (await Promise.all(read)).map(({ rows }) => rows[0]?.dump ?? '')
    },
  }
}

/** A database, closed when the test is over. */
export async function databaseAt(url: string): Promise<Database> {
  const database = await Database.open(url)
  onTestFinished(() => database.close())
  return database
}

/** A database behind a proxy, and the same one without it. A request without an answer waits `unavailableAfter` seconds. */
export async function behindProxy(unavailableAfter = 2) {
  const cluster = await sharedCluster()
  const proxy = await cuttingProxy(cluster.port)
  const direct = `${cluster.url()}&unavailable_after=${unavailableAfter}`
  const url = direct.replace(`:${cluster.port}/`, `:${proxy.port}/`)
  return { proxy, direct, url }
}
