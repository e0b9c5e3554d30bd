import { isFinal, type Status } from '../../contract/statuses.ts'
import { clean } from '../output/clean.ts'
import { StatusLine } from '../output/status-line.ts'
import { type WaitingFacts, waitingLines } from './waiting-facts.ts'

/** Looks after which a payment is asked what it waits for: one that goes on by itself is mostly final before. */
const looksBeforeAsking = 4

/** The live line of a payment that is waited for, and above it what it waits for, each time that changes. */
export class WaitingLine {
  /** What it waited for when it was asked last. */
  facts: WaitingFacts | undefined
  readonly #line = new StatusLine()
  #looks = 0
  #asks = false
  #isOver = false
  #said = ''

  constructor(
    private readonly transactionId: string,
    private readonly ask: () => Promise<WaitingFacts | undefined>,
  ) {}

  /** Told of each look at the payment; undefined: it was not answered. */
  readonly watch = (status: Status | undefined): void => {
    const waits = this.facts === undefined ? '' : `  waits for ${clean(this.facts.what)}`
    this.#line.say(`${status ?? 'no answer yet'}  ${clean(this.transactionId)}${waits}`)
    this.#looks += 1
    if (status === undefined || isFinal(status)) return
    if (this.#looks >= looksBeforeAsking && !this.#asks) void this.#askWhy()
  }

  clear(): void {
    this.#isOver = true
    this.#line.clear()
  }

  async #askWhy(): Promise<void> {
    this.#asks = true
    const facts = await this.ask()
    this.#asks = false
    if (this.#isOver) return
    this.facts = facts
    const text = facts === undefined ? '' : blockOf(facts)
    if (text !== this.#said && text !== '') this.#line.note(text)
    this.#said = text
  }
}

/** What is waited for in a line, and how to go on with it below. */
function blockOf(facts: WaitingFacts): string {
  const [, ...how] = waitingLines(facts)
  const lines = how.map(([name, value]) => `  ${name.padEnd(4)}  ${clean(value)}\n`)
  return `Waiting for ${clean(facts.what)}\n${lines.join('')}`
}
