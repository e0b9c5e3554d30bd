import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { launchBinary } from '../commands/binary.ts'
import { awaitSandbox, type LaunchedSandbox, sendRequest } from '../commands/running-sandbox.ts'
import type { AtEnd } from '../commands/scratch.ts'
import type { TestAnswer } from '../service/ask.ts'
import type { Cluster } from './postgres.ts'

/** A request as a node gets it. */
interface NodeRequest {
  readonly method?: string
  readonly path: string
  readonly members?: object | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly apiKey?: string
}

/** A node that runs as a process of its own. */
export interface ClusterNode {
  readonly pid: number
  readonly url: string
  readonly running: LaunchedSandbox
  /** Asks it; null: no answer, or none within `patience` milliseconds. */
  ask(request: NodeRequest, patience?: number): Promise<TestAnswer | null>
  /** Ends it without warning. */
  kill(): Promise<void>
  /** Stops it in order. Errors: an Error unless it ends with 0. */
  stop(): Promise<void>
  /** Stops its clock: nothing in it goes on until `wake`. */
  pause(): void
  wake(): void
  /** Ends every connection that it has to the database. */
  cutConnections(): Promise<void>
}

/** Options of `sandbox start` with which a webhook that failed is sent again at once. */
const soon = ['--retries', Array(400).fill('20ms').join(',')]

/** Nodes of one database, each a process with a database role of its own. */
export class Nodes {
  readonly cluster: Cluster
  readonly schema: string
  /** Those that run. */
  readonly all: ClusterNode[] = []
  readonly #args: readonly string[]
  readonly #settings: string
  readonly #atEnd: AtEnd

  /**
   * `args`: more options of `sandbox start`; `settings`: more of the URL, `&name=value`; `atEnd`: when nodes are ended, left
   * out, after the test.
   */
  constructor(cluster: Cluster, { args = soon, settings = '', atEnd = onTestFinished as AtEnd } = {}) {
    this.cluster = cluster
    this.#atEnd = atEnd
    this.schema = `s_${randomUUID().replaceAll('-', '')}`
    this.#args = args
    this.#settings = settings
  }

  /** URL of the database. */
  get store(): string {
    return `${this.cluster.url(this.schema)}${this.#settings}`
  }

  /** Starts a node. */
  async start(): Promise<ClusterNode> {
    const role = `n_${randomUUID().slice(0, 8)}`
    const { cluster } = this
    await cluster.ask(`create role ${role} superuser login password '${cluster.password}'`)
    const store = this.store.replace('//tillbox:', `//${role}:`)
    const args = ['sandbox', 'start', '--port', '0', '--json', '--store', store, ...this.#args]
    const running = await awaitSandbox(launchBinary(args, { atEnd: this.#atEnd }))
    const node = this.#nodeOf(running, role)
    this.all.push(node)
    return node
  }

  /** Starts `count` nodes at once. */
  startMany(count: number): Promise<ClusterNode[]> {
    return Promise.all(Array.from({ length: count }, () => this.start()))
  }

  /** Makes a space, which the first node serves: it is asked first. Returns its API key. */
  async createSpace(name: string): Promise<string> {
    const answer = await this.all[0]?.ask({ method: 'POST', path: '/_sandbox/spaces', members: { name } })
    if (answer?.code !== '0') throw new Error(`the space ${name}: ${JSON.stringify(answer)}`)
    await this.all[0]?.ask({ path: `/s/${name}/_sandbox/state` })
    return answer.data.apiKey
  }

  /** The node that serves a space; undefined while none does. */
  async ownerOf(space: string): Promise<ClusterNode | undefined> {
    const url = await this.cluster.ask(
      `select owner_url from ${this.schema}.spaces where name = '${space}' and ${isHeldIn(this.schema)}`,
    )
    return this.all.find((node) => node.url === url)
  }

  /** Spaces that a node serves. */
  async spacesOf({ url }: ClusterNode): Promise<string[]> {
    const names = await this.cluster.ask(
      `select name from ${this.schema}.spaces where owner_url = '${url}' and ${isHeldIn(this.schema)}`,
    )
    return names.split('\n').filter((name) => name !== '')
  }

  #nodeOf(running: LaunchedSandbox, role: string): ClusterNode {
    const { pid, url } = running
    const agent = new Agent({ keepAlive: true, timeout: 4_000 }) // a node closes an idle connection after 5 s
    this.#atEnd(async () => agent.destroy())
    const leave = () => {
      const index = this.all.findIndex((node) => node.pid === pid)
      if (index >= 0) this.all.splice(index, 1)
    }
    return {
      pid,
      url,
      running,
      ask: (request, patience = 15_000) => askNode(running, request, agent, patience),
      kill: async () => {
        leave()
        await running.stop('SIGKILL')
        agent.destroy()
      },
      stop: async () => {
        leave()
        const { code, stderr } = await running.stop('SIGTERM')
        agent.destroy()
        if (code !== 0) throw new Error(`a clean stop ended with ${code}: ${stderr}`)
      },
      pause: () => {
        // One that sleeps longer than it keeps idle connections closes them when it wakes, whatever was sent on them.
        for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy()
        signal(pid, 'SIGSTOP')
      },
      wake: () => signal(pid, 'SIGCONT'),
      cutConnections: async () => {
        await this.cluster.ask(
          `select count(pg_terminate_backend(pid)) from pg_stat_activity where usename = '${role}'`,
        )
      },
    }
  }
}

/** SQL condition: a session has the lock of the space. */
export const isHeldIn = (schema: string): string =>
  `exists (select from pg_locks where locktype = 'advisory' and objid = number::bigint::oid and classid = '${schema}.spaces'::regclass)`

const signal = (pid: number, name: NodeJS.Signals): void => void process.kill(pid, name)

/** Null: no answer. */
async function askNode(
  { url, apiKey }: Pick<LaunchedSandbox, 'url' | 'apiKey'>,
  { method = 'GET', path, members, headers = {}, apiKey: key = apiKey }: NodeRequest,
  agent: Agent,
  patience: number,
): Promise<TestAnswer | null> {
  const late = new AbortController()
  const answered = sendRequest({ url, apiKey: key }, method, path, {
    agent,
    headers,
    ...(members && { body: members }),
  }).then(
    ({ status, headers: { 'retry-after': retryAfter }, envelope }) => ({ status, retryAfter, ...envelope }),
    () => null,
  )
  const given = await Promise.race([answered, sleep(patience, null, { signal: late.signal })])
  late.abort()
  return given
}
