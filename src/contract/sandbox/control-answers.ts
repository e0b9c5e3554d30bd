import * as v from 'valibot'
import {
  amount,
  amountOrNull,
  list,
  moment,
  one,
  record,
  shape,
  text,
  textOrNull,
  whether,
  word,
} from '../answer-kinds.ts'
import { specRecordSchema } from '../records.ts'
import type { BatchStatus, RelatedStatus, TransactionType } from '../statuses.ts'
import { outcomeQueue, screenName } from './screens.ts'
import { sessionStates } from './session-states.ts'
import { waiting } from './transactions/waiting.ts'
import { deliveryStateSchema, lastResult, type TerminalEventName } from './webhooks.ts'

/** An answer of which nothing is asked. */
export const anything = shape({})

/** What a client needs of `connection`: an older sandbox may leave some out; a command wants its key. */
export const connection = shape({
  url: v.nullish(text),
  /** Of this start of the sandbox, a UUID; its lock file names it. */
  id: v.nullish(text),
  port: v.nullish(amount),
  pid: v.nullish(amount),
  apiKey: v.pipe(text, v.regex(/^[\x21-\x7e]+$/, 'is not a key')), // it becomes a header
  appId: v.nullish(text),
  merchantId: v.nullish(text),
  terminals: v.nullish(list(text)),
  state: v.nullish(text),
  /** Where results are sent when a request does not say, and where everything is sent on to; null: nowhere. */
  notifyUrl: v.nullish(text),
  forwardTo: v.nullish(text),
  publicUrl: v.nullish(text),
  /** The preset that it was started with, and which of its settings were changed; null: none. */
  preset: v.nullish(text),
  /** How it runs: as a command in a window or in the background, for `tillbox exec`, or within another program. */
  runs: v.nullish(one(['foreground', 'background', 'exec', 'program'])),
  /** Its log; null: it has none. */
  logFile: v.nullish(text),
})
type ReadConnection = v.InferOutput<typeof connection>
type OptionalText = 'notifyUrl' | 'forwardTo' | 'publicUrl' | 'preset' | 'logFile'

/** What `connection` answers, and what `sandbox start --json` prints. */
export type Connection = {
  readonly [M in Exclude<keyof ReadConnection, OptionalText>]-?: NonNullable<ReadConnection[M]>
} & Readonly<Record<OptionalText, string | null>>

/** What `health` answers. */
export const health = shape({
  status: v.literal('ok', 'is not ok'),
  version: text,
  /** Of this start, as in `connection`. */
  id: text,
  pid: amount,
  uptimeMs: amount,
})
export type Health = v.InferOutput<typeof health>

/** What `state` answers. */
export const stateSummary = shape({
  merchants: amount,
  transactions: amount,
  byStatus: record(amount),
  openBatches: amount,
  /** Webhook deliveries by where they stand. */
  webhooks: shape({ pending: amount, delivered: amount, failed: amount }),
  /** Notifications that `--forward-to` has still to send on; null without it. */
  toForward: amountOrNull,
  memoryBytes: amount,
})
export type StateSummary = v.InferOutput<typeof stateSummary>

/** What `clock` answers. Times in ISO 8601. */
export const clockReading = shape({ now: text, wall: text, offsetMs: amount, frozen: whether })
export type ClockReading = v.InferOutput<typeof clockReading>

/** A terminal of what `terminals` answers: its settings, the screen it shows, who stands in line, what is queued. */
export const terminalView = shape({
  /** Null while it is not paired. */
  appId: textOrNull,
  merchantId: textOrNull,
  terminalSn: text,
  /** The code that pairs it, while it is not paired. */
  pairingCode: v.exactOptional(text),
  summary: text,
  /** Name that people gave it. */
  label: v.exactOptional(text),
  mode: one(['auto', 'attended']),
  online: whether,
  busy: v.exactOptional(one(['queue', 'reject'])),
  /** True for a terminal that is always busy. */
  occupied: v.exactOptional(whether),
  pace: v.exactOptional(amount),
  tipPercent: v.exactOptional(amount),
  /** Minor units up to which a tap is taken. */
  contactlessLimit: v.exactOptional(amount),
  card: v.exactOptional(text),
  outcome: v.exactOptional(text),
  /** True where the person at the terminal presses cancel. */
  cancels: v.exactOptional(whether),
  /** As on the terminal itself. */
  screen: screenName,
  /** How many of the line wait, counted as on the terminal itself. */
  waiting: amount,
  line: list(text),
  queue: outcomeQueue,
})
export type TerminalView = v.InferOutput<typeof terminalView>

/** What `terminals` answers. */
export const terminalList = shape({ terminals: list(terminalView) })
export type TerminalList = v.InferOutput<typeof terminalList>

/** What `remove-terminal` answers. */
export const removedTerminal = shape({ terminalSn: text, status: v.literal('removed', 'is not removed') })

/** What `outcomes` answers: what the host can be made to answer. `amount` in minor units, `delay` in milliseconds. */
export const outcomeList = shape({
  outcomes: list(
    shape({
      name: text,
      code: text,
      message: text,
      status: text,
      amount: v.exactOptional(amount),
      delay: v.exactOptional(amount),
    }),
  ),
})

export type OutcomeList = v.InferOutput<typeof outcomeList>

