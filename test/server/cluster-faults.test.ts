import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtIn } from '../../src/domain/fixtures.ts'
import type { Delivery } from '../../src/domain/model/outbox.ts'
import { createState, type State } from '../../src/domain/state.ts'
import { Database } from '../../src/sandbox/store/postgres/connection/database.ts'
import { readSpace } from '../../src/sandbox/store/postgres/stored-space.ts'
import { type Cluster, skipsPostgres, startCluster } from '../support/cluster/postgres.ts'
import { Audit } from '../support/domain/audit.ts'
import type { Till } from '../support/domain/ledger.ts'
import { addFigures, type Findings, printFigures } from '../support/load/figures.ts'
import { startLoad } from '../support/load/mixed-load.ts'
import { fromEnvironment, Random, seedFromEnvironment } from '../support/load/random.ts'
import { times } from '../support/runner/counts.ts'
import type { Ask } from '../support/service/ask.ts'
import { openTally, type Tally, tallied, untilSent } from '../support/webhooks/tally.ts'
import { createSpace, type LoadedSpace } from './node-load.ts'
import { type ClusterNode, Nodes } from './nodes.ts'

/** What happens to a cluster. */
const faults = ['kill', 'pause', 'connections', 'crash', 'stop'] as const
type Fault = (typeof faults)[number]

interface CampaignOptions {
  readonly cluster: Cluster
  readonly rounds: number
  readonly spaces: number
  /** Of a client, before each operation. Milliseconds at most. */
  readonly pause: number
  readonly seed: number
}

/** So long a node is stopped: longer than its session lives. Milliseconds. */
const longPause = 4_500

/** Lets faults happen to three nodes under load, one after the other, and holds what is there against what was said. Times in milliseconds. */
async function runCampaign(options: CampaignOptions): Promise<Findings> {
  const random = new Random(options.seed)
  const nodes = new Nodes(options.cluster)
  await nodes.startThree()
  const names = Array.from({ length: options.spaces }, (_, number) => `load-${number}`)
  const spaces = await Promise.all(names.map((name) => createSpace(nodes, random, name)))
  return new Campaign(options, random, nodes, spaces, await openTally(null)).run()
}

class Campaign {
  readonly #figures: Record<string, number> = {}
  readonly #problems: string[] = []

  constructor(
    readonly options: CampaignOptions,
    readonly random: Random,
    readonly nodes: Nodes,
    readonly spaces: readonly LoadedSpace[],
    readonly receiver: Tally,
  ) {}

  async run(): Promise<Findings> {
    for (let round = 0; round < this.options.rounds; round += 1) {
      await this.#round(faults[round % faults.length] as Fault)
      if (round % 10 === 9) await this.#check([this.random.pick(this.nodes.all)])
    }
    await this.#check(this.nodes.all)
    await this.#drainAndStop()
    const states = await this.#audited()
    await this.nodes.start() // a payment at a slow terminal may have ended while the nodes stopped: its webhook goes out now
    await this.#drainAndStop()
    for (const [name, state] of states) this.#problems.push(...webhookProblems(this.receiver, name, state))
    const acknowledged = this.spaces.reduce((sum, space) => sum + space.acknowledged.operations, 0)
    addFigures(this.#figures, { 'operations acknowledged': acknowledged, POSTs: this.receiver.posts() })
    return { figures: this.#figures, problems: this.#problems }
  }

  /** One fault while clients pay and act on payments in every space. */
  async #round(fault: Fault): Promise<void> {
    addFigures(this.#figures, { [fault]: 1 })
    const loads = this.spaces.map(({ name, ask, acknowledged }) => {
      const random = this.random.fork()
      const paced: Ask = async (...request) => {
        await sleep(random.whole(this.options.pause))
        return ask(...request)
      }
      const notifyUrl = `${this.receiver.url}/${name}`
      return startLoad({ ask: paced, random, acknowledged, notifyUrl, connections: 3, most: Infinity })
    })
    await sleep(this.random.between(200, 600))
    await this.#happen(fault, await this.#victim())
    await sleep(this.random.between(200, 600))
    for (const load of loads) load.stop()
    await Promise.all(loads.map(({ done }) => done))
  }

  /** A node that serves something; after a fault, none may for a moment. */
  async #victim(): Promise<ClusterNode> {
    for (;;) {
      const served = await Promise.all(this.nodes.all.map((node) => this.nodes.spacesOf(node)))
      const serving = this.nodes.all.filter((_, index) => (served[index]?.length ?? 0) > 0)
      if (serving.length > 0) return this.random.pick(serving)
      await sleep(50)
    }
  }

  async #happen(fault: Fault, node: ClusterNode): Promise<void> {
    const lost = await this.nodes.spacesOf(node)
    if (fault === 'connections')
      for (let times = 0; times < 5; times += 1) {
        await node.cutConnections()
        await sleep(this.random.whole(200))
      }
    if (fault === 'crash') {
      await this.nodes.cluster.stop('immediate')
      await this.nodes.cluster.start()
      const names = this.spaces.map(({ name }) => name)
      await this.#served(fault, names, this.nodes.all)
    }
    if (fault === 'pause') {
      node.pause()
      const others = this.nodes.all.filter((other) => other !== node)
      await Promise.all([this.#served(fault, lost, others), sleep(longPause)])
      node.wake()
    }
    if (fault === 'kill' || fault === 'stop') {
      await node[fault]()
      await this.#served(fault, lost, this.nodes.all)
      await this.nodes.start()
    }
  }

  /** Keeps the longest time until a node answers for each of these spaces. */
  async #served(fault: Fault, spaces: readonly string[], nodes: readonly ClusterNode[]): Promise<void> {
    const from = performance.now()
    const isServed = async (name: string) => {
      const asked = this.random.pick(nodes).ask('GET', `/s/${name}/_sandbox/state`)
      return (await Promise.race([asked, sleep(1_000, null)]))?.code === '0'
    }
    await Promise.all(
      spaces.map(async (name) => {
        while (!(await isServed(name))) await sleep(20)
      }),
    )
    const key = `longest ms after ${fault}`
    this.#figures[key] = Math.max(this.#figures[key] ?? 0, Math.round(performance.now() - from))
  }

  async #check(nodes: readonly ClusterNode[]): Promise<void> {
    for (const node of nodes)
      for (const space of this.spaces) this.#problems.push(...(await space.problemsAt(node)))
  }

