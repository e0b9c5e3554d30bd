import * as v from 'valibot'
import {
  amount,
  amountOrNull,
  described,
  epochMs,
  list,
  named,
  one,
  record,
  shape,
  text,
  textOrNull,
  whether,
  word,
} from '../answer-kinds.ts'
import { followUpNames } from '../operations.ts'
import { specRecordSchema } from '../records.ts'
import { batchStatuses, relatedStatuses, sessionStates, statuses, transactionTypes } from '../statuses.ts'
import { outcomeQueue, screenName } from './screens.ts'
import { waiting } from './waiting.ts'
import { deliveryStateSchema, lastResult, terminalEvents } from './webhooks.ts'

/** An answer without required members. */
export const anything = shape({})

/** Answer of `stop`. */
export const stopAnswer = shape({ status: v.exactOptional(text) })

/** Answer of `reset`. */
export const resetAnswer = shape({
  status: v.exactOptional(text),
  kept: v.exactOptional(described(textOrNull, 'The snapshot before, if asked for; null: nothing was stored')),
})

export const connection = named(
  'Connection',
  'Answer of `connection`, and what `sandbox start --json` prints',
  {
    url: text,
    id: described(text, 'UUID of this start of the sandbox; its lock file has it, too'),
    port: amount,
    pid: amount,
    apiKey: v.pipe(text, v.regex(/^[\x21-\x7e]+$/, 'is not a key')), // it becomes a header
    appId: text,
    merchantId: text,
    terminals: list(text),
    state: described(text, 'Its state folder'),
    notifyUrl: described(textOrNull, 'URL for results whose requests name none; null: not set'),
    forwardTo: described(textOrNull, 'URL that every notification is forwarded to; null: not set'),
    publicUrl: described(textOrNull, 'Where a reverse proxy serves it to others; null: nowhere'),
    preset: described(
      textOrNull,
      'The preset of its start, and which of its settings were changed; null: none',
    ),
    runs: described(
      one(['foreground', 'background', 'exec', 'program']),
      'How it runs: as a command in a window or in the background, for `tillbox exec`, or within another program',
    ),
    logFile: described(textOrNull, 'Its log file; null: none'),
  },
)
export type Connection = v.InferOutput<typeof connection>

export const health = named('Health', 'Answer of `health`', {
  status: v.literal('ok', 'is not ok'),
  version: text,
  id: described(text, 'UUID of this start, as in `connection`'),
  pid: amount,
  uptimeMs: amount,
})
export type Health = v.InferOutput<typeof health>

export const stateSummary = named('StateSummary', 'Answer of `state`', {
  merchants: amount,
  transactions: amount,
  byStatus: record(amount),
  openBatches: amount,
  webhooks: described(shape({ pending: amount, delivered: amount, failed: amount }), 'Deliveries by state'),
  memoryBytes: amount,
})
export type StateSummary = v.InferOutput<typeof stateSummary>

export const clockReading = named('ClockReading', 'Answer of `clock`. Times in ISO 8601', {
  now: described(text, 'Sandbox time'),
  wall: described(text, 'Wall-clock time'),
  offsetMs: described(amount, 'How far the sandbox clock is ahead of the wall clock'),
  frozen: described(whether, 'True while the sandbox clock stands'),
  speed: described(amount, 'How many times as fast as the wall clock it runs while it is not frozen'),
})
export type ClockReading = v.InferOutput<typeof clockReading>

export const terminalView = named(
  'TerminalView',
  'A terminal as `terminals` lists it: its settings, screen, line of transactions and queued outcomes',
  {
    appId: described(textOrNull, 'Null while it is not paired'),
    merchantId: textOrNull,
    terminalSn: text,
    pairingCode: v.exactOptional(described(text, 'The code that pairs it, while it is not paired')),
    summary: text,
    label: v.exactOptional(described(text, 'Name that people gave it')),
    mode: one(['auto', 'attended']),
    online: whether,
    busy: v.exactOptional(
      described(one(['queue', 'reject']), 'What happens to a payment while another one runs'),
    ),
    occupied: v.exactOptional(described(whether, 'True for a terminal that is always busy')),
    pace: v.exactOptional(described(amount, 'How long each screen shows, in milliseconds')),
    tipPercent: v.exactOptional(described(amount, 'Tip that the cardholder chooses')),
    contactlessLimit: v.exactOptional(described(amount, 'Minor units up to which a tap is taken')),
    card: v.exactOptional(described(text, 'Card that is presented, by name')),
    outcome: v.exactOptional(text),
    cancels: v.exactOptional(described(whether, 'True if the person at the terminal presses cancel')),
    screen: described(screenName, 'The screen that the terminal shows'),
    waiting: described(amount, "How many transactions wait, as the terminal's screen counts them"),
    line: list(text),
    queue: outcomeQueue,
  },
)
export type TerminalView = v.InferOutput<typeof terminalView>

export const terminalList = named('TerminalList', 'Answer of `terminals`', { terminals: list(terminalView) })
export type TerminalList = v.InferOutput<typeof terminalList>

/** Answer of `remove-terminal`. */
export const removedTerminal = shape({ terminalSn: text, status: v.literal('removed', 'is not removed') })

export const outcomeList = named(
  'OutcomeList',
  'Answer of `outcomes`: the possible answers of the host. `amount` in minor units, `delay` in milliseconds',
  {
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
  },
)

export type OutcomeList = v.InferOutput<typeof outcomeList>

export const cardList = named(
  'CardList',
  'Answer of `cards`: the test cards, with their numbers, which are not secret',
  {
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
  },
)