/** What `cards` answers: the test cards, with their numbers, which are not secret. */
export const cardList = shape({
  cards: list(
    shape({
      name: text,
      number: v.exactOptional(text),
      category: text,
      cardNetworkType: text,
      paymentMethod: text,
      subPaymentMethod: v.exactOptional(text),
      entryMode: textOrNull,
      authenticationMethod: text,
      outcome: v.exactOptional(text),
    }),
  ),
})

export type CardList = v.InferOutput<typeof cardList>

const status = one(['INITIAL', 'PROCESSING', 'SUCCESS', 'FAIL', 'CLOSED'])

const branchMembers = {
  transactionId: text,
  type: word<TransactionType>(),
  amount,
  currency: text,
  status,
  /** Code of the host's answer; null before it, and for what was closed. */
  resultCode: textOrNull,
  /** What may still be refunded, or captured; null where that cannot be. */
  leftToRefund: amountOrNull,
  leftToCapture: amountOrNull,
}

/** A transaction with those that act on it. Amounts in minor units. */
export interface TransactionTree extends v.InferOutput<ReturnType<typeof shape<typeof branchMembers>>> {
  readonly followUps: readonly TransactionTree[]
}

const transactionTree: v.GenericSchema<unknown, TransactionTree> = shape({
  ...branchMembers,
  followUps: list(v.lazy(() => transactionTree)),
})

/** An attempt to deliver a webhook. */
const deliveryAttempt = shape({
  /** Sandbox time; of a listener the notification's, and what passed on the wall clock since its first attempt. */
  at: moment,
  /** The same as `yyyy-MM-ddTHH:mm:ss` in the merchant's time zone. */
  time: text,
  status: amountOrNull,
  error: textOrNull,
  fault: textOrNull,
  durationMs: amount,
})
export type DeliveryAttempt = v.InferOutput<typeof deliveryAttempt>

/** A notification of a transaction to one address. Times in milliseconds of the sandbox clock. */
const transactionDelivery = shape({
  id: text,
  /** Name of a terminal event; null for a result. */
  event: v.nullable(word<TerminalEventName>()),
  url: text,
  /** True for a delivery of `tillbox listen`, whose next attempt goes by the wall clock. */
  listener: whether,
  state: deliveryStateSchema,
  at: moment,
  time: text,
  nextAt: v.nullable(moment),
  /** Since it was last sent again. */
  attempts: amount,
  /** Those before it was sent again, too; an older sandbox does not say. */
  totalAttempts: v.nullish(amount),
  last: lastResult,
  /** Every attempt; only when they are asked for. */
  tries: v.exactOptional(list(deliveryAttempt)),
})
export type TransactionDelivery = v.InferOutput<typeof transactionDelivery>

/** What `transaction` answers. Amounts in minor units. */
export const storySchema = shape({
  record: specRecordSchema,
  merchantId: text,
  status,
  screen: text,
  /** True for what no terminal takes part in, though one may be named. */
  inCloud: whether,
  /** Hosted page that it is paid on; null for all others. */
  sessionId: textOrNull,
  /** What it waits for, in words and as facts, and when it closes unpaid; null where it waits for nothing. */
  waitsFor: textOrNull,
  waiting: v.nullable(waiting),
  expiresAt: textOrNull,
  /** Outcome by name and the rule that decided it, once the host was asked. */
  outcome: textOrNull,
  rule: textOrNull,
  originalTransactionId: textOrNull,
  relatedTransactionStatus: v.nullable(word<RelatedStatus>()),
  transactionBatchStatus: word<BatchStatus>(),
  /** What an authorisation may capture in all. */
  authorisedAmount: v.exactOptional(amount),
  /** When an authorisation can be raised or captured no more, sandbox time; absent where it cannot be captured. */
  capturableUntil: v.exactOptional(text),
  refundedAmount: amount,
  /** Transactions that act on this one. */
  children: list(text),
  /** The transaction with what acts on it, as a tree. */
  tree: transactionTree,
  /** Notifications of it to the addresses that its request named. */
  deliveries: list(transactionDelivery),
  /** Zone of its times without offset, as in `timeline`. */
  timeZone: text,
  timeline: list(shape({ time: text, at: moment, what: text, detail: v.exactOptional(text) })),
})
export type Story = v.InferOutput<typeof storySchema>

/** Path of a hosted payment page. */
export const checkoutPath = (sessionId: string): string => `/checkout/${sessionId}`

/** What `session`, `pay-session` and `cancel-session` answer. */
export const sessionViewSchema = shape({
  sessionId: text,
  merchantId: text,
  state: one(sessionStates),
  transactionId: text,
  transactionRequestId: text,
  referenceOrderId: textOrNull,
  /** Minor units. */
  amount,
  currency: text,
  /** Page of the shopper, at the address by which the sandbox was asked. */
  checkoutUrl: text,
  /** Tries that were declined, and what the host said to the last one. */
  tries: amount,
  declined: v.nullable(shape({ code: text, message: text })),
  /** Times in ISO 8601 with offset. */
  createdAt: text,
  expiresAt: text,
})
export type SessionView = v.InferOutput<typeof sessionViewSchema>

/** What `sessions` answers, newest first. `more`: there are older ones that match. */
export const sessionList = shape({ sessions: list(sessionViewSchema), more: whether })
export type SessionList = v.InferOutput<typeof sessionList>
