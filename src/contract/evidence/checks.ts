import type { ErrorCode } from '../errors.ts'
import { fields as requestFields } from '../fields.ts'
import { isLookUp, type OperationName, operations } from '../operations.ts'
import { claims as allClaims, type ClaimName, claimsAbout } from './evidence.ts'

/** The checks of requests, in the order in which they are made. assumption: order-of-handling */
export interface Check {
  /** What holds when it passes. */
  readonly what: string
  /** Its refusals. A pattern of the log's note tells them from those of other checks with the same code. */
  readonly refuses: Readonly<Partial<Record<ErrorCode, RegExp | true>>>
  /** Its claims beside those about its errors. */
  readonly claims: readonly ClaimName[]
}

const check = (what: string, refuses: Check['refuses'], ...claims: readonly ClaimName[]): Check => ({
  what,
  refuses,
  claims,
})

/** Codes with which checks refuse that have nothing in common. */
const shared = ['C17', 'SBX_MEDIA_TYPE']

/** What a check rests on in these operations, as far as it refuses with these codes. */
export function claimsOf(
  { refuses, claims }: Check,
  names: readonly OperationName[],
  codes = Object.keys(refuses),
): readonly ClaimName[] {
  // A code of several checks says little: they have claims of their own.
  const ofCodes = codes
    .filter((code) => !shared.includes(code))
    .flatMap((code) => claimsAbout('errors', code))
  return [...new Set([...claims, ...ofCodes])].filter((claim) => isAbout(claim, names))
}

/** True for a claim about one of these operations. */
export const isAbout = (claim: ClaimName, names: readonly OperationName[]): boolean =>
  allClaims[claim].of?.some((name) => names.includes(name)) ?? true

/** Of what clients send before the body. A request of a page passes without them. */
const headerChecks = {
  host: check('Host names the sandbox', { SBX_HOST: true }),
  length: check('Content-Length is at most 1 MiB', { SBX_TOO_LARGE: /, of / }),
  authorization: check('Authorization has a key', { SBX_AUTH_MISSING: true, SBX_AUTH_FORMAT: true }),
  key: check('The key is valid', { SBX_KEY_UNKNOWN: true, SBX_KEY_ENV: true, SBX_KEY_EXPIRED: true }),
  address: check('The caller is on the allow-list', { SBX_IP_BLOCKED: true }),
  timestamp: check(
    'X-Timestamp is milliseconds of now',
    { SBX_TIME_MISSING: true, SBX_TIME_FORMAT: true, SBX_TIME_SKEW: true },
    'wall-clock',
  ),
  requestId: check('X-Client-Request-Id has its form', { SBX_REQ_ID_NONE: true, SBX_REQ_ID_FORM: true }),
  sandboxHeaders: check('X-Sandbox headers that are read name what exists', {
    SBX_OUTCOME: true,
    SBX_FAULT: true,
  }),
  contentType: check(
    'Content-Type fits the body',
    {
      SBX_MEDIA_TYPE: true,
      C17: /^Content-Type/,
    },
    'header-content-type',
    'header-forms',
  ),
}

const bodyChecks = {
  encoding: check('The body is not compressed', { SBX_MEDIA_TYPE: /^Content-Encoding/ }, 'body-limit'),
  body: check('The body is whole', { SBX_TOO_LARGE: true, SBX_CLIENT_LEFT: true }),
  json: check('The body is a JSON object', { SBX_BAD_JSON: true }),
}

