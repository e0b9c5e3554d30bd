import * as v from 'valibot'
import {
  amount,
  amountOrNull,
  described,
  epochMs,
  list,
  named,
  one,
  shape,
  text,
  textOrNull,
  whether,
} from '../answer-kinds.ts'

/**
 * Name of a terminal's screen: `idle`, `offline` and `result` between transactions, `pairing` while it
 * belongs to no merchant; the others while a transaction runs.
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

/** How long a terminal shows the result, unless the next transaction comes. Milliseconds, sandbox time. */
export const resultTime = 8_000

/** How a card is presented to a terminal: contactless, chip, magnetic stripe, typed, or as a code. */
export const cardEntries = ['tap', 'insert', 'swipe', 'key', 'scan'] as const
export type CardEntry = (typeof cardEntries)[number]

/** What a person can do at a terminal: the last part of the path of its control operation. */
const screenAction = one(['present', 'tip', 'pin', 'sign', 'cancel'])
export type ScreenAction = v.InferOutput<typeof screenAction>

const shownTransaction = named(
  'ShownTransaction',
  'A transaction as a terminal shows it. Amounts in minor units; times in milliseconds of the sandbox clock',
  {
    transactionId: text,
    type: text,
    status: text,
    currency: text,
    transactionAmount: amount,
    orderAmount: amount,
    tipAmount: amount,
    description: textOrNull,
    referenceOrderId: textOrNull,
    card: described(textOrNull, 'Network and masked number, once a card was presented'),
    resultCode: described(textOrNull, 'Result code of the host'),
    resultMsg: textOrNull,
    authCode: textOrNull,
    expiresAt: described(v.nullable(epochMs), 'When it closes unpaid'),
    completedAt: v.nullable(epochMs),
  },
)
export type ShownTransaction = v.InferOutput<typeof shownTransaction>

const cardChoice = named('CardChoice', 'A test card that can be presented', {
  name: text,
  network: text,
  maskedPan: textOrNull,
  entries: described(list(one(cardEntries)), "Entry modes, the card's own first"),
  outcome: described(textOrNull, 'Outcome by name, where the card decides it'),
})
export type CardChoice = v.InferOutput<typeof cardChoice>

/** Outcomes that are queued for the next transactions of a terminal. */
export const outcomeQueue = list(shape({ outcome: text, times: amount }))

const screenMembers = {
  terminalSn: text,
  label: v.exactOptional(described(text, 'Name that people gave the terminal')),
  merchantId: described(textOrNull, 'Null while it is not paired'),
  merchantName: textOrNull,
  mode: described(one(['auto', 'attended']), 'Whether it acts by itself, or waits for a person'),
  online: whether,
  screen: screenName,
  transaction: described(
    v.nullable(shownTransaction),
    'The running one, or on the screen `result` the one that has just ended',
  ),
  last: described(v.nullable(shownTransaction), 'The transaction that ended last, for its receipt'),
  waiting: described(
    amount,
    'Transactions behind the running one; while the terminal is offline, all in its line',
  ),
  queue: outcomeQueue,
  tips: described(list(shape({ label: text, tipAmount: amount })), 'Tips that the tip screen offers'),
  pinTriesLeft: described(amountOrNull, 'On the PIN screen: how many tries are left'),
  cards: described(list(cardChoice), 'Cards that can be presented now, by name, with their entry modes'),
  acts: described(list(screenAction), 'What a person can do now'),
  now: described(epochMs, 'Sandbox time of this view, in milliseconds'),
}

export const screenViewSchema = named(
  'ScreenView',
  'Answer of `screen`, and each event of `terminal-events`',
  {
    ...screenMembers,
    pairingCode: v.exactOptional(
      described(text, 'On the screen `pairing`: the code that pairs the terminal'),
    ),
  },
)
export type ScreenView = v.InferOutput<typeof screenViewSchema>

export const actAnswer = named('ActAnswer', 'Answer of an action at a terminal: the screen after it', {
  ...screenMembers,
  ended: described(v.nullable(shownTransaction), 'The transaction that this action ended'),
})
export type ActAnswer = v.InferOutput<typeof actAnswer>

const receiptLine = v.pipe(
  v.variant('kind', [
    v.object({ kind: one(['title', 'text', 'strong']), text }),
    v.object({ kind: one(['pair', 'total']), label: text, value: text }),
    v.object({ kind: one(['rule', 'space']) }),
  ]),
  v.title('ReceiptLine'),
  v.description('A line of a receipt; `rule` is a line across'),
)
export type ReceiptLine = v.InferOutput<typeof receiptLine>

export const receipt = named('Receipt', 'Answer of `receipt`: both copies, line by line', {
  transactionId: text,
  merchant: list(receiptLine),
  customer: list(receiptLine),
})
export type Receipt = v.InferOutput<typeof receipt>
