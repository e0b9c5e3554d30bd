import { onTestFinished } from 'vitest'
import { type AuditLog, CountedAuditLog, FileAuditLog } from '../../src/access/audit-log.ts'
import { fileTokens } from '../../src/access/file-tokens.ts'
import type { Grant } from '../../src/access/grants.ts'
import { TokenRegistry, type WantedToken } from '../../src/access/token-registry.ts'
import type { AuditEntry, Scope } from '../../src/contract/sandbox/tokens.ts'
import { DatabaseAudit } from '../../src/store/postgres/access/database-access.ts'
import { databaseTokens } from '../../src/store/postgres/access/database-tokens.ts'
import { Database } from '../../src/store/postgres/connection/database.ts'
import { sharedCluster, skipsPostgres } from './cluster/postgres.ts'
import { cuttingProxy } from './network/cutting-proxy.ts'
import { temporaryFolder, WallClock } from './service/service.ts'

/** A place of tokens and of an audit log. */
export interface AccessStore {
  /** As another node, or another start, has them; closed when the test is over. */
  openTokens(report?: (error: Error) => void): Promise<TokenRegistry>
  openAudit(): Promise<AuditLog>
  /** Lets time pass for tokens. */
  pass(milliseconds: number): void
  /** Lets every later write of tokens fail: the disk is full. */
  failWrites(): Promise<void>
}

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
  ...{
    token: 'local',
    scope: null,
    address: '127.0.0.1',
    method: 'POST',
    path: `/${number}`,
    action: 'page',
  },
  ...{ code: '0', status: 200, space: number % 2 === 0 ? 'default' : 'ci-1' },
  at: new Date(number).toISOString(),
})

const noon = Date.parse('2026-11-20T12:00:00Z')

/** Each makes a place that is empty. */
export const accessStores: readonly (readonly [string, () => Promise<AccessStore>, boolean])[] = [
  ['a state folder', async () => folderStore(), false],
  ['PostgreSQL', databaseStore, skipsPostgres()],
]

function folderStore(): AccessStore {
  const [folder, clock] = [temporaryFolder(), new WallClock(noon)]
  let confirm = () => undefined
  const options = { folder, confirm: () => confirm(), report: unexpected }
  return {
    openTokens: async (report = unexpected) =>
      closedLater(new TokenRegistry(fileTokens(options), { wall: clock.read, report })),
    openAudit: async () => closedLater(new CountedAuditLog(new FileAuditLog(options))),
    pass: (milliseconds) => clock.pass(milliseconds),
    failWrites: async () => {
      confirm = () => unexpected(new Error('the disk is full'))
    },
  }
}

async function databaseStore(): Promise<AccessStore> {
  const [url, clock] = [(await sharedCluster()).url(), new WallClock(noon)]
  const first = await databaseAt(url)
  return {
    openTokens: async (report = unexpected) =>
      closedLater(new TokenRegistry(databaseTokens(await databaseAt(url)), { wall: clock.read, report })),
    openAudit: async () =>
      closedLater(new CountedAuditLog(new DatabaseAudit(await databaseAt(url), unexpected))),
    pass: (milliseconds) => clock.pass(milliseconds),
    failWrites: async () => {
      await first.run('alter table tokens add constraint "the disk is full" check (false) not valid')
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

/** Closes before the database does: what is registered last is done first. */
function closedLater<T extends { close(): Promise<void> }>(opened: T): T {
  onTestFinished(() => opened.close())
  return opened
}