const memberChecks = {
  cardData: check('It holds no card data', { SBX_CARD_DATA: true }),
  fields: check('Each field has its form', { C17: true }, 'field-limits', 'field-reading'),
  receiver: check('Its URLs lead elsewhere', { C17: /: cannot be called/ }, 'webhook-targets'),
  fault: check('No fault answers in its place', { SBX_INJECTED: true }),
  repeated: check('X-Client-Request-Id is new', {
    SBX_DUP_REQUEST: true,
    SBX_DUP_OTHER: /^X-Client-Request-Id/,
  }),
  parties: check(
    'Application and merchant belong to the key',
    {
      SBX_OTHER_OWNER: /^(appId|merchantId)/,
      SBX_UNREGISTERED: /^(Application|Merchant) /,
      C17: /no merchant yet|each have a transaction/,
    },
    'parties',
  ),
  reused: check('transactionRequestId is new', { SBX_DUP_TXN_ID: true, SBX_DUP_OTHER: true }),
  terminal: check('The terminal belongs to the merchant', { SBX_OTHER_OWNER: true, SBX_UNREGISTERED: true }),
}

const stored = check('The request is stored', { SBX_STORE_FAIL: true })

const wrongAmounts =
  /equal the sum|1 minor unit|must sum to at most|inside amount|differs from|or totalAmount|^priceCurrency: is required/

/** Checks by the rules of operations. */
const ruleChecks = {
  amounts: check('The amounts add up', { C17: wrongAmounts }, 'amount-shapes', 'field-limits'),
  noCashback: check('No cashback is asked for', { C17: /^cashbackAmount: must not/ }, 'authorisations'),
  noCashOnline: check('No cashback is asked for', { C17: /^cashbackAmount: must not/ }, 'amount-shapes'),
  products: check('The products add up to the amount', { C17: /^productList: must sum/ }, 'checkout'),
  oneTip: check('It does not both set and ask for a tip', { C17: /with tipAmount/ }, 'terminal-screens'),
  idIsNotOrder: check('transactionRequestId is not the order', { C17: /equal referenceOrderId/ }, 'ids-4'),
  currencyTaken: check('The merchant takes the currency', { SBX_NO_CURRENCY: true }),
  terminalThere: check('The merchant has a terminal', { C17: /has no terminal yet/ }, 'parties'),
  terminalFree: check('The terminal takes the payment', { SBX_TERM_BUSY: true }),
  expiry: check('timeExpire is 3 minutes to 1 day ahead', { C17: /3 minutes to 1 day/ }, 'abort-and-expiry'),
  original: check(
    'The original exists',
    { SBX_TXN_UNKNOWN: true, C17: /, or originalTransactionRequestId/ },
    'ids-2',
  ),
  inPerson: check(
    'The original was paid in person',
    { SBX_WRONG_TYPE: /is an online payment/ },
    'online-originals',
  ),
  online: check('The original was paid online', { SBX_WRONG_TYPE: /in person/ }, 'online-originals'),
  type: check('The operation acts on its type', { SBX_WRONG_TYPE: true }),
  success: check(
    'The original is SUCCESS, not voided',
    { SBX_NOT_ALLOWED: /not SUCCESS|voided/ },
    'operations',
    'voids',
  ),
  somethingLeft: check('Something is left to refund', {
    SBX_REFUNDED: true,
    SBX_OVER_REFUND: /^originalTransactionId/,
  }),
  currency: check("The currency is the original's", { SBX_CURRENCY: true }),
  withinRest: check('At most what is left of each part is refunded', { SBX_OVER_REFUND: true }),
  period: check('The payment is at most 180 days old', { SBX_REFUND_LATE: true }),
  balance: check('The balance of the merchant covers it', { SBX_NO_BALANCE: true }),
  noOrder: check('It names no order', { C17: /^referenceOrderId: must not be sent for/ }, 'ids-2'),
  orderNamed: check(
    'It names an order',
    { C17: /, or referenceOrderId/ },
    'ids-1',
    'refund-without-reference',
  ),
  unlinked: check('No payment has its order', { C17: /is not linked/ }, 'refund-without-reference'),
  onTerminal: check('It runs on a terminal', { C17: /^pushToTerminal: must/ }, 'refund-without-reference'),
  uncaptured: check('It was not captured', { SBX_NOT_ALLOWED: /captured/ }, 'authorisations', 'voids'),
  authValid: check('The authorisation is valid', { SBX_AUTH_EXPIRED: true }),
  notRaised: check('No increment is in flight', { SBX_NOT_ALLOWED: /raised/ }, 'authorisations', 'voids'),
  authTotal: check('The authorised total fits', { C17: /authorised total must be/ }, 'field-limits'),
  captureAmount: check('The capture has an order amount', { C17: /of a capture/ }, 'capture-limits'),
  withinAuth: check('The capture is within its limits', { SBX_OVER_CAPTURE: true }),
  unrefunded: check('It was not refunded', { SBX_NOT_ALLOWED: /refunded/ }, 'voids', 'tip-adjust'),
  sameDay: check('It is of the same day', { SBX_VOID_LATE: true }),
  openBatch: check('Its batch is open', { SBX_BATCH_CLOSED: true }),
  sameTerminal: check("The terminal is the original's", { C17: /is on terminal/ }, 'parties'),
  unpaid: check('It is not paid yet', { SBX_NOT_ALLOWED: /an unpaid one/ }, 'abort-and-expiry'),
  tip: check(
    'The tip is within its limits',
    { SBX_OVER_CAPTURE: true, C17: /^tipAmount: must be .*(for transaction|here)/ },
    'tip-adjust',
  ),
  wallet: check(
    'The payload is of the wallet',
    {
      SBX_WALLET: true,
      C17: /^cardEncryptedData: (is not in|must be a JSON)/,
    },
    'wallets',
  ),
  session: check(
    'The session exists',
    { SBX_SESSION_NONE: true, C17: /^sessionId: is required, or/ },
    'checkout',
  ),
  sessionOpen: check('The session is open', { SBX_SESSION_OVER: true, SBX_SESSION_BUSY: true }),
  noSettlementFault: check('No fault fails the settlement', { SBX_SETTLE_FAIL: true }),
  batches: check('A batch is open', { SBX_BATCH_EMPTY: true }),
  named: check(
    'The transaction exists',
    { SBX_TXN_UNKNOWN: true, C17: /, or transactionRequestId/ },
    'query-by-id',
  ),
  closeTimes: check(
    'The period is whole',
    { C17: /required together|not be before|most 30 days/ },
    'close-list',
  ),
  page: check('The next page exists', { C17: /must be the nextToken/ }, 'merchant-records'),
}
export type RuleCheck = keyof typeof ruleChecks

