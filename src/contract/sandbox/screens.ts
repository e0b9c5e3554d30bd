import * as v from 'valibot'
import { amount, amountOrNull, list, moment, one, shape, text, textOrNull, whether } from '../answer-kinds.ts'

/**
 * Name of a terminal's screen: `idle`, `offline` and `result` between transactions, `pairing` while it belongs to no
 * merchant; the others while a transaction runs.
 */
export const screenName = one([
  'idle',
  'offline',
  'present-card',
  'insert-card',
  'tip',
  'pin',
  'processing',
  'signature',
  'result',
  'pairing',
])
export type ScreenName = v.InferOutput<typeof screenName>

/** Path of a terminal's page. */
export const terminalPath = (terminalSn: string): string => `/terminal/${encodeURIComponent(terminalSn)}`

/** How long a terminal shows the result, unless the next transaction comes first. Milliseconds of the sandbox clock. */
export const resultTime = 8_000

/** How a card is presented to a terminal: contactless, chip, magnetic stripe, typed, or as a code. */
export const cardEntries = ['tap', 'insert', 'swipe', 'key', 'scan'] as const
export type CardEntry = (typeof cardEntries)[number]

/** What a person can do at a terminal: the last part of the path of its control operation. */
const screenAction = one(['present', 'tip', 'pin', 'sign', 'cancel'])
export type ScreenAction = v.InferOutput<typeof screenAction>

/** A transaction as a terminal shows it. Amounts in minor units; times in milliseconds of the sandbox clock. */
const shownTransaction = shape({
  transactionId: text,
  type: text,
  status: text,
  currency: text,
  transactionAmount: amount,
  orderAmount: amount,
  tipAmount: amount,
  description: textOrNull,
  referenceOrderId: textOrNull,
  /** Network and masked number, once a card was presented. */
  card: textOrNull,
  /** Result code of the host. */
  resultCode: textOrNull,
  resultMsg: textOrNull,
  authCode: textOrNull,
  /** When it closes unpaid. */
  expiresAt: v.nullable(moment),
  completedAt: v.nullable(moment),
})
export type ShownTransaction = v.InferOutput<typeof shownTransaction>

/** A test card that can be presented. */
const cardChoice = shape({
  name: text,
  network: text,
  maskedPan: textOrNull,
  /** Entry modes, the card's own first. */
  entries: list(one(cardEntries)),
  /** Outcome by name, where the card decides it. */
  outcome: textOrNull,
})
export type CardChoice = v.InferOutput<typeof cardChoice>

/** Outcomes that are queued for the next transactions of a terminal. */
export const outcomeQueue = list(shape({ outcome: text, times: amount }))

const screenMembers = {
  terminalSn: text,
  /** Name that people gave the terminal. */
  label: v.exactOptional(text),
  /** Null while it is not paired. */
  merchantId: textOrNull,
  merchantName: textOrNull,
  /** Whether it acts by itself, or waits for a person. */
  mode: one(['auto', 'attended']),
  online: whether,
  screen: screenName,
  /** The running transaction, or on the screen `result` the one that has just ended. */
  transaction: v.nullable(shownTransaction),
  /** The transaction that ended last, for its receipt. */
  last: v.nullable(shownTransaction),
  /** Transactions that wait behind the running one; while the terminal is offline, all in its line. */
  waiting: amount,
  queue: outcomeQueue,
  /** Tips that the tip screen offers. */
  tips: list(shape({ label: text, tipAmount: amount })),
  /** On the PIN screen: how many tries are left. */
  pinTriesLeft: amountOrNull,
  /** Cards that can be presented now, by name, with their entry modes. */
  cards: list(cardChoice),
  /** What a person can do now. */
  acts: list(screenAction),
  /** Sandbox time of this view, in milliseconds. */
  now: moment,
}

/** Answer of `screen`, and each event of `terminal-events`. */
export const screenViewSchema = shape({
  ...screenMembers,
  /** On the screen `pairing`: the code that pairs the terminal. */
  pairingCode: v.exactOptional(text),
})
export type ScreenView = v.InferOutput<typeof screenViewSchema>

/** Answer of an action at a terminal: the screen after it. */
export const actAnswer = shape({
  ...screenMembers,
  /** The transaction that this action ended. */
  ended: v.nullable(shownTransaction),
})
export type ActAnswer = v.InferOutput<typeof actAnswer>

/** A line of a receipt; `rule` is a line across. */
const receiptLine = v.variant('kind', [
  v.object({ kind: one(['title', 'text', 'strong']), text }),
  v.object({ kind: one(['pair', 'total']), label: text, value: text }),
  v.object({ kind: one(['rule', 'space']) }),
])
export type ReceiptLine = v.InferOutput<typeof receiptLine>

/** Answer of `receipt`: both copies, line by line. */
export const receipt = shape({
  transactionId: text,
  merchant: list(receiptLine),
  customer: list(receiptLine),
})
export type Receipt = v.InferOutput<typeof receipt>
