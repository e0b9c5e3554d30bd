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
import type { FollowUpName } from '../operations.ts'
import { specRecordSchema } from '../records.ts'
import {
  type BatchStatus,
  type RelatedStatus,
  sessionStates,
  statuses,
  type TransactionType,
} from '../statuses.ts'
import { outcomeQueue, screenName } from './screens.ts'
import { waiting } from './waiting.ts'
import { deliveryStateSchema, lastResult, type TerminalEventName } from './webhooks.ts'

/** An answer without required members. */
export const anything = shape({})

/** Answer of `stop`. */
export const stopAnswer = shape({ status: v.exactOptional(text) })

/** Answer of `reset`. */
export const resetAnswer = shape({
  status: v.exactOptional(text),
  /** The snapshot of the state before, if the request asked for it; null: nothing was stored. */
  kept: v.exactOptional(textOrNull),
})

/** Answer of `connection`, and what `sandbox start --json` prints. */
export const connection = shape({
  url: text,
  /** UUID of this start of the sandbox; its lock file has it, too. */
  id: text,
  port: amount,
  pid: amount,
  apiKey: v.pipe(text, v.regex(/^[\x21-\x7e]+$/, 'is not a key')), // it becomes a header
  appId: text,
  merchantId: text,
  terminals: list(text),
  /** Its state folder. */
  state: text,
  /** URL for the results of requests that name none; null: none. */
  notifyUrl: textOrNull,
  /** URL that every notification is forwarded to; null: none. */
  forwardTo: textOrNull,
  /** Where a reverse proxy serves it to others; null: nowhere. */
  publicUrl: textOrNull,
  /** The preset that it was started with, and which of its settings were changed; null: none. */
  preset: textOrNull,
  /** How it runs: as a command in a window or in the background, for `tillbox exec`, or within another program. */
  runs: one(['foreground', 'background', 'exec', 'program']),
  /** Its log file; null: none. */
  logFile: textOrNull,
})
export type Connection = v.InferOutput<typeof connection>

/** Answer of `health`. */
export const health = shape({
  status: v.literal('ok', 'is not ok'),
  version: text,
  /** UUID of this start, as in `connection`. */
  id: text,
  pid: amount,
  uptimeMs: amount,
})
export type Health = v.InferOutput<typeof health>

/** Answer of `state`. */
export const stateSummary = shape({
  merchants: amount,
  transactions: amount,
  byStatus: record(amount),
  openBatches: amount,
  /** Webhook deliveries by state. */
  webhooks: shape({ pending: amount, delivered: amount, failed: amount }),
  memoryBytes: amount,
})
export type StateSummary = v.InferOutput<typeof stateSummary>

/** Answer of `clock`. Times in ISO 8601. */
export const clockReading = shape({
  /** Sandbox time. */
  now: text,
  /** Wall-clock time. */
  wall: text,
  /** How far the sandbox clock is ahead of the wall clock. */
  offsetMs: amount,
  /** True while the sandbox clock stands. */
  frozen: whether,
  /** How many times as fast as the wall clock it runs while it is not frozen. */
  speed: amount,
})
export type ClockReading = v.InferOutput<typeof clockReading>

/** A terminal as `terminals` lists it: its settings, screen, line of transactions and queued outcomes. */
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
  /** What happens to a payment while another one runs. */
  busy: v.exactOptional(one(['queue', 'reject'])),
  /** True for a terminal that is always busy. */
  occupied: v.exactOptional(whether),
  /** How long each screen shows, in milliseconds. */
  pace: v.exactOptional(amount),
  /** Tip that the cardholder chooses. */
  tipPercent: v.exactOptional(amount),
  /** Minor units up to which a tap is taken. */
  contactlessLimit: v.exactOptional(amount),
  /** Card that is presented, by name. */
  card: v.exactOptional(text),
  outcome: v.exactOptional(text),
  /** True if the person at the terminal presses cancel. */
  cancels: v.exactOptional(whether),
  /** The screen that the terminal shows. */
  screen: screenName,
  /** How many transactions of the line wait, as the terminal's screen counts them. */
  waiting: amount,
  line: list(text),
  queue: outcomeQueue,
})
export type TerminalView = v.InferOutput<typeof terminalView>

/** Answer of `terminals`. */
export const terminalList = shape({ terminals: list(terminalView) })
export type TerminalList = v.InferOutput<typeof terminalList>

/** Answer of `remove-terminal`. */
export const removedTerminal = shape({ terminalSn: text, status: v.literal('removed', 'is not removed') })

/** Answer of `outcomes`: the possible answers of the host. `amount` in minor units, `delay` in milliseconds. */
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

/** Answer of `cards`: the test cards, with their numbers, which are not secret. */
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

const status = one(statuses)

const branchMembers = {
  transactionId: text,
  type: word<TransactionType>(),
  amount,
  currency: text,
  status,
  /** Code of the host's answer; null before that, and for a closed transaction. */
  resultCode: textOrNull,
  /** What may still be refunded or captured; null if it cannot be. */
  leftToRefund: amountOrNull,
  leftToCapture: amountOrNull,
}