/** How a transaction is opened, at the end of the rules of each operation that opens one. */
const opening = ['idIsNotOrder', 'currencyTaken', 'terminalThere', 'terminalFree', 'expiry'] as const
const openingFollowUp = ['idIsNotOrder', 'terminalThere', 'terminalFree'] as const
const openAuth = ['original', 'inPerson', 'type', 'success', 'uncaptured', 'authValid'] as const
const refunding = [
  'success',
  'somethingLeft',
  'amounts',
  'currency',
  'withinRest',
  'period',
  'balance',
] as const
const openingOnline = ['amounts', 'noCashOnline', 'products', 'idIsNotOrder', 'currencyTaken'] as const

/** The rules of each operation in their order. A refund without reference has rules of its own. */
export const ruleOrder: Readonly<Record<OperationName | 'free-refund', readonly RuleCheck[]>> = {
  sale: ['amounts', 'oneTip', ...opening],
  auth: ['amounts', 'noCashback', ...opening],
  'forced-auth': ['amounts', ...opening],
  'incremental-auth': [...openAuth, 'amounts', 'currency', 'noCashback', 'authTotal', ...openingFollowUp],
  'post-auth': [
    ...openAuth,
    'notRaised',
    'amounts',
    'currency',
    'noCashback',
    'captureAmount',
    'withinAuth',
    'oneTip',
    ...openingFollowUp,
  ],
  refund: ['noOrder', 'original', 'inPerson', 'type', ...refunding, ...openingFollowUp],
  'free-refund': ['unlinked', 'orderNamed', 'onTerminal', 'amounts', 'balance', ...opening],
  void: [
    'original',
    'inPerson',
    'type',
    'success',
    'unrefunded',
    'uncaptured',
    'notRaised',
    'sameDay',
    'openBatch',
    ...openingFollowUp,
  ],
  abort: ['original', 'inPerson', 'sameTerminal', 'unpaid'],
  'tip-adjust': ['original', 'inPerson', 'sameTerminal', 'type', 'success', 'unrefunded', 'openBatch', 'tip'],
  'create-session': openingOnline,
  'direct-payment': ['wallet', ...openingOnline],
  'expire-session': ['session', 'sessionOpen'],
  'online-refund': ['original', 'online', 'type', ...refunding, 'idIsNotOrder'],
  query: ['named'],
  'batch-query': [],
  'batch-close': ['noSettlementFault', 'batches'],
  'batch-close-list': ['closeTimes'],
  'merchant-query': [],
  'merchant-terminals': ['page'],
}

