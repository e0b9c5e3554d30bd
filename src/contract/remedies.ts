import { command } from '../shared/text/commands.ts'
import { formatAmount } from './currencies.ts'

/** An amount in minor units. */
interface Money {
  readonly amount: number
  readonly currency: string
}

interface OfTransaction {
  readonly id: string
}

/** What can still be refunded of a payment; null for one that is refunded whole. */
interface Refundable extends OfTransaction {
  readonly rest: Money | null
}

interface AtTerminal {
  readonly terminalSn: string
}

const shown = ({ amount, currency }: Money): string => formatAmount(amount, currency)
const query = ({ id }: OfTransaction): string => command('query', id)
const pay = (money: Money): string =>
  command('sale', '--amount', shown(money), '--price-currency', money.currency)
const refund = ({ id, rest }: Refundable): string =>
  rest === null ? command('checkout refund', id) : command('refund', id, '--amount', shown(rest))

const tipStays = 'A settled tip stays.'

/** What to do about a refusal of the rules, in words, with the command that does it. */
const remedies = {
  nothing: () => 'Nothing was charged and nothing is left to do; take a new payment if one is due',
  'pay-anew': () => 'A void takes all of it back; take a new payment if one is due',
  'all-refunded': () => 'All of it went back already; nothing is left to do',
  'let-expire': () => 'Do not capture it: an authorisation alone charges nothing, and expires by itself',

  wait: (transaction: OfTransaction) => `Wait until it completes: ${query(transaction)}`,
  'send-again': () =>
    'Check the id and the merchant; after a lost answer it was not carried out: send it again with the same id',
  'look-up-order': ({ orderId }: { readonly orderId: string }) =>
    `Look it up as an order: ${command('list', '--reference-order-id', orderId)}`,
  'keep-tip': (transaction: OfTransaction) => `${tipStays} It is what you ask for: ${query(transaction)}`,
  'see-result': (transaction: OfTransaction) => `See what became of it: ${query(transaction)}`,
  'see-payment': (payment: OfTransaction) => `See the payment it belongs to: ${query(payment)}`,
  'see-unlinked': (transaction: OfTransaction) =>
    `It is not linked to a payment; look at it: ${query(transaction)}`,
  'see-first': (first: OfTransaction) =>
    `It exists: ${query(first)}. Use a new transactionRequestId only for another one`,

  refund: (payment: Refundable) => `Refund it: ${refund(payment)}`,
  'refund-payment': (payment: Refundable) => `Refund the payment: ${refund(payment)}`,
  'pay-again': (money: Money) =>
    `A refund of an earlier day or batch stays; take a new payment: ${pay(money)}`,
  capture: ({ id, ...money }: OfTransaction & Money) =>
    `Capture it: ${command('post-auth', id, '--amount', shown(money))}. Or void it: ${command('void', id)}`,
  'undo-capture': (capture: OfTransaction) =>
    `Void or refund its capture: ${query(capture)}. An authorisation is captured once`,
  'expire-session': ({ transactionRequestId }: { readonly transactionRequestId: string }) =>
    `End its session: ${command('checkout expire', '--transaction-request-id', transactionRequestId)}`,
  'capture-less': ({ setting, ...money }: Money & { readonly setting: string }) =>
    `Send at most ${shown(money)} (${money.amount} in minor units), or start the sandbox with --set ${setting}=<percent>`,

  'pay-tip': (money: Money) => `${tipStays} Take the rest as a new payment: ${pay(money)}`,
  'refund-tip': ({ id, ...money }: OfTransaction & Money) =>
    `${tipStays} Give the rest back: ${command('refund', id, '--amount', shown({ ...money, amount: 0 }), '--tip-amount', shown(money))}`,

  'add-again': ({ terminalSn }: AtTerminal) =>
    `Add it again: ${command('terminal add', terminalSn)}. Or process the request in the cloud: --no-push-to-terminal`,
  'set-up': ({ terminalSn }: AtTerminal) =>
    `See which there are: ${command('terminal list')}. Or set it up: ${command('terminal add', terminalSn)}`,
  pair: ({ terminalSn }: AtTerminal) =>
    `Read its code: ${command('terminal show', terminalSn)}. Then pair it: ${command('terminal pair <code>')}`,
  present: ({ terminalSn }: AtTerminal) =>
    `First: ${command('terminal present', terminalSn, '--card', 'visa-chip-pin')}`,
  'choose-tip': ({ terminalSn }: AtTerminal) => `First: ${command('terminal tip', terminalSn, '--none')}`,
  'enter-pin': ({ terminalSn }: AtTerminal) => `First: ${command('terminal pin', terminalSn)}`,
  sign: ({ terminalSn }: AtTerminal) => `First: ${command('terminal sign', terminalSn)}`,
  'end-payment': ({ id, terminalSn }: OfTransaction & AtTerminal) =>
    `End it first: ${command('abort', id)}, or ${command('terminal show', terminalSn)}`,
  settle: ({ terminalSn }: AtTerminal) => `Settle first: ${command('batch close', '--terminal', terminalSn)}`,
}

type Remedies = typeof remedies

/** What to do about a refusal of the rules: an action, and what it acts on. Amounts are in minor units. */
export type Remedy = {
  [A in keyof Remedies]: { readonly action: A } & (Parameters<Remedies[A]> extends [infer Facts]
    ? Facts
    : unknown)
}[keyof Remedies]

/** The remedy as the API says it: a sentence, with commands in backticks. */
export function remedyText({ action, ...facts }: Remedy): string {
  const words: (facts: never) => string = remedies[action]
  return words(facts as never)
}
