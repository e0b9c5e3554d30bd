import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Cluster, skipsPostgres, startCluster } from '../support/cluster/postgres.ts'
import { scratchFolder } from '../support/commands/scratch.ts'
import type { Random } from '../support/load/random.ts'
import { times } from '../support/runner/counts.ts'

/** Where one sandbox keeps everything, however often it is killed and started again. */
export interface SandboxStorage {
  /** Working folder of its processes. */
  readonly cwd: string
  /** Options of `sandbox start` that name it. */
  readonly flags: readonly string[]
  /** The same for test/long/sandbox.js. */
  readonly options: object
  /** Milliseconds within which a start has done everything. */
  readonly startTime: number
  /** Milliseconds of load before a kill, at most. */
  readonly longestLoad: number
  /** Options of test/long/sandbox.js with which events are folded into a state file all the time. */
  foldingOptions(random: Random): object
  /** Copies all of it into a folder, which is made. */
  copyTo(folder: string): Promise<void>
  remove(): Promise<void>
}

/** A store that long tests run over. */
export interface TestedStore {
  readonly name: string
  readonly isSkipped: boolean
  /** Sandboxes that are killed side by side. */
  readonly lanes: number
  /** Opens it for the tests of a file. */
  open(): Promise<OpenStore>
}

/** A store that is open. */
export interface OpenStore {
  /** Makes a place that is empty. */
  makeStorage(): SandboxStorage
  close(): Promise<void>
}

const stores: readonly TestedStore[] = [
  {
    name: 'files',
    isSkipped: false,
    lanes: 2,
    open: async () => ({ makeStorage: makeFolderStorage, close: async () => undefined }),
  },
  { name: 'postgres', isSkipped: skipsPostgres(), lanes: 2, open: openDatabases },
]

/** The stores that TILLBOX_STORES names; left out, files alone in `npm test`, else all. Errors: an Error for an unknown name. */
export function storesFromEnvironment(): readonly TestedStore[] {
  const text = process.env.TILLBOX_STORES
  if (!text) return stores.slice(0, times(1, stores.length))
  return text.split(',').map((name) => {
    const store = stores.find((each) => each.name === name)
    if (store === undefined) throw new Error(`TILLBOX_STORES is ${text}; give files, postgres, or both`)
    return store
  })
}

/** A state folder, which is gone after the test. */
function makeFolderStorage(): SandboxStorage {
  const cwd = scratchFolder()
  return {
    cwd,
    flags: [],
    options: { state: join(cwd, '.tillbox') },
    startTime: 300,
    longestLoad: 700,
    foldingOptions: () => ({}),
    copyTo: async (folder) => cpSync(cwd, folder, { recursive: true }),
    remove: async () => rmSync(cwd, { recursive: true, force: true }),
  }
}

/** A database for all places, each a schema of its own. */
async function openDatabases(): Promise<OpenStore> {
  const cluster = await startCluster()
  let made = 0
  return {
    makeStorage: () => makeSchemaStorage(cluster, `place_${++made}`),
    close: () => cluster.remove(),
  }
}

function makeSchemaStorage(cluster: Cluster, schema: string): SandboxStorage {
  const [cwd, store] = [scratchFolder(), cluster.url(schema)]
  return {
    cwd,
    flags: ['--store', store],
    options: { state: join(cwd, '.tillbox'), store },
    startTime: 800,
    longestLoad: 2_000,
    foldingOptions: (random) => ({ saveAfter: random.between(3, 50) }),
    copyTo: async (folder) => {
      mkdirSync(folder, { recursive: true })
      await cluster.dump(schema, join(folder, `${schema}.sql`))
    },
    remove: async () => {
      await cluster.ask(`drop schema if exists ${schema} cascade`)
      rmSync(cwd, { recursive: true, force: true })
    },
  }
}