/** What an accepted request that opens no transaction leads to or tells, and its claim. */
export const effects: Readonly<Partial<Record<OperationName, readonly [what: string, claim: ClaimName]>>> = {
  abort: ['The payment is closed, if its result does not come first', 'abort-and-expiry'],
  'tip-adjust': ['The new tip replaces the old one', 'tip-adjust'],
  'expire-session': ['Nobody can pay on its page any more', 'checkout'],
  'batch-close': ['The open batches that are not empty are closed', 'batch-close'],
  'batch-close-list': ['Without a period, the last 7 days are listed', 'close-list'],
  query: ['The record has the form that the client reads', 'dialect'],
  'batch-query': ['There is one open batch per terminal, channel and currency', 'batches'],
  'merchant-query': ['The merchant has the members that SDKs read', 'merchant-records'],
  'merchant-terminals': ['Terminals have the members that SDKs read', 'merchant-records'],
}

/** How a request came. */
export interface Way {
  /** By a page of the sandbox, not by a client. */
  readonly isForm?: boolean
  /** A refund that names no original. */
  readonly isFree?: boolean
  /** With a body, as every POST. */
  readonly hasBody?: boolean
}

/** True for an operation whose transactionRequestId is its own, and not that of an earlier one. */
export function namesNewTransaction(name: OperationName): boolean {
  const entries: object = operations[name].input.entries
  const { transactionRequestId: id } = entries as { readonly transactionRequestId?: unknown }
  return id !== undefined && id !== requestFields.queriedTransactionRequestId
}

/** The checks of a request in their order. */
export function checksOf(name: OperationName, way: Way = {}): readonly Check[] {
  const { isForm = false, isFree = false, hasBody = operations[name].method === 'POST' } = way
  const { cardData, fields, receiver, fault, repeated, parties, reused, terminal } = memberChecks
  const { entries } = operations[name].input
  const takes = (...members: readonly string[]) => members.some((member) => member in entries)
  const rules = ruleOrder[isFree && name === 'refund' ? 'free-refund' : name]
  return [
    ...(isForm ? [] : Object.values(headerChecks)),
    ...(isForm || !hasBody ? [] : Object.values(bodyChecks)),
    cardData,
    fields,
    ...(takes('notifyUrl', 'terminalEventNotifyUrl') ? [receiver] : []),
    ...(isForm ? [] : [fault]),
    ...(isLookUp(name) ? [] : [repeated]),
    parties,
    ...(namesNewTransaction(name) ? [reused] : []),
    ...(takes('terminalSn') ? [terminal] : []),
    ...rules.map((rule) => ruleChecks[rule]),
    stored,
  ]
}

/** The check that refused, by the code and the note of the refusal; one with a pattern wins. */
export function refusedBy(checks: readonly Check[], code: ErrorCode, text: string): number {
  const byPattern = checks.findIndex(({ refuses }) => {
    const pattern = refuses[code]
    return pattern instanceof RegExp && pattern.test(text)
  })
  return byPattern >= 0 ? byPattern : checks.findIndex(({ refuses }) => refuses[code] === true)
}
