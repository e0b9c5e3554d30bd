import * as v from 'valibot'
import type { SpecRecord } from '../records.ts'
import type { BatchStatus, RelatedStatus } from '../statuses.ts'
import type {
  AttemptView,
  DeliveryList,
  Resent,
  StreamedNotification,
  TerminalEventName,
  WebhookFaults,
  WebhookStory,
} from '../webhooks.ts'
import type {
  ClockReading,
  Health,
  SessionView,
  StateSummary,
  Story,
  TerminalList,
  TerminalView,
} from './answers.ts'
import type { AnsweredControl } from './controls.ts'
import type { Receipt } from './receipts.ts'
import type { Branch, ToldDelivery } from './remaining.ts'
import type { RequestList, RequestStory, RequestSummary } from './request-log.ts'
import type { ActAnswer, ScreenView } from './screens.ts'

/**
 * The shapes of what the control interface answers. It is our own, so that an answer of another shape is none of a
 * sandbox: what fits can be shown without another look. Unknown members are let pass. assumption: answer-shapes
 */

/** A schema whose values are of the type: the compiler compares them. */
type ShapeOf<T> = v.GenericSchema<unknown, T>

const text = v.string('is not text')
const whether = v.boolean('is not true or false')
const amount = v.pipe(v.number('is not a number'), v.finite('is not a number'))
/** Milliseconds that a Date can hold. */
const moment = v.pipe(amount, v.minValue(-8.64e15, 'is no time'), v.maxValue(8.64e15, 'is no time'))
const list = <T extends v.GenericSchema>(item: T) => v.array(item, 'is not a list')
const textOrNull = v.nullable(text)
const namedTexts = v.record(v.string(), text, 'is not an object')
/** A word that is only shown: one that we do not know is shown as it is. */
const word = <T>() => v.custom<T>((value) => typeof value === 'string', 'is not text')
const one = <const T extends readonly string[]>(words: T) =>
  v.picklist(words, `is none of ${words.join(', ')}`)

const screenName = one([
  'idle',
  'offline',
  'present-card',
  'insert-card',
  'tip',
  'pin',
  'processing',
  'signature',
  'result',
])
const queue = list(v.looseObject({ outcome: text, times: amount }))

/** An older sandbox may leave some out; a command wants its key. */
const connection = v.looseObject({
  url: v.nullish(text),
  id: v.nullish(text),
  port: v.nullish(amount),
  pid: v.nullish(amount),
  apiKey: v.pipe(text, v.regex(/^[\x21-\x7e]+$/, 'is no key')), // it becomes a header
  appId: v.nullish(text),
  merchantId: v.nullish(text),
  terminals: v.nullish(list(text)),
  state: v.nullish(text),
  notifyUrl: v.nullish(text),
  forwardTo: v.nullish(text),
})

const health: ShapeOf<Health> = v.looseObject({
  status: v.literal('ok', 'is not ok'),
  version: text,
  id: text,
  pid: amount,
  uptimeMs: amount,
})

const state: ShapeOf<StateSummary> = v.looseObject({
  merchants: amount,
  transactions: amount,
  byStatus: v.record(v.string(), amount, 'is not an object'),
  openBatches: amount,
  webhooks: v.looseObject({ pending: amount, delivered: amount, failed: amount }),
  toForward: v.nullable(amount),
  memoryBytes: amount,
})

const clock: ShapeOf<ClockReading> = v.looseObject({
  now: text,
  wall: text,
  offsetMs: amount,
  frozen: whether,
})

const terminal: ShapeOf<TerminalView> = v.looseObject({
  appId: text,
  merchantId: text,
  terminalSn: text,
  summary: text,
  mode: one(['auto', 'attended']),
  online: whether,
  busy: v.exactOptional(one(['queue', 'reject'])),
  pace: v.exactOptional(amount),
  tipPercent: v.exactOptional(amount),
  contactlessLimit: v.exactOptional(amount),
  card: v.exactOptional(text),
  outcome: v.exactOptional(text),
  screen: screenName,
  waiting: amount,
  line: list(text),
  queue,
})
const terminals: ShapeOf<TerminalList> = v.looseObject({ terminals: list(terminal) })

