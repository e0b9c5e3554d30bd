import type { PastStory } from '../../../src/contract/control/control-answers.ts'
import type { StatusLetter, TransactionType } from '../../../src/contract/statuses.ts'
import type { ClosedBatch, Stored } from '../store/stored.ts'

/** A request that opens a transaction. */
export interface Opening {
  readonly requestId: string
  readonly type: TransactionType
  /** Minor units; null where the request names none. */
  readonly amount: number | null
  readonly originalId: string | null
  readonly online: boolean
  /** True when the request names an address for its result. */
  readonly notifies: boolean
}

/** A transaction that was acknowledged, and what else was said of it. */
export interface AcknowledgedTransaction extends Opening {
  /** Null when the answer named none and the next one, which would have, did not come. */
  readonly transactionId: string | null
  readonly sessionId: string | null
  /** The latest status that an answer showed. */
  seen: StatusLetter | null
  /** Entries of its timeline that were acknowledged. */
  readonly happened: string[]
}

/** What a check found. */
export interface Checked {
  /** One line for each promise that was broken. */
  readonly problems: readonly string[]
  /** Acknowledged transactions that were looked for, and requests without an answer that turned out to be stored. */
  readonly looked: number
  readonly unansweredStored: number
}

/** INITIAL and PROCESSING may go on; what was final stays as it was. */
const ranks: Readonly<Record<StatusLetter, number>> = { I: 0, P: 1, S: 2, F: 2, C: 2 }

/**
 * Everything that a sandbox has promised by its answers, and what it has refused or left unanswered. `check` holds it
 * against what is stored after a kill, a power loss or a disk error.
 */
export class Acknowledged {
  readonly transactions = new Map<string, AcknowledgedTransaction>()
  readonly unanswered = new Map<string, Opening>()
  readonly refused = new Set<string>()
  readonly closes = new Map<string, ClosedBatch>()
  /** Broken promises that the answers themselves showed. */
  readonly problems: string[] = []
  /** Answers that said that something was done. */
  operations = 0
  /** The greatest setting that was acknowledged, and the greatest that was sent; 1 is the one of a new sandbox. */
  settings = { acknowledged: 1, sent: 1 }
  #forgotten: 'no' | 'perhaps' | 'yes' = 'no'
  #before = new Set<string>()

  sent(opening: Opening): void {
    this.unanswered.set(opening.requestId, opening)
  }

  accepted(requestId: string, transactionId: string | null, sessionId: string | null = null): void {
    const opening = this.unanswered.get(requestId)
    if (opening === undefined) return void this.problems.push(`${requestId} was answered twice`)
    this.unanswered.delete(requestId)
    this.transactions.set(requestId, { ...opening, transactionId, sessionId, seen: null, happened: [] })
    this.operations += 1
  }

  refuse(requestId: string): void {
    this.unanswered.delete(requestId)
    this.refused.add(requestId)
  }

  /** Something was acknowledged that opens no transaction. */
  act(requestId?: string, what?: string): void {
    this.operations += 1
    if (requestId !== undefined && what !== undefined) this.transactions.get(requestId)?.happened.push(what)
  }

  saw(requestId: string, status: StatusLetter): void {
    const transaction = this.transactions.get(requestId)
    if (transaction !== undefined && (transaction.seen === null || ranks[status] >= ranks[transaction.seen]))
      transaction.seen = status
  }

  close(requestId: string, batches: readonly ClosedBatch[]): void {
    this.operations += 1
    for (const batch of batches) this.closes.set(`${requestId} ${batch.batchNo}`, batch)
  }

  sendSetting(value: number): void {
    this.settings.sent = value
  }

  keepSetting(value: number): void {
    this.operations += 1
    this.settings.acknowledged = value
  }

  /** A reset is on its way: from now on all of what was there is there, or none of it. */
  beginReset(): void {
    this.#forgotten = 'perhaps'
    this.#before = new Set([...this.transactions.keys(), ...this.unanswered.keys()])
  }

