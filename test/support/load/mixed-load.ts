import type { ScreenView } from '../../../src/contract/control/screens.ts'
import { type OperationName, operations } from '../../../src/contract/operations.ts'
import type { StatusLetter } from '../../../src/contract/statuses.ts'
import type { Ask, TestAnswer } from '../service/ask.ts'
import { newId } from '../service/new-id.ts'
import { payloadOf } from '../service/shop.ts'
import { tillSn } from '../store/stored.ts'
import type { Acknowledged, AcknowledgedTransaction, Opening } from './acknowledged.ts'
import type { Random } from './random.ts'

const attendedSn = 'TBX-ATTENDED-001'

export interface LoadOptions {
  readonly ask: Ask
  readonly random: Random
  readonly acknowledged: Acknowledged
  /** Where results and terminal events are sent; null: nowhere. */
  readonly notifyUrl: string | null
  /** Requests at the same time. */
  readonly connections: number
  /** Operations at most. */
  readonly most: number
}

/** A load that runs. */
export interface Load {
  /** Lets running requests finish and sends no more. */
  stop(): void
  /** Resolves when no request is on its way any more. */
  readonly done: Promise<void>
}

/** Everything that a merchant, a cardholder and an operator do, at random, until `stop`, a cut connection, or `most`. */
export function startLoad(options: LoadOptions): Load {
  let [stopped, begun] = [false, 0]
  const connection = async (number: number) => {
    const clerk = new Clerk(options, options.random.fork(), number === 0)
    while (!stopped && begun++ < options.most) if (!(await clerk.doSomething())) return
  }
  const done = Promise.all(Array.from({ length: options.connections }, (_, number) => connection(number)))
  return {
    stop: () => {
      stopped = true
    },
    done: done.then(() => undefined),
  }
}

/** Says that nobody knows whether the request was carried out. */
export const isUnknown = ({ code, msg = '', detail = '' }: TestAnswer): boolean =>
  code !== '0' &&
  /unknown|may have been|the database .* does not answer/i.test(`${msg} ${detail}`) &&
  !/SBX_TXN_UNKNOWN|C17/.test(code)

/** One whose id is known. */
type NamedTransaction = AcknowledgedTransaction & { readonly transactionId: string }

const isNamed = (transaction: AcknowledgedTransaction): transaction is NamedTransaction =>
  transaction.transactionId !== null

/** What one connection does, one thing after the other. */
class Clerk {
  readonly #ask: Ask
  readonly #random: Random
  readonly #book: Acknowledged
  readonly #url: string | null
  /** What it does, each as often as its number says. */
  readonly #deeds: readonly (() => Promise<boolean>)[]

