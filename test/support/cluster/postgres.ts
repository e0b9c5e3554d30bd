import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { Database } from '../../../src/sandbox/store/postgres/connection/database.ts'
import type { RunStatement } from '../../../src/sandbox/store/postgres/connection/statement.ts'
import { freePort } from '../network/ports.ts'

const runProgram = promisify(execFile)

const debian = '/usr/lib/postgresql'

/** Folder of the PostgreSQL programs of this machine, or undefined. POSTGRES may name another one. */
function findPostgres(): string | undefined {
  const versions = existsSync(debian) ? readdirSync(debian).sort((one, other) => +other - +one) : []
  return [
    process.env.POSTGRES ?? '',
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ].find(
    (folder) =>
      folder !== '' &&
      ['initdb', 'pg_ctl', 'postgres', 'pg_dump'].every((name) => existsSync(join(folder, name))),
  )
}

/** True where the tests of PostgreSQL are to be skipped. */
export const skipsPostgres = (): boolean => findPostgres() === undefined && !process.env.CI

const noPostgres =
  'NO POSTGRESQL: keeping spaces in a database was not tested. Install one (Debian: apt-get install postgresql).\n'

/** The server refuses to run as root: then it runs as its own user, or as nobody. */
function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const line = readFileSync('/etc/passwd', 'utf8').match(/^postgres:[^:]*:(\d+):(\d+)/m)
  return { uid: Number(line?.[1] ?? 65534), gid: Number(line?.[2] ?? 65534) }
}

/** Its output does not keep anybody waiting: the server goes on with what pg_ctl was given. */
const program = (folder: string, name: string, ...args: string[]) =>
  runProgram(join(findPostgres() ?? '/usr/bin', name), args, {
    ...serverUser(),
    cwd: folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  })

/** Writes files that only the server can read. */
function writeOwned(folder: string, files: Readonly<Record<string, string>>): void {
  const user = serverUser()
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    if (user) chownSync(join(folder, name), user.uid, user.gid)
  }
}

/** What a cluster is found by, in any process of a run. */
interface ClusterAddress {
  readonly folder: string
  readonly port: number
  readonly password: string
  readonly durable: boolean
}

/** A PostgreSQL of its own, on a free port of loopback. */
export type Cluster = ReturnType<typeof clusterAt>

/** Makes and starts a PostgreSQL. `durable`: a commit waits for the disk, as a real one does. */
export async function startCluster({ durable = true } = {}): Promise<Cluster> {
  const user = serverUser()
  const folder = mkdtempSync(join(tmpdir(), 'tillbox-pg-'))
  if (user) chownSync(folder, user.uid, user.gid)
  const password = randomUUID()
  writeOwned(folder, { password })
  const access = ['-U', 'tillbox', '-A', 'scram-sha-256', '--pwfile', join(folder, 'password')]
  await program(folder, 'initdb', '-D', join(folder, 'data'), ...access, '-E', 'UTF8', '--no-sync')
  const cluster = clusterAt({ folder, port: await freePort(), password, durable })
  await cluster.start()
  return cluster
}