  /** Stops all nodes once no webhook waits. */
  async #drainAndStop(): Promise<void> {
    for (const { name, ask } of this.spaces) {
      const waiting = await untilSent(ask, 60_000)
      if (waiting > 0) this.#problems.push(`${name}: ${waiting} webhooks wait`)
    }
    await Promise.all([...this.nodes.all].map((node) => node.stop()))
  }

  /** What the database has, without a node, by space: each ledger adds up as an auditor reads it. */
  async #audited(): Promise<Map<string, State>> {
    const states = new Map<string, State>()
    const database = await Database.open(this.nodes.store)
    try {
      const failed = await database.run<{ why: string; count: number }>(
        `select coalesce(body->>'error', body->>'status') as why, count(*)::integer as count from attempts
          where body->>'status' is distinct from '200' group by why`,
      )
      for (const { why, count } of failed.rows)
        addFigures(this.#figures, { [`attempts with "${why}"`]: count })
      for (const { name } of this.spaces) {
        const { state } = await readSpace(database, name, () => createState(builtIn))
        states.set(name, state)
        for (const ledger of state.ledgers.values()) {
          addFigures(this.#figures, { transactions: ledger.transactions.size })
          try {
            new Audit({ ledger } as Till).everything()
          } catch (error) {
            this.#problems.push(`${name}: the ledger does not add up: ${(error as Error).message}`)
          }
        }
      }
      return states
    } finally {
      await database.close()
    }
  }
}

/** Holds what came against the deliveries of a space: each at least once; those whose first attempt succeeded in their order. */
function webhookProblems({ url, came }: Tally, space: string, { ledgers }: State): string[] {
  const spaceUrl = `${url}/${space}`
  const deliveries = [...ledgers.values()]
    .flatMap(({ outbox }) => [...outbox.deliveries.values()])
    .filter((delivery) => delivery.url === spaceUrl)
    .sort((one, other) => one.number - other.number)
  const keyOf = ({ transactionId, event }: Delivery) =>
    tallied(new URL(spaceUrl).pathname, transactionId, event)
  const missing = deliveries.map(keyOf).filter((key) => !came.has(key))
  const wanted = deliveries.filter(({ attempts }) => attempts === 1).map(keyOf) // a failed one is passed by later ones
  const known = new Set(wanted)
  const found = [...came].filter((key) => known.has(key))
  const mismatch = found.findIndex((key, index) => key !== wanted[index])
  return [
    ...missing.map((key) => `the webhook ${key} never came`),
    ...(mismatch < 0 ? [] : [`the webhook ${found[mismatch]} came before ${wanted[mismatch]}`]),
  ]
}

// TILLBOX_ROUNDS  faults
// TILLBOX_SEED    the seed of a run before; the moments of the faults are those of this machine all the same

describe.skipIf(skipsPostgres())('three nodes of one database', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(() => cluster.remove())

  test('the nodes keep all promises under load through kills, sleep, cut connections and crashes of the database', async () => {
    const seed = seedFromEnvironment()
    const rounds = fromEnvironment('TILLBOX_ROUNDS', times(5, 100))
    const [spaces, pause] = [times(2, 30), times(400, 60)]
    const { figures, problems } = await runCampaign({ cluster, rounds, spaces, pause, seed })
    printFigures('faults of nodes', { ...figures, problems: problems.length, seed })
    expect(problems.join('\n'), `TILLBOX_SEED=${seed}`).toBe('')
    expect(figures['operations acknowledged']).toBeGreaterThan(rounds)
  })
})