  constructor({ ask, acknowledged, notifyUrl }: LoadOptions, random: Random, setsThings: boolean) {
    this.#ask = ask
    this.#random = random
    this.#book = acknowledged
    this.#url = notifyUrl
    const often = (times: number, deed: () => Promise<boolean>) => Array(times).fill(deed)
    this.#deeds = [
      ...often(10, () => this.#pay('sale', 'SALE', this.#terminal())),
      ...often(3, () => this.#pay('auth', 'AUTH', tillSn)),
      ...often(1, () => this.#pay('forced-auth', 'FORCED_AUTH', tillSn)),
      ...often(3, () => this.#raise()),
      ...often(3, () => this.#capture()),
      ...often(4, () => this.#refund()),
      ...often(2, () => this.#void()),
      ...often(1, () => this.#abort()),
      ...often(2, () => this.#adjustTip()),
      ...often(1, () => this.#closeBatch()),
      ...often(2, () => this.#pay('sale', 'SALE', attendedSn)),
      ...often(7, () => this.#attend()),
      ...often(2, () => this.#openSession()),
      ...often(2, () => this.#endSession()),
      ...often(2, () => this.#payOnline()),
      ...often(1, () => this.#refundOnline()),
      ...often(8, () => this.#query()),
      ...often(1, () => this.#repeat()),
      ...often(setsThings ? 2 : 0, () => this.#set()),
    ]
  }

  /** Resolves to false when the connection was cut. */
  doSomething(): Promise<boolean> {
    return this.#random.pick(this.#deeds)()
  }

  #terminal(): string {
    return this.#random.pick([
      tillSn,
      tillSn,
      tillSn,
      tillSn,
      'TBX-DECLINE-001',
      'TBX-CANCEL-001',
      'TBX-SLOW-001',
    ])
  }

  async #say(method: string, path: string, members?: object): Promise<TestAnswer | null> {
    const answer = await this.#ask(method, path, members)
    if (
      answer !== null &&
      (answer.status >= 500 || answer.code === 'SBX_INTERNAL') &&
      answer.code !== 'SBX_STORE_FAIL'
    )
      this.#book.problems.push(
        `${method} ${path} was answered ${answer.status} ${answer.code} ${answer.detail ?? ''}`,
      )
    return answer
  }

  /** Sends what opens a transaction, and keeps what came of it. */
  async #open(
    name: OperationName,
    opening: Pick<Opening, 'type' | 'amount' | 'originalId' | 'online'>,
    members: object,
    hears = true,
  ): Promise<boolean> {
    const requestId = newId()
    const url = hears && this.#random.happens(0.6) ? this.#url : null
    this.#book.sent({ ...opening, requestId, notifies: url !== null })
    const urls = url && { notifyUrl: url, ...(this.#random.happens(0.2) && { terminalEventNotifyUrl: url }) }
    const sent = { transactionRequestId: requestId, ...members, ...urls }
    const answer = await this.#say('POST', operations[name].path, sent)
    if (answer === null) return false
    if (answer.code === '0')
      this.#book.accepted(
        requestId,
        answer.data.transactionId ?? (await this.#idOf(requestId)),
        answer.data.sessionId,
      )
    else if (!isUnknown(answer)) this.#book.refuse(requestId)
    return true
  }

  /** The answer for a session names no transaction. */
  async #idOf(requestId: string): Promise<string | null> {
    const answer = await this.#say('GET', `${operations.query.path}?transactionRequestId=${requestId}`)
    return answer?.data?.transactionId ?? null
  }

  #order(amount = this.#random.between(1, 9000) * 100): { amount: number; priceCurrency: string } {
    return { amount, priceCurrency: this.#random.happens(0.9) ? 'USD' : 'EUR' }
  }

  #pay(name: 'sale' | 'auth' | 'forced-auth', type: Opening['type'], terminalSn: string): Promise<boolean> {
    const order = this.#order()
    const tips = terminalSn === attendedSn &&
      this.#random.happens(0.3) && { tipConfig: { onScreenTip: true } }
    const members = { ...order, ...tips, terminalSn, referenceOrderId: newId('ORDER') }
    return this.#open(name, { type, amount: order.amount, originalId: null, online: false }, members)
  }

  /** One of the latest that fit, or undefined. */
  #one(fits: (transaction: NamedTransaction) => boolean): NamedTransaction | undefined {
    const found = [...this.#book.transactions.values()].filter(isNamed).filter(fits).slice(-60)
    return found.length === 0 ? undefined : this.#random.pick(found)
  }

  async #followUp(
    name: OperationName,
    type: Opening['type'],
    original: NamedTransaction | undefined,
    amount: number | null,
    members: object = {},
  ): Promise<boolean> {
    if (original === undefined) return this.#query()
    const originalId = original.transactionId
    const sent = { originalTransactionId: originalId, ...(amount !== null && { amount }), ...members }
    return this.#open(name, { type, amount, originalId, online: original.online }, sent)
  }

  #raise(): Promise<boolean> {
    const auth = this.#one(({ type }) => type === 'AUTH')
    const push = { pushToTerminal: this.#random.happens(0.5), terminalSn: tillSn }
    return this.#followUp('incremental-auth', 'INCREMENTAL', auth, this.#random.between(1, 50), push)
  }

  #capture(): Promise<boolean> {
    const auth = this.#one(({ type }) => type === 'AUTH')
    const push = { pushToTerminal: this.#random.happens(0.5), terminalSn: tillSn }
    return this.#followUp('post-auth', 'POST_AUTH', auth, this.#random.between(1, auth?.amount ?? 1), push)
  }

  #refund(): Promise<boolean> {
    const sale = this.#one(({ type, online }) => type === 'SALE' && !online)
    const push = { pushToTerminal: this.#random.happens(0.5), terminalSn: tillSn }
    return this.#followUp('refund', 'REFUND', sale, this.#random.between(1, 50), push)
  }

  #refundOnline(): Promise<boolean> {
    const paid = this.#one(({ type, online }) => type === 'SALE' && online)
    return this.#followUp('online-refund', 'REFUND', paid, this.#random.between(1, 50))
  }

  #void(): Promise<boolean> {
    const payment = this.#one(({ type, seen, online }) => seen === 'S' && type !== 'VOID' && !online)
    return this.#followUp('void', 'VOID', payment, null, { pushToTerminal: false })
  }

  async #abort(): Promise<boolean> {
    const waiting = this.#one(({ seen, type }) => type === 'SALE' && seen !== 'S' && seen !== 'F')
    if (waiting === undefined) return this.#query()
    const answer = await this.#say('POST', operations.abort.path, {
      originalTransactionId: waiting.transactionId,
    })
    if (answer?.code === '0') this.#book.act()
    return answer !== null
  }

  async #adjustTip(): Promise<boolean> {
    const sale = this.#one(({ type, seen, online }) => type === 'SALE' && seen === 'S' && !online)
    if (sale === undefined) return this.#query()
    const tipAmount = this.#random.between(0, 30)
    const members = { originalTransactionId: sale.transactionId, tipAmount }
    const answer = await this.#say('POST', operations['tip-adjust'].path, members)
    if (answer?.code === '0') this.#book.act(sale.requestId, `tip-adjusted ${tipAmount}`)
    return answer !== null
  }

  async #closeBatch(): Promise<boolean> {
    if (this.#random.happens(0.7)) return this.#adjustTip()
    const requestId = newId('CLOSE')
    const members = { transactionRequestId: requestId, terminalSn: tillSn }
    const answer = await this.#say('POST', operations['batch-close'].path, members)
    if (answer?.code === '0')
      this.#book.close(
        requestId,
        // biome-ignore lint/suspicious/noExplicitAny: an answer as it comes
        [answer.data, ...(answer.data.batchList ?? [])].map((batch: any) => ({
          batchNo: batch.batchNo,
          count: batch.transactionCount,
          net: batch.netAmount,
        })),
      )
    return answer !== null
  }

  /** One step at the attended terminal. */
  async #attend(): Promise<boolean> {
    const answer = await this.#say('GET', `/_sandbox/terminals/${attendedSn}/screen`)
    if (answer === null || answer.code !== '0') return answer !== null
    const { screen, transaction } = answer.data as ScreenView
    if (transaction === null) return true
    const { transactionId } = transaction
    const [act, members, happens] = this.#actAt(screen)
    if (act === null) return true
    const done = await this.#say('POST', `/_sandbox/terminals/${attendedSn}/${act}`, {
      ...members,
      transactionId,
    })
    if (done?.code === '0')
      this.#book.act(this.#one((other) => other.transactionId === transactionId)?.requestId, happens)
    return done !== null
  }

  #actAt(screen: ScreenView['screen']): readonly [act: string | null, members: object, happens?: string] {
    const card = this.#random.pick([
      'visa-chip-pin',
      'mastercard-chip-signature',
      'visa-contactless',
      'visa-declined',
    ])
    const tipAmount = this.#random.between(0, 300)
    switch (screen) {
      case 'present-card':
        return this.#random.happens(0.1)
          ? ['cancel', {}] // at the signature, where another connection may be by now, it closes nothing
          : ['present', { card, entry: 'insert' }, `card-presented ${card}`]
      case 'insert-card':
        return ['present', { card: 'visa-chip-pin', entry: 'insert' }, 'card-presented visa-chip-pin']
      case 'tip':
        return ['tip', { tipAmount }, `tip-chosen ${tipAmount}`]
      case 'pin':
        return ['pin', { correct: true }, 'pin-entered']
      case 'signature':
        return ['sign', {}, 'signed']
      default:
        return [null, {}]
    }
  }

  #openSession(): Promise<boolean> {
    const order = this.#order()
    const members = { ...order, referenceOrderId: newId('ORDER'), description: 'a test' }
    return this.#open(
      'create-session',
      { type: 'SALE', amount: order.amount, originalId: null, online: true },
      members,
    )
  }

  async #endSession(): Promise<boolean> {
    const open = this.#one(({ sessionId, seen }) => sessionId !== null && (seen === null || seen === 'I'))
    if (open === undefined) return this.#query()
    const path = `/_sandbox/sessions/${open.sessionId}`
    const cards = ['visa-debit', 'visa-contactless', 'visa-declined']
    const answer = this.#random.happens(0.8)
      ? await this.#say('POST', `${path}/pay`, { card: this.#random.pick(cards) })
      : this.#random.happens(0.5)
        ? await this.#say('POST', `${path}/cancel`)
        : await this.#say('POST', operations['expire-session'].path, { sessionId: open.sessionId })
    if (answer?.code !== '0') return answer !== null
    this.#book.act()
    const status: StatusLetter | undefined = ends[answer.data.state as string]
    if (status !== undefined) this.#book.saw(open.requestId, status)
    return true
  }

  #payOnline(): Promise<boolean> {
    const order = this.#order()
    const wallet = { paymentMethod: 'GOOGLE_PAY', cardEncryptedData: payloadOf('GOOGLE_PAY') }
    const members = { ...order, ...wallet, referenceOrderId: newId('ORDER') }
    return this.#open(
      'direct-payment',
      { type: 'SALE', amount: order.amount, originalId: null, online: true },
      members,
    )
  }

  /** What an answer shows is durable, too. */
  async #query(): Promise<boolean> {
    const transaction = this.#one(({ seen }) => seen === null || seen === 'I' || seen === 'P')
    if (transaction === undefined) return (await this.#say('GET', '/_sandbox/health')) !== null
    const answer = await this.#say(
      'GET',
      `${operations.query.path}?transactionId=${transaction.transactionId}`,
    )
    if (answer?.code === '0') this.#book.saw(transaction.requestId, answer.data.transactionStatus)
    else if (answer?.code === 'SBX_TXN_UNKNOWN')
      this.#book.problems.push(`${transaction.requestId} is not found by its id`)
    return answer !== null
  }

  /** One transactionRequestId opens one transaction: a second request with it is refused and names the first. */
  async #repeat(): Promise<boolean> {
    const transaction = this.#one(({ type, online }) => type === 'SALE' && !online)
    if (transaction === undefined) return this.#query()
    const members = {
      ...this.#order(),
      transactionRequestId: transaction.requestId,
      referenceOrderId: newId('ORDER'),
    }
    const answer = await this.#say('POST', operations.sale.path, { ...members, terminalSn: tillSn })
    if (answer === null || answer.code === 'SBX_STORE_FAIL') return answer !== null
    const isRefused = answer.code === 'SBX_DUP_TXN_ID' && answer.detail?.includes(transaction.transactionId)
    // The answer was lost, and the request was sent again under the same X-Client-Request-Id.
    const wasRefused =
      answer.code === 'SBX_DUP_REQUEST' && /refused with SBX_DUP_TXN_ID$/.test(answer.detail ?? '')
    if (!isRefused && !wasRefused)
      this.#book.problems.push(
        `a second ${transaction.requestId} was answered ${answer.code} ${answer.detail ?? ''}`,
      )
    return true
  }

  /** A setting that counts up, so that the latest one is known: the seed of a fault that is over. One connection alone does it. */
  async #set(): Promise<boolean> {
    const seed = this.#book.settings.sent + 1
    this.#book.sendSetting(seed)
    const answer = await this.#say('POST', '/_sandbox/faults', { kind: 'drop', until: longAgo, seed })
    if (answer?.code === '0') this.#book.keepSetting(seed)
    return answer !== null
  }
}

/** A fault until then hits nothing, and makes room for others. */
const longAgo = '2000-01-01T00:00:00Z'

/** Where a session ended, as a status. */
const ends: Readonly<Record<string, StatusLetter | undefined>> = {
  paid: 'S',
  failed: 'F',
  expired: 'C',
  cancelled: 'C',
}
