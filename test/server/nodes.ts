import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { Cluster } from '../support/cluster/postgres.ts'
import { launchBinary } from '../support/commands/binary.ts'
import { awaitSandbox, type LaunchedSandbox } from '../support/commands/running-sandbox.ts'
import type { AtEnd } from '../support/commands/scratch.ts'
import { type Ask, askOver } from '../support/service/ask.ts'

/** A node that runs as a process of its own. */
export interface ClusterNode extends Omit<LaunchedSandbox, 'stop'> {
  /** Asks it; null: no answer within 15 seconds. */
  readonly ask: Ask
  /** Ends it without warning. */
  kill(): Promise<void>
  /** Stops it in order. Errors: an Error unless it ends with 0. */
  stop(): Promise<void>
  /** Stops its clock: nothing in it goes on until `wake`. */
  pause(): void
  wake(): void
  /** Ends every connection that it has to the database. */
  cutConnections(): Promise<unknown>
}

/** A webhook that failed is sent again at once. */
const soon = ['--retries', Array(400).fill('20ms').join(',')]

/** Nodes of one database, each a process with a database role of its own. */
export class Nodes {
  readonly cluster: Cluster
  readonly schema = `s_${randomUUID().replaceAll('-', '')}`
  /** URL of the database. */
  readonly store: string
  /** Those that run. */
  readonly all: ClusterNode[] = []
  readonly #atEnd: AtEnd

  /** `settings`: more of the URL, `&name=value`; `atEnd`: when nodes are ended, left out, after the test. */
  constructor(cluster: Cluster, { settings = '', atEnd = onTestFinished as AtEnd } = {}) {
    this.cluster = cluster
    this.store = `${cluster.url(this.schema)}${settings}`
    this.#atEnd = atEnd
  }

  async start(): Promise<ClusterNode> {
    const role = `n_${randomUUID().slice(0, 8)}`
    const { cluster } = this
    await cluster.ask(`create role ${role} superuser login password '${cluster.password}'`)
    const store = this.store.replace('//tillbox:', `//${role}:`)
    const args = ['sandbox', 'start', '--port', '0', '--json', '--store', store, ...soon]
    const node = this.#nodeOf(await awaitSandbox(launchBinary(args, { atEnd: this.#atEnd })), role)
    this.all.push(node)
    return node
  }

  /** Starts nodes until three run. */
  async startThree(): Promise<void> {
    const missing = Array.from({ length: Math.max(0, 3 - this.all.length) }, () => this.start())
    await Promise.all(missing)
  }

  /** Makes a space, which the first node serves: it is asked first. Returns its API key. */
  async createSpace(name: string): Promise<string> {
    const answer = await this.all[0]?.ask('POST', '/_sandbox/spaces', { name })
    if (answer?.code !== '0') throw new Error(`the space ${name}: ${JSON.stringify(answer)}`)
    await this.all[0]?.ask('GET', `/s/${name}/_sandbox/state`)
    return answer.data.apiKey
  }

  /** The node that serves a space; undefined while none does. */
  async ownerOf(space: string): Promise<ClusterNode | undefined> {
    const [url] = await this.#heldSpaces('owner_url', `name = '${space}'`)
    return this.all.find((node) => node.url === url)
  }

  /** Spaces that a node serves. */
  spacesOf({ url }: ClusterNode): Promise<string[]> {
    return this.#heldSpaces('name', `owner_url = '${url}'`)
  }

  async #heldSpaces(column: string, condition: string): Promise<string[]> {
    const { cluster, schema } = this
    const rows = await cluster.ask(
      `select ${column} from ${schema}.spaces where ${condition} and ${isHeldIn(schema)}`,
    )
    return rows.split('\n').filter((row) => row !== '')
  }

  #nodeOf(running: LaunchedSandbox, role: string): ClusterNode {
    const agent = new Agent({ keepAlive: true, timeout: 4_000 }) // a node closes an idle connection after 5 s
    this.#atEnd(async () => agent.destroy())
    const send = askOver(running, agent)
    const end = (signal: NodeJS.Signals) => {
      this.all.splice(this.all.indexOf(node), 1)
      return running.stop(signal).finally(() => agent.destroy())
    }
    const node: ClusterNode = {
      ...running,
      ask: (...request) => Promise.race([send(...request), sleep(15_000, null, { ref: false })]),
      kill: async () => void (await end('SIGKILL')),
      stop: async () => {
        const { code, stderr } = await end('SIGTERM')
        if (code !== 0) throw new Error(`a clean stop ended with ${code}: ${stderr}`)
      },
      pause: () => {
        // One that sleeps longer than it keeps idle connections closes them when it wakes, whatever was sent on them.
        for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy()
        process.kill(running.pid, 'SIGSTOP')
      },
      wake: () => void process.kill(running.pid, 'SIGCONT'),
      cutConnections: () =>
        this.cluster.ask(
          `select count(pg_terminate_backend(pid)) from pg_stat_activity where usename = '${role}'`,
        ),
    }
    return node
  }
}

/** SQL condition: a session has the lock of the space. */
export const isHeldIn = (schema: string): string =>
  `exists (select from pg_locks where locktype = 'advisory' and objid = number::bigint::oid and classid = '${schema}.spaces'::regclass)`