function clusterAt({ folder, port, password, durable }: ClusterAddress) {
  const settings = [
    ['port', port],
    ['listen_addresses', '127.0.0.1'],
    ['unix_socket_directories', folder],
    ['fsync', durable ? 'on' : 'off'],
    ['shared_buffers', '32MB'],
    ['dynamic_shared_memory_type', 'mmap'], // in the folder, so that nothing of a server that was killed stays
  ]
  const options = settings.map(([name, value]) => `-c ${name}=${value}`).join(' ')
  const control = async (...args: string[]) => {
    await program(folder, 'pg_ctl', '-D', join(folder, 'data'), '-w', '-l', join(folder, 'log'), ...args)
  }
  const owner = `postgres://tillbox:${password}@127.0.0.1:${port}/postgres`
  return {
    folder,
    port,
    password,
    durable,
    /** With user and password, for a schema that no other test has. More settings: `&name=value`. */
    url: (schema = `s_${randomUUID().replaceAll('-', '')}`) => `${owner}?schema=${schema}`,
    /** Text of a statement's rows, one a line. */
    ask: (statement: string) => rowsOf(owner, statement),
    /** Makes a user without rights. Returns its name, and the URL of a schema for it. */
    createUser: async (schema: string) => {
      const role = `clerk_${randomUUID().slice(0, 8)}`
      await rowsOf(owner, `create role ${role} login password '${password}'`)
      return { role, url: `${owner.replace('//tillbox:', `//${role}:`)}?schema=${schema}` }
    },
    /** Writes everything of a schema into a file, as SQL. */
    dump: async (schema: string, path: string) => {
      await runProgram(join(findPostgres() ?? '/usr/bin', 'pg_dump'), [owner, '-n', schema, '-f', path])
    },
    start: () => control('-o', options, 'start'),
    /** `immediate`: as a crash of the server. */
    stop: (mode: 'fast' | 'immediate' = 'fast') => control('-m', mode, 'stop'),
    /** Stops it, and removes its folder. */
    remove: async () => {
      await control('-m', 'immediate', 'stop').catch(() => undefined) // a test may have stopped it
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Schema that the URL of a database names. */
export const schemaOf = (url: string): string => new URL(url).searchParams.get('schema') ?? ''

/** Text of the rows of a statement, or of each of several, one a line. */
async function rowsOf(url: string, statement: string): Promise<string> {
  const client = new Client({ connectionString: url, types: { getTypeParser: () => String } })
  client.on('error', () => undefined) // the query tells
  await client.connect()
  try {
    const results = [await client.query<(string | null)[]>({ text: statement, rowMode: 'array' })].flat()
    const rows = results.flatMap((result) => result.rows)
    return rows.map((row) => row.map((value) => value ?? '').join('|')).join('\n')
  } finally {
    await client.end()
  }
}

/** Lets a cluster take TLS, too, with that certificate. */
export async function serveTls(
  { folder, ask }: Cluster,
  { cert, key }: { readonly cert: string; readonly key: string },
): Promise<void> {
  writeOwned(join(folder, 'data'), { 'server.crt': cert, 'server.key': key })
  await ask('alter system set ssl = on')
  await ask('select pg_reload_conf()')
  while ((await ask('show ssl')) !== 'on') await sleep(20)
}

/** Locks what a statement names, until `work` is over; however impatient `url` is, the lock is waited for. */
export async function whileLocked<T>(
  url: string,
  statement: string,
  work: (run: RunStatement) => Promise<T>,
): Promise<T> {
  const patient = new URL(url)
  patient.searchParams.delete('unavailable_after')
  const database = await Database.open(patient.href)
  try {
    return await database.transaction(async (run) => {
      await run('set local idle_in_transaction_session_timeout = 0')
      await run(statement)
      return work(run)
    })
  } finally {
    await database.close()
  }
}

/** Name in the environment of the folder through which the files of a run share one cluster. */
const shareVariable = 'TILLBOX_TEST_POSTGRES'

/** Before all tests: the folder through which they share a cluster, and a notice where there is none. Returns what removes that cluster. */
export function setup(): () => Promise<void> {
  if (skipsPostgres()) process.stderr.write(noPostgres)
  const folder = mkdtempSync(join(tmpdir(), 'tillbox-pg-shared-'))
  process.env[shareVariable] = folder
  return async () => {
    const path = join(folder, 'cluster.json')
    if (existsSync(path)) await clusterAt(JSON.parse(readFileSync(path, 'utf8'))).remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The cluster of all tests that only keep something; whoever needs it first makes it. Each takes a schema of its own. */
export async function sharedCluster(): Promise<Cluster> {
  const folder = process.env[shareVariable]
  if (folder === undefined)
    throw new Error('vitest.config.ts has test/support/cluster/postgres.ts as a global setup')
  const path = join(folder, 'cluster.json')
  const isFirst = mkdirSync(join(folder, 'taken'), { recursive: true }) !== undefined
  if (isFirst) {
    writeFileSync(`${path}.new`, JSON.stringify(await startCluster({ durable: false })))
    renameSync(`${path}.new`, path)
  }
  while (!existsSync(path)) await sleep(20)
  return clusterAt(JSON.parse(readFileSync(path, 'utf8')))
}