export type CardList = v.InferOutput<typeof cardList>

const status = one(statuses)

const branchMembers = {
  transactionId: text,
  type: word(transactionTypes),
  amount,
  currency: text,
  status,
  resultCode: described(
    textOrNull,
    "Code of the host's answer; null before it, and for a closed transaction",
  ),
  leftToRefund: described(amountOrNull, 'What may still be refunded or captured; null if it cannot be'),
  leftToCapture: amountOrNull,
}

/** A transaction with its follow-ups. Amounts in minor units. */
export interface TransactionTree extends v.InferOutput<ReturnType<typeof shape<typeof branchMembers>>> {
  readonly followUps: readonly TransactionTree[]
}

const transactionTree: v.GenericSchema<unknown, TransactionTree> = named(
  'TransactionTree',
  'A transaction with its follow-ups. Amounts in minor units',
  { ...branchMembers, followUps: list(v.lazy(() => transactionTree)) },
)

const deliveryAttempt = named('DeliveryAttempt', 'An attempt to deliver a webhook', {
  at: described(
    epochMs,
    "Sandbox time; for a listener the notification's time plus the wall-clock time since its first attempt",
  ),
  time: described(text, "`at` as `yyyy-MM-ddTHH:mm:ss` in the merchant's time zone"),
  status: described(amountOrNull, 'HTTP status; null when no answer came'),
  error: described(textOrNull, 'Why there was no answer'),
  fault: textOrNull,
  durationMs: amount,
})

const transactionDelivery = named(
  'TransactionDelivery',
  'A notification of a transaction to one URL. Times in milliseconds of the sandbox clock',
  {
    id: text,
    event: described(v.nullable(word(terminalEvents)), 'Name of a terminal event; null for a result'),
    url: text,
    listener: described(whether, 'True for one of `tillbox listen`, which is due by the wall clock'),
    state: deliveryStateSchema,
    at: epochMs,
    time: text,
    nextAt: v.nullable(epochMs),
    attempts: described(amount, 'Attempts since it was last resent'),
    totalAttempts: described(amount, 'All attempts, those before a resend included'),
    last: lastResult,
    tries: v.exactOptional(
      described(list(deliveryAttempt), 'Every attempt; only if the request asks for them'),
    ),
  },
)
export type TransactionDelivery = v.InferOutput<typeof transactionDelivery>

export const storySchema = named('Story', 'Answer of `transaction`. Amounts in minor units', {
  record: specRecordSchema,
  merchantId: text,
  status,
  screen: text,
  inCloud: described(whether, 'True if no terminal takes part, even if one is named'),
  sessionId: described(textOrNull, 'Session of the hosted page that it is paid on; null without one'),
  waitsFor: described(textOrNull, 'What it waits for, in words; null if it waits for nothing'),
  waiting: v.nullable(waiting),
  expiresAt: textOrNull,
  outcome: described(textOrNull, 'Outcome by name and the rule that decided it, once the host was asked'),
  rule: textOrNull,
  originalTransactionId: textOrNull,
  relatedTransactionStatus: described(
    v.nullable(word(relatedStatuses)),
    'Status after refunds and a void; null without any',
  ),
  transactionBatchStatus: word(batchStatuses),
  authorisedAmount: v.exactOptional(described(amount, 'Total that can be captured of an authorisation')),
  allows: described(list(word(followUpNames)), 'Follow-ups that the rules allow now'),
  capturableUntil: v.exactOptional(
    described(
      text,
      'Until when an authorisation can be raised or captured, sandbox time; absent if it cannot be captured',
    ),
  ),
  expired: v.exactOptional(described(whether, 'True once that time has passed')),
  refundedAmount: amount,
  children: described(list(text), 'Follow-ups of the transaction'),
  tree: transactionTree,
  deliveries: described(list(transactionDelivery), 'Its notifications to the URLs that its request named'),
  timeZone: described(text, 'Zone of times without offset, as in `timeline`'),
  timeline: list(shape({ time: text, at: epochMs, what: text, detail: v.exactOptional(text) })),
})
export type Story = v.InferOutput<typeof storySchema>

/** What happened to a transaction, without what is possible next. */
export type PastStory = Omit<Story, 'allows' | 'expired'>

/** Path of a hosted payment page. */
export const checkoutPath = (sessionId: string): string => `/checkout/${sessionId}`

export const sessionViewSchema = named(
  'SessionView',
  'Answer of `session`, `pay-session` and `cancel-session`',
  {
    sessionId: text,
    merchantId: text,
    state: described(one(sessionStates), 'Whether it takes a payment, or how it ended'),
    transactionId: text,
    transactionRequestId: text,
    referenceOrderId: textOrNull,
    amount: described(amount, 'Minor units'),
    currency: text,
    checkoutUrl: described(text, "URL of the shopper's page, at the address by which the sandbox was called"),
    tries: described(amount, "Number of declined tries, and the host's answer to the last one"),
    declined: v.nullable(shape({ code: text, message: text })),
    createdAt: described(text, 'ISO 8601 with offset'),
    expiresAt: described(text, 'When it closes unpaid, ISO 8601 with offset'),
  },
)
export type SessionView = v.InferOutput<typeof sessionViewSchema>

export const sessionList = named(
  'SessionList',
  'Answer of `sessions`, newest first. `more`: there are older ones that match',
  { sessions: list(sessionViewSchema), more: whether },
)
export type SessionList = v.InferOutput<typeof sessionList>