const shownTransaction = v.looseObject({
  transactionId: text,
  type: text,
  status: text,
  currency: text,
  transactionAmount: amount,
  orderAmount: amount,
  tipAmount: amount,
  description: textOrNull,
  referenceOrderId: textOrNull,
  card: textOrNull,
  resultCode: textOrNull,
  resultMsg: textOrNull,
  authCode: textOrNull,
  expiresAt: v.nullable(moment),
  completedAt: v.nullable(moment),
})
const card = v.looseObject({
  name: text,
  network: text,
  maskedPan: textOrNull,
  entries: list(one(['tap', 'insert', 'swipe', 'key', 'scan'])),
  outcome: textOrNull,
})
const screenMembers = {
  terminalSn: text,
  merchantId: text,
  merchantName: text,
  mode: one(['auto', 'attended']),
  online: whether,
  screen: screenName,
  transaction: v.nullable(shownTransaction),
  last: v.nullable(shownTransaction),
  waiting: amount,
  queue,
  tips: list(v.looseObject({ label: text, tipAmount: amount })),
  pinTriesLeft: v.nullable(amount),
  cards: list(card),
  acts: list(one(['present', 'tip', 'pin', 'sign', 'cancel'])),
  now: moment,
}
/** An event of `terminal-events`. */
export const screenShape: ShapeOf<ScreenView> = v.looseObject(screenMembers)
const act: ShapeOf<ActAnswer> = v.looseObject({ ...screenMembers, ended: v.nullable(shownTransaction) })

const receiptLine = v.variant('kind', [
  v.looseObject({ kind: one(['title', 'text', 'strong']), text }),
  v.looseObject({ kind: one(['pair', 'total']), label: text, value: text }),
  v.looseObject({ kind: one(['rule', 'space']) }),
])
const receipt: ShapeOf<Receipt> = v.looseObject({
  transactionId: text,
  merchant: list(receiptLine),
  customer: list(receiptLine),
})

const record: ShapeOf<SpecRecord> = v.looseObject({
  transactionId: text,
  transactionRequestId: text,
  transactionStatus: word<SpecRecord['transactionStatus']>(),
  transactionType: word<SpecRecord['transactionType']>(),
  createTime: text,
  referenceOrderId: textOrNull,
  completeTime: textOrNull,
  priceCurrency: text,
  orderAmount: amount,
  transactionAmount: amount,
  taxAmount: amount,
  surchargeAmount: amount,
  tipAmount: amount,
  cashbackAmount: amount,
  maskedPan: textOrNull,
  cardNetworkType: textOrNull,
  paymentMethod: textOrNull,
  subPaymentMethod: textOrNull,
  batchNo: v.nullable(amount),
  voucherNo: text,
  stan: text,
  rrn: text,
  authCode: textOrNull,
  entryMode: textOrNull,
  authenticationMethod: textOrNull,
  transactionResultCode: textOrNull,
  transactionResultMsg: textOrNull,
  terminalSn: textOrNull,
  description: textOrNull,
  attach: textOrNull,
})
const status = one(['INITIAL', 'PROCESSING', 'SUCCESS', 'FAIL', 'CLOSED'])
const branch: ShapeOf<Branch> = v.looseObject({
  transactionId: text,
  type: word<Branch['type']>(),
  amount,
  currency: text,
  status,
  resultCode: textOrNull,
  leftToRefund: v.nullable(amount),
  leftToCapture: v.nullable(amount),
  followUps: list(v.lazy((): ShapeOf<Branch> => branch)),
})
const deliveryState = one(['pending', 'delivered', 'failed'])
const lastTry = v.nullable(v.union([amount, text], 'is neither text nor a number'))
const toldDelivery: ShapeOf<ToldDelivery> = v.looseObject({
  id: text,
  event: v.nullable(word<TerminalEventName>()),
  url: text,
  state: deliveryState,
  at: moment,
  time: text,
  nextAt: v.nullable(moment),
  attempts: amount,
  last: lastTry,
  tries: v.exactOptional(
    list(
      v.looseObject({
        at: moment,
        time: text,
        status: v.nullable(amount),
        error: textOrNull,
        fault: textOrNull,
        durationMs: amount,
      }),
    ),
  ),
})
const transaction: ShapeOf<Story> = v.looseObject({
  record,
  merchantId: text,
  status,
  screen: text,
  inCloud: whether,
  sessionId: textOrNull,
  waitsFor: textOrNull,
  expiresAt: textOrNull,
  outcome: textOrNull,
  rule: textOrNull,
  originalTransactionId: textOrNull,
  relatedTransactionStatus: v.nullable(word<RelatedStatus>()),
  transactionBatchStatus: word<BatchStatus>(),
  authorisedAmount: v.exactOptional(amount),
  refundedAmount: amount,
  children: list(text),
  tree: branch,
  deliveries: list(toldDelivery),
  timeline: list(v.looseObject({ time: text, at: moment, what: text, detail: v.exactOptional(text) })),
})