  /** The reset was acknowledged: nothing of what was there may come back. */
  reset(): void {
    this.operations += 1
    for (const requestId of this.#before) this.#forget(requestId)
    this.closes.clear()
    this.#forgotten = 'no'
  }

  /** The reset was refused: everything is there. */
  refuseReset(): void {
    this.#forgotten = 'no'
  }

  /** Holds all of it against what is stored. What had no answer is known from then on. */
  async check(stored: Stored): Promise<Checked> {
    if (this.#forgotten === 'perhaps') await this.#learnOfReset(stored)
    const problems = [
      ...this.problems,
      ...(await this.#checkTransactions(stored)),
      ...(await this.#checkRest(stored)),
    ]
    const adopted = await this.#adopt(stored, problems)
    const count = await stored.count()
    if (count !== this.transactions.size)
      problems.push(
        `${count} transactions are stored, but ${this.transactions.size} are known by their request ids`,
      )
    return { problems, looked: this.transactions.size - adopted, unansweredStored: adopted }
  }

  /** Another one with the same promises. */
  copy(): Acknowledged {
    const copy = new Acknowledged()
    for (const [id, transaction] of this.transactions)
      copy.transactions.set(id, { ...transaction, happened: [...transaction.happened] })
    for (const [id, opening] of this.unanswered) copy.unanswered.set(id, opening)
    for (const id of this.refused) copy.refused.add(id)
    for (const [id, batch] of this.closes) copy.closes.set(id, batch)
    copy.settings = { ...this.settings }
    copy.#forgotten = this.#forgotten
    copy.#before = new Set(this.#before)
    return copy
  }

  #forget(requestId: string): void {
    this.transactions.delete(requestId)
    this.unanswered.delete(requestId)
    this.refused.add(requestId)
  }

  async #learnOfReset(stored: Stored): Promise<void> {
    const before = await inParallel([...this.#before], (requestId) => stored.story(requestId))
    const isReset = before.every((story) => story === undefined) // what came after it may be there
    if (isReset) this.reset()
    this.#forgotten = 'no'
  }

  async #checkTransactions(stored: Stored): Promise<string[]> {
    const stories = await inParallel([...this.transactions.values()], async (transaction) => ({
      transaction,
      story: await stored.story(transaction.requestId),
    }))
    const byId = new Map(stories.map(({ story }) => [story?.record.transactionId, story]))
    return stories.flatMap(({ transaction, story }) => {
      const wrong = story === undefined ? ['is lost'] : whatIsWrong(transaction, story)
      const original = transaction.originalId === null ? undefined : byId.get(transaction.originalId)
      if (original !== undefined && !original.children.includes(story?.record.transactionId ?? ''))
        wrong.push(`is not among the follow-ups of ${transaction.originalId}`)
      return wrong.map(
        (what) => `${transaction.type} ${transaction.requestId} (${transaction.transactionId}) ${what}`,
      )
    })
  }

  async #checkRest(stored: Stored): Promise<string[]> {
    const problems: string[] = []
    const refused = [...this.refused].slice(-200)
    for (const { requestId, story } of await inParallel(refused, async (requestId) => ({
      requestId,
      story: await stored.story(requestId),
    })))
      if (story !== undefined) problems.push(`${requestId} was refused or forgotten, and is stored`)
    const closes = new Set((await stored.closes()).map(keyOf))
    for (const [id, batch] of this.closes)
      if (!closes.has(keyOf(batch))) problems.push(`the close ${id} is lost: ${keyOf(batch)}`)
    const setting = await stored.setting()
    const { acknowledged, sent } = this.settings
    if (setting < acknowledged || setting > sent)
      problems.push(`the setting is ${setting}; ${acknowledged} was acknowledged, ${sent} sent`)
    else this.settings.acknowledged = setting
    return problems
  }

  /** What had no answer is there as it was asked for, or not at all, and that for good. */
  async #adopt(stored: Stored, problems: string[]): Promise<number> {
    let adopted = 0
    for (const opening of [...this.unanswered.values()]) {
      const story = await stored.story(opening.requestId)
      if (story === undefined) {
        this.refuse(opening.requestId)
        continue
      }
      adopted += 1
      const { transactionId } = story.record
      this.unanswered.delete(opening.requestId)
      const transaction: AcknowledgedTransaction = {
        ...opening,
        transactionId,
        sessionId: story.sessionId,
        seen: null,
        happened: [],
      }
      this.transactions.set(opening.requestId, transaction)
      for (const what of whatIsWrong(transaction, story))
        problems.push(`unanswered ${opening.requestId} ${what}`)
    }
    return adopted
  }
}

const keyOf = ({ batchNo, count, net }: ClosedBatch): string => `batch ${batchNo}: ${count}, ${net}`

function whatIsWrong(
  transaction: AcknowledgedTransaction,
  { record, originalTransactionId, sessionId, timeline }: PastStory,
): string[] {
  const wrong: string[] = []
  const expect = (what: string, actual: unknown, wanted: unknown) => {
    if (actual !== wanted) wrong.push(`has ${what} ${actual}, not ${wanted}`)
  }
  if (transaction.transactionId !== null)
    expect('transactionId', record.transactionId, transaction.transactionId)
  expect('type', record.transactionType, transaction.type)
  expect('transactionRequestId', record.transactionRequestId, transaction.requestId)
  if (transaction.amount !== null) expect('amount', record.orderAmount, transaction.amount)
  if (transaction.originalId !== null) expect('original', originalTransactionId, transaction.originalId)
  expect('session', sessionId, transaction.sessionId)
  const { seen } = transaction
  if (seen !== null && ranks[record.transactionStatus] < ranks[seen]) wrong.push(`was ${seen} before`)
  if (seen !== null && ranks[seen] === 2) expect('status', record.transactionStatus, seen)
  const rest = timeline.flatMap(({ what, detail }) => [what, `${what} ${detail}`])
  for (const what of transaction.happened) if (!rest.includes(what)) wrong.push(`has lost '${what}'`)
  return wrong
}

/** Most at the same time. */
const most = 16

async function inParallel<T, R>(items: readonly T[], make: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++)
      results[index] = await make(items[index] as T)
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker))
  return results
}
