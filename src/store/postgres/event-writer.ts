import { crc32 } from 'node:zlib'
import type { JournalEntry } from '../../domain/state.ts'
import { nextTurn } from '../../timers.ts'
import type { DatabaseConnection, QueryResult, RunStatement } from './connection/connection.ts'
import { DatabaseAway } from './connection/database-errors.ts'
import type { HeldSpace } from './held-space.ts'

/** Runs a statement in the session of the node. */
type RunInSession = (
  connection: DatabaseConnection,
  ...statement: Parameters<RunStatement>
) => Promise<QueryResult>

/** An entry that waits to be durable. */
interface WaitingEntry {
  readonly space: HeldSpace
  readonly sequence: number
  readonly at: number
  readonly body: string
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/** All entries that wait, of every space: one statement, all or nothing. */
const append = {
  name: 'append',
  text: `with added as (
      insert into events (space, sequence, at, crc, body)
        select e.space, e.sequence, to_timestamp(e.at / 1000.0), e.crc, e.body
        from rows from (
          unnest($1::text[]), unnest($2::bigint[]), unnest($3::bigint[]), unnest($4::bigint[]), json_array_elements($5::json)
        ) as e(space, sequence, at, crc, body))
    insert into sequences (space, last)
      select space, max(sequence) from unnest($1::text[], $2::bigint[]) as e(space, sequence) group by space
      on conflict (space) do update set last = excluded.last`,
}

/** Writes the events of a node's spaces in groups: what waits is one statement. */
export class EventWriter {
  readonly #run: RunInSession
  #waiting: WaitingEntry[] = []
  #isWriting = false

  constructor(run: RunInSession) {
    this.#run = run
  }

  /** Resolves when the entry is durable. Errors: LostState; as `RunStatement`. */
  append(space: HeldSpace, entry: JournalEntry): Promise<void> {
    if (space.lost !== null) return Promise.reject(space.lost)
    space.position += 1
    space.waiting += 1
    const facts = { space, sequence: space.position, at: entry.at, body: JSON.stringify(entry) }
    const done = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ ...facts, resolve, reject })
    })
    space.written = done.then(
      () => true,
      () => false,
    )
    if (!this.#isWriting) void this.#drain()
    return done
  }

  /** Refuses what waits. */
  drop(error: Error): void {
    for (const entry of this.#waiting.splice(0)) refuse(entry, error)
  }

  async #drain(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      await nextTurn()
      await this.#writeGroup(this.#waiting.splice(0))
    }
    this.#isWriting = false
  }

  /** An entry that the server refuses fails its own space alone. */
  async #writeGroup(given: readonly WaitingEntry[]): Promise<void> {
    for (const entry of given) if (entry.space.lost !== null) refuse(entry, entry.space.lost)
    const group = given.filter(({ space }) => space.lost === null)
    const spaces = new Set(group.map(({ space }) => space))
    const [first] = spaces // all are held by the same session
    if (first === undefined) return
    try {
      await this.#run(first.facts.connection, append, valuesOf(group))
      for (const { space, resolve } of group) {
        space.waiting -= 1
        resolve()
      }
    } catch (error) {
      if (spaces.size === 1 || error instanceof DatabaseAway) this.#fail(group, spaces, error as Error)
      else
        for (const space of spaces)
          await this.#writeGroup(group.filter(({ space: { facts } }) => facts === space.facts))
    }
  }

  /** Entries behind a failed one were decided on a state that is not durable: they fail with it. */
  #fail(group: readonly WaitingEntry[], spaces: ReadonlySet<HeldSpace>, error: Error): void {
    const behind = this.#waiting.filter(({ space }) => spaces.has(space))
    this.#waiting = this.#waiting.filter(({ space }) => !spaces.has(space))
    for (const space of spaces) if (space.lost === null) space.needs.failed(error)
    for (const entry of [...group, ...behind]) refuse(entry, error)
  }
}

const valuesOf = (group: readonly WaitingEntry[]): Parameters<RunStatement>[1] => [
  group.map(({ space }) => space.facts.name),
  group.map(({ sequence }) => sequence),
  group.map(({ at }) => at),
  group.map(({ body }) => crc32(body)),
  `[${group.map(({ body }) => body).join(',')}]`,
]

function refuse({ space, sequence, reject }: WaitingEntry, error: Error): void {
  space.waiting -= 1
  space.position = Math.min(space.position, sequence - 1)
  reject(error)
}