const session: ShapeOf<SessionView> = v.looseObject({
  sessionId: text,
  merchantId: text,
  state: one(['open', 'processing', 'paid', 'failed', 'expired', 'cancelled']),
  transactionId: text,
  transactionRequestId: text,
  tries: amount,
  declined: v.nullable(v.looseObject({ code: text, message: text })),
  expiresAt: text,
})

const deliveryMembers = {
  id: text,
  kind: word<'payment' | 'terminal'>(),
  event: v.nullable(word<TerminalEventName>()),
  merchantId: text,
  transactionId: text,
  transactionStatus: word<StreamedNotification['transactionStatus']>(),
  url: text,
  state: deliveryState,
  attempts: amount,
  last: lastTry,
  fault: textOrNull,
  createdAt: text,
  nextAt: textOrNull,
}
const webhooks: ShapeOf<DeliveryList> = v.looseObject({ deliveries: list(v.looseObject(deliveryMembers)) })
const attempt: ShapeOf<AttemptView> = v.looseObject({
  at: text,
  url: text,
  requestHeaders: namedTexts,
  requestBody: text,
  status: v.nullable(amount),
  responseHeaders: namedTexts,
  responseBody: text,
  durationMs: amount,
  error: textOrNull,
  fault: textOrNull,
})
const webhook: ShapeOf<WebhookStory> = v.looseObject({
  deliveries: list(v.looseObject({ ...deliveryMembers, tries: list(attempt) })),
})
const resent: ShapeOf<Resent> = v.looseObject({ resent: list(text) })
const secret = v.looseObject({
  secret: text,
  previous: v.nullish(v.looseObject({ secret: text })),
  signature: v.nullish(one(['hmac', 'standard', 'none'])),
  signatureEncoding: v.nullish(one(['hex', 'base64'])),
})
const faults: ShapeOf<WebhookFaults> = v.looseObject({
  duplicate: amount,
  drop: amount,
  badSignature: amount,
  stale: amount,
  delayMs: v.nullable(v.tuple([amount, amount], 'is no pair of numbers')),
  reorder: amount,
  seed: amount,
})
/** An event of `events`. */
export const notificationShape: ShapeOf<StreamedNotification> = v.looseObject({
  id: text,
  kind: word<StreamedNotification['kind']>(),
  event: v.nullable(word<TerminalEventName>()),
  merchantId: text,
  transactionId: text,
  transactionStatus: word<StreamedNotification['transactionStatus']>(),
  terminalSn: textOrNull,
  headers: namedTexts,
  body: text,
})

const requestMembers = {
  at: moment,
  method: text,
  path: text,
  operation: textOrNull,
  status: amount,
  code: text,
  traceId: text,
  durationMs: amount,
  transactionId: textOrNull,
  refusal: v.nullable(v.looseObject({ message: text, field: textOrNull, detail: textOrNull, remedy: text })),
  notes: list(text),
}
/** An event of `request-events`. */
export const requestShape: ShapeOf<RequestSummary> = v.looseObject(requestMembers)
const requests: ShapeOf<RequestList> = v.looseObject({ requests: list(v.looseObject(requestMembers)) })
const message = v.looseObject({ headers: list(v.tuple([text, text])), body: text, cut: whether })
const request: ShapeOf<RequestStory> = v.looseObject({
  ...requestMembers,
  url: text,
  request: message,
  answer: message,
  curl: textOrNull,
  command: textOrNull,
})

const anything = v.looseObject({})

/** The shape of each answer of the control interface. */
export const controlShapes = {
  health,
  connection,
  state,
  outcomes: anything,
  terminals,
  'add-terminal': terminal,
  'set-terminal': terminal,
  'queue-outcome': terminal,
  screen: screenShape,
  'present-card': act,
  'choose-tip': act,
  'enter-pin': act,
  sign: act,
  'cancel-at-terminal': act,
  receipt,
  transaction,
  session,
  'pay-session': session,
  'cancel-session': session,
  webhooks,
  webhook,
  'resend-webhooks': resent,
  'send-webhook': attempt,
  'webhook-secret': secret,
  'rotate-webhook-secret': secret,
  'webhook-faults': faults,
  'set-webhook-faults': faults,
  requests,
  request,
  clock,
  'set-clock': clock,
  'allow-list': anything,
  'set-allow-list': anything,
  'regenerate-key': anything,
  reset: anything,
} as const satisfies Record<AnsweredControl, v.GenericSchema>
