import { setTimeout as sleep } from 'node:timers/promises'
import { createState, type State } from '../../../src/domain/state.ts'
import { builtIn } from '../../../src/fixtures.ts'
import { Database } from '../../../src/store/postgres/connection/database.ts'
import { readSpace } from '../../../src/store/postgres/stored-space.ts'
import { Audit } from '../domain/audit.ts'
import type { Till } from '../domain/ledger.ts'
import { addFigures, type Findings } from '../load/figures.ts'
import { Random } from '../load/random.ts'
import { type OrderedReceiver, openOrderedReceiver } from '../webhooks/node-webhooks.ts'
import { createSpaces, type LoadedSpace, loadSpace, problemsAt } from './node-load.ts'
import { type ClusterNode, Nodes } from './nodes.ts'
import type { Cluster } from './postgres.ts'

/** What happens to a cluster. */
const kinds = ['kill', 'pause', 'connections', 'crash', 'stop'] as const
type Kind = (typeof kinds)[number]

export interface CampaignOptions {
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
export async function runCampaign({
  cluster,
  rounds,
  spaces,
  pause,
  seed,
}: CampaignOptions): Promise<Findings> {
  const random = new Random(seed)
  const nodes = new Nodes(cluster)
  await nodes.startMany(3)
  const campaign = new Campaign(nodes, random, await createSpaces(nodes, random, spaces), pause)
  return campaign.run(rounds)
}

class Campaign {
  readonly #nodes: Nodes
  readonly #random: Random
  readonly #spaces: readonly LoadedSpace[]
  readonly #pause: number
  readonly #figures: Record<string, number> = {}
  readonly #problems: string[] = []

  constructor(nodes: Nodes, random: Random, spaces: readonly LoadedSpace[], pause: number) {
    this.#nodes = nodes
    this.#random = random
    this.#spaces = spaces
    this.#pause = pause
  }

  async run(rounds: number): Promise<Findings> {
    const receiver = await openOrderedReceiver()
    for (let round = 0; round < rounds; round += 1) {
      await this.#round(kinds[round % kinds.length] as Kind, receiver)
      if (round % 10 === 9) await this.#check([round % 3])
    }
    await this.#check([0, 1, 2])
    await this.#drained()
    await Promise.all([...this.#nodes.all].map((node) => node.stop()))
    const states = await this.#audited()
    await this.#nodes.start() // a payment at a slow terminal may have ended while the nodes stopped: its webhook goes out now
    await this.#drained()
    await Promise.all([...this.#nodes.all].map((node) => node.stop()))
    for (const [name, state] of states) this.#problems.push(...receiver.problemsOf(name, state))
    const acknowledged = this.#spaces.reduce((sum, space) => sum + space.acknowledged.operations, 0)
    addFigures(this.#figures, { 'operations acknowledged': acknowledged, POSTs: receiver.posts() })
    return { figures: this.#figures, problems: this.#problems }
  }

  /** One fault under load; then every space is served by all nodes. */
  async #round(kind: Kind, receiver: OrderedReceiver): Promise<void> {
    addFigures(this.#figures, { [kind]: 1 })
    const loads = this.#spaces.map((space) =>
      loadSpace(space, this.#random.fork(), { url: receiver.urlOf(space.name), pause: this.#pause }),
    )
    await sleep(this.#random.between(200, 600))
    await this.#faults[kind](await this.#victim())
    await sleep(this.#random.between(200, 600))
    for (const load of loads) load.stop()
    await Promise.all(loads.map(({ done }) => done))
  }

  /** A node that serves something; after a fault, none may for a moment. */
  async #victim(): Promise<ClusterNode> {
    for (;;) {
      const served = await Promise.all(this.#nodes.all.map((node) => this.#nodes.spacesOf(node)))
      const serving = this.#nodes.all.filter((_, index) => (served[index]?.length ?? 0) > 0)
      if (serving.length > 0) return this.#random.pick(serving)
      await sleep(50)
    }
  }

  readonly #faults: Readonly<Record<Kind, (node: ClusterNode) => Promise<unknown>>> = {
    kill: async (node) => {
      const lost = await this.#nodes.spacesOf(node)
      await node.kill()
      await this.#served('after kill -9', lost)
      await this.#nodes.start()
    },
    stop: async (node) => {
      const lost = await this.#nodes.spacesOf(node)
      await node.stop()
      await this.#served('after a stop', lost)
      await this.#nodes.start()
    },
    pause: async (node) => {
      const lost = await this.#nodes.spacesOf(node)
      node.pause()
      const others = this.#nodes.all.filter((other) => other !== node)
      await Promise.all([this.#served('after SIGSTOP', lost, others), sleep(longPause)])
      node.wake()
    },
    connections: async (node) => {
      for (let times = 0; times < 5; times += 1) {
        await node.cutConnections()
        await sleep(this.#random.whole(200))
      }
    },
    crash: async () => {
      await this.#nodes.cluster.stop('immediate')
      await this.#nodes.cluster.start()
      await this.#served(
        'after a crash of the database',
        this.#spaces.map(({ name }) => name),
      )
    },
  }

  /** Keeps the longest time until a node answers for each of these spaces. */
  async #served(when: string, spaces: readonly string[], nodes = [...this.#nodes.all]): Promise<void> {
    const from = performance.now()
    await Promise.all(
      spaces.map(async (name) => {
        const request = { path: `/s/${name}/_sandbox/state` }
        while ((await this.#random.pick(nodes).ask(request, 1_000))?.code !== '0') await sleep(20)
      }),
    )
    const key = `longest ms ${when}`
    if (spaces.length > 0)
      this.#figures[key] = Math.max(this.#figures[key] ?? 0, Math.round(performance.now() - from))
  }

  async #check(indexes: readonly number[]): Promise<void> {
    for (const index of indexes)
      for (const space of this.#spaces) this.#problems.push(...(await problemsAt(this.#nodes, space, index)))
  }

  /** Resolves once no webhook waits. */
  async #drained(): Promise<void> {
    for (const { name, ask } of this.#spaces)
      for (const end = Date.now() + 60_000; ; await sleep(50)) {
        const waiting = (await ask('GET', '/_sandbox/state'))?.data.webhooks.pending
        if (waiting === 0) break
        if (Date.now() < end) continue
        this.#problems.push(`${name}: ${waiting} webhooks wait`)
        break
      }
  }

  /** What the database has, without a node, by space: each ledger adds up as an auditor reads it. */
  async #audited(): Promise<Map<string, State>> {
    const states = new Map<string, State>()
    const database = await Database.open(this.#nodes.store)
    try {
      for (const { name } of this.#spaces) {
        const state = await storedState(database, name)
        for (const ledger of state.ledgers.values()) this.#audit(name, { ledger } as Till)
        states.set(name, state)
        addFigures(this.#figures, { transactions: countIn(state) })
      }
      return states
    } finally {
      await database.close()
    }
  }

  #audit(space: string, till: Till): void {
    try {
      new Audit(till).everything()
    } catch (error) {
      this.#problems.push(`${space}: the ledger does not add up: ${(error as Error).message}`)
    }
  }
}

async function storedState(database: Database, space: string): Promise<State> {
  const empty = () => createState(builtIn)
  return (await readSpace(database, space, empty)).state
}

const countIn = ({ ledgers }: State): number =>
  [...ledgers.values()].reduce((sum, { transactions }) => sum + transactions.size, 0)