/** A transaction with its follow-ups. Amounts in minor units. */
export interface TransactionTree extends v.InferOutput<ReturnType<typeof shape<typeof branchMembers>>> {
  readonly followUps: readonly TransactionTree[]
}

const transactionTree: v.GenericSchema<unknown, TransactionTree> = shape({
  ...branchMembers,
  followUps: list(v.lazy(() => transactionTree)),
})

/** An attempt to deliver a webhook. */
const deliveryAttempt = shape({
  /** Sandbox time; for a listener the notification's time plus the wall-clock time since its first attempt. */
  at: moment,
  /** `at` as `yyyy-MM-ddTHH:mm:ss` in the merchant's time zone. */
  time: text,
  /** HTTP status; null when no answer came. */
  status: amountOrNull,
  /** Why there was no answer. */
  error: textOrNull,
  fault: textOrNull,
  durationMs: amount,
})
export type DeliveryAttempt = v.InferOutput<typeof deliveryAttempt>

/** A notification of a transaction to one URL. Times in milliseconds of the sandbox clock. */
const transactionDelivery = shape({
  id: text,
  /** Name of a terminal event; null for a result. */
  event: v.nullable(word<TerminalEventName>()),
  url: text,
  /** True for a delivery of `tillbox listen`, whose next attempt is due by the wall clock. */
  listener: whether,
  state: deliveryStateSchema,
  at: moment,
  time: text,
  nextAt: v.nullable(moment),
  /** Attempts since it was last resent. */
  attempts: amount,
  /** All attempts, those before a resend included. */
  totalAttempts: amount,
  last: lastResult,
  /** Every attempt; only if the request asks for them. */
  tries: v.exactOptional(list(deliveryAttempt)),
})
export type TransactionDelivery = v.InferOutput<typeof transactionDelivery>

/** Answer of `transaction`. Amounts in minor units. */
export const storySchema = shape({
  record: specRecordSchema,
  merchantId: text,
  status,
  screen: text,
  /** True if no terminal takes part, even if one is named. */
  inCloud: whether,
  /** Session of the hosted page that it is paid on; null without one. */
  sessionId: textOrNull,
  /** What it waits for, in words and as data, and when it closes unpaid; null if it waits for nothing. */
  waitsFor: textOrNull,
  waiting: v.nullable(waiting),
  expiresAt: textOrNull,
  /** Outcome by name and the rule that decided it, once the host was asked. */
  outcome: textOrNull,
  rule: textOrNull,
  originalTransactionId: textOrNull,
  /** Status after refunds and a void; null without any. */
  relatedTransactionStatus: v.nullable(word<RelatedStatus>()),
  transactionBatchStatus: word<BatchStatus>(),
  /** Total that can be captured of an authorisation. */
  authorisedAmount: v.exactOptional(amount),
  /** Follow-ups that the rules allow now. */
  allows: list(word<FollowUpName>()),
  /** Until when an authorisation can be raised or captured, sandbox time; absent if it cannot be captured. */
  capturableUntil: v.exactOptional(text),
  refundedAmount: amount,
  /** Follow-ups of the transaction. */
  children: list(text),
  /** The transaction and its follow-ups as a tree. */
  tree: transactionTree,
  /** Its notifications to the URLs that its request named. */
  deliveries: list(transactionDelivery),
  /** Zone of times without offset, as in `timeline`. */
  timeZone: text,
  timeline: list(shape({ time: text, at: moment, what: text, detail: v.exactOptional(text) })),
})
export type Story = v.InferOutput<typeof storySchema>

/** What happened to a transaction, without what is possible next. */
export type PastStory = Omit<Story, 'allows'>

/** Path of a hosted payment page. */
export const checkoutPath = (sessionId: string): string => `/checkout/${sessionId}`

/** Answer of `session`, `pay-session` and `cancel-session`. */
export const sessionViewSchema = shape({
  sessionId: text,
  merchantId: text,
  /** Whether it takes a payment, or how it ended. */
  state: one(sessionStates),
  transactionId: text,
  transactionRequestId: text,
  referenceOrderId: textOrNull,
  /** Minor units. */
  amount,
  currency: text,
  /** URL of the shopper's page, at the address by which the sandbox was called. */
  checkoutUrl: text,
  /** Number of declined tries, and the host's answer to the last one. */
  tries: amount,
  declined: v.nullable(shape({ code: text, message: text })),
  /** ISO 8601 with offset. */
  createdAt: text,
  /** When it closes unpaid, ISO 8601 with offset. */
  expiresAt: text,
})
export type SessionView = v.InferOutput<typeof sessionViewSchema>

/** Answer of `sessions`, newest first. `more`: there are older ones that match. */
export const sessionList = shape({ sessions: list(sessionViewSchema), more: whether })
export type SessionList = v.InferOutput<typeof sessionList>
