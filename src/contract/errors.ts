import { shellQuote } from '../shared/text/shell-quote.ts'
import { capitalize } from '../shared/text/words.ts'
import { type Remedy, remedyText } from './remedies.ts'

interface ErrorRow {
  /** How a refusal is sent: `http` with its HTTP status, `business` with 200 but with `httpStatus: rest`. */
  readonly kind: 'http' | 'business'
  /** HTTP status of an `http` refusal, and of a `business` one with `httpStatus: rest`. */
  readonly status: number
  readonly message: string
  readonly remedy: string
}

const http = (status: number, message: string, remedy: string) =>
  ({ kind: 'http', status, message, remedy }) as const
const business = (status: number, message: string, remedy: string) =>
  ({ kind: 'business', status, message, remedy }) as const

/**
 * Every refusal of the service: code → HTTP status → message → remedy. `C17` is the service's own public
 * code (public: parameter-code); each `SBX_…` code (at most 16 characters) is the sandbox's. assumption:
 * envelope
 */
export const errorTable = {
  // Authentication. docs/api.md#authentication
  SBX_AUTH_MISSING: http(401, 'The header Authorization is missing', 'Send Authorization: Bearer <API_KEY>'),
  SBX_AUTH_FORMAT: http(
    401,
    'The header Authorization is malformed',
    'Send Bearer, exactly one space, and the key: Authorization: Bearer <API_KEY>',
  ),
  SBX_KEY_UNKNOWN: http(
    401,
    'The API key is unknown',
    'Use the key that `tillbox sandbox env --show-key` shows',
  ),
  SBX_KEY_ENV: http(
    401,
    'The API key belongs to another environment',
    'Use a key of the sandbox environment; production keys work only against production',
  ),
  SBX_KEY_EXPIRED: http(
    401,
    'The API key has expired',
    'Use the key that replaced it; a regenerated key leaves the old one valid for a limited time',
  ),
  SBX_IP_BLOCKED: http(
    403,
    'The request came from an address that is not on the IP whitelist',
    'Let the address in: `tillbox sandbox key allow-ip <address>`. Or let every address in: `tillbox sandbox key allow-ip --clear`',
  ),
  SBX_HOST: http(
    403,
    'The Host, Origin or Sec-Fetch-Site of this request is not allowed here',
    'Call the sandbox by its URL',
  ),
  SBX_TOKEN: http(
    401,
    'The token of the sandbox is missing or wrong',
    'Send the token as X-Sandbox-Token, or as Authorization: Bearer; for the commands set TILLBOX_TOKEN together with TILLBOX_BASE_URL',
  ),
  SBX_SCOPE: http(
    403,
    'The scope of the token does not allow this request',
    'Use a token whose scope allows it: `tillbox token create <name> --scope admin`',
  ),
  // Headers and transport. docs/api.md#authentication-3, docs/api.md#limits
  SBX_TIME_MISSING: http(400, 'The header X-Timestamp is missing', 'Send the Unix time in milliseconds'),
  SBX_TIME_FORMAT: http(
    400,
    'The header X-Timestamp is malformed',
    'Send the Unix time in milliseconds: 13 digits',
  ),
  SBX_TIME_SKEW: http(
    400,
    'The header X-Timestamp is more than 10 minutes away from service time',
    'Send the current time; check the clock of the sending machine. The wall clock counts, not the sandbox clock',
  ),
  SBX_REQ_ID_NONE: http(
    400,
    'The header X-Client-Request-Id is missing',
    'Send a new UUID with each request',
  ),
  SBX_REQ_ID_FORM: http(
    400,
    'The header X-Client-Request-Id is malformed',
    'Send a new UUID with each request: 32 hexadecimal digits, with or without dashes',
  ),
  SBX_MEDIA_TYPE: http(
    415,
    'The header Content-Type is not application/json',
    'Send Content-Type: application/json',
  ),
  SBX_OUTCOME: http(
    400,
    'The header X-Sandbox-Outcome names an unknown outcome',
    'Use a name that `tillbox outcomes` or GET /_sandbox/outcomes lists',
  ),
  SBX_FAULT: http(
    400,
    'The header X-Sandbox-Fault is wrong',
    'Write a fault as `tillbox sandbox fault --help` lists it, such as lost-answer or http-503',
  ),
  SBX_BAD_JSON: http(400, 'The body is not a JSON object', 'Send one JSON object, encoded in UTF-8'),
  SBX_TOO_LARGE: http(413, 'The body is too large', 'Send a smaller body'),
  SBX_BAD_HTTP: http(
    400,
    'The request is not well-formed HTTP',
    'Check the request line, Host and Content-Length',
  ),
  SBX_CLIENT_LEFT: http(
    400,
    'The client closed the connection before it had sent the whole request',
    'Send the whole body; nothing was changed',
  ),
  SBX_HEADERS_BIG: http(431, 'The headers are larger than 16 KiB', 'Send fewer or shorter headers'),
  SBX_EXPECTATION: http(
    417,
    'The sandbox does not support what the header Expect asks for',
    'Leave it out, or send 100-continue',
  ),
  SBX_NO_PATH: http(404, 'There is no such path', 'Check the path; every operation is under /v1/'),
  SBX_METHOD: http(405, 'The path does not take this method', 'Use a method that the header Allow names'),
  SBX_DUP_REQUEST: http(
    409,
    'The X-Client-Request-Id was used within the last 10 minutes',
    'Send a new UUID with each POST; to learn what became of the first request, query it. The 10 minutes are of the wall clock: the sandbox clock does not end them',
  ),
  // Parameters
  C17: business(400, 'A parameter is wrong', 'Correct the named field; nothing was changed'),
  SBX_CARD_DATA: business(
    400,
    'The body holds card data, which is not accepted',
    'Remove card numbers, security codes and track data; the terminal or the hosted page reads the card',
  ),
  SBX_OTHER_OWNER: business(
    404,
    'That belongs to another application or merchant',
    'Use the application, merchant and terminal that belong to the API key',
  ),
  SBX_UNREGISTERED: business(
    404,
    'That merchant or terminal is not registered',
    'List the registered ones: `tillbox merchant list`, `tillbox terminal list`. Or start with --set terminals=open, which adds unknown ones',
  ),
  // Duplicates. docs/api.md#ids-4, docs/api.md#errors
  SBX_DUP_TXN_ID: business(
    409,
    'The transactionRequestId was used before',
    'Query it by that id; use a new transactionRequestId only for another transaction',
  ),
  SBX_DUP_OTHER: business(
    422,
    'The id was used before with another request',
    'Use a new id for a new request',
  ),
  // Rules. docs/api.md#statuses, docs/api.md#refund, docs/api.md#errors, docs/api.md#limits
  SBX_TXN_UNKNOWN: business(
    404,
    'There is no such transaction',
    'Check the id and the merchant it belongs to',
  ),
  SBX_NOT_ALLOWED: business(
    409,
    'Transaction status not allowed',
    'Wait until a PROCESSING transaction completes; a voided, refunded or captured one cannot be changed',
  ),
  SBX_WRONG_TYPE: business(
    409,
    'The operation does not act on this type of transaction',
    'Use the operation that fits the original transaction',
  ),
  SBX_CURRENCY: business(
    422,
    'The currency differs from the original transaction',
    'Use the original currency',
  ),
  SBX_NO_CURRENCY: business(
    422,
    'The merchant does not take this currency',
    'Use one that it takes, or change its currencies in the file of sandbox start --fixtures',
  ),
  SBX_OVER_REFUND: business(
    422,
    'Refund amount exceeds original transaction amount',
    'Refund no more than the remaining balance',
  ),
  SBX_NO_BALANCE: business(422, 'Insufficient merchant balance', 'Top up or adjust the settlement cycle'),
  SBX_REFUNDED: business(409, 'Transaction already fully refunded', 'Check the refund history'),
  SBX_REFUND_LATE: business(422, 'Refund period expired', 'Refund by other means'),
  SBX_OVER_CAPTURE: business(
    422,
    'The amount exceeds the authorised total',
    'Capture no more than was authorised, or raise it first with an incremental auth',
  ),
  SBX_AUTH_EXPIRED: business(
    409,
    'The authorisation has expired',
    'Take a new payment; authorisations are valid for 30 days unless the sandbox starts with --set authValidity',
  ),
  SBX_VOID_LATE: business(
    422,
    'Only a transaction of the same day can be voided',
    'Refund a payment instead: `tillbox refund <id> --amount <amount>`',
  ),
  SBX_BATCH_CLOSED: business(
    409,
    'The batch of the transaction is closed',
    'Refund a payment instead: `tillbox refund <id> --amount <amount>`',
  ),
  SBX_SESSION_NONE: business(404, 'There is no such session', 'Check the id and the merchant it belongs to'),
  SBX_SESSION_OVER: business(
    409,
    'The session is over',
    'Query its transaction; open a new session for a new try',
  ),
  SBX_SESSION_BUSY: business(
    409,
    'A payment of the session is under way',
    'Wait for its result: query the transaction',
  ),
  SBX_WALLET: business(
    422,
    'The wallet payload is not valid',
    'Ask the wallet for a new payload; for tests: `tillbox checkout wallet-payload`',
  ),
  SBX_WEBHOOK_NONE: business(404, 'There is no such webhook', 'Look at the list: `tillbox webhook list`'),
  SBX_NO_NOTIFYURL: business(
    404,
    'The notification was not sent: no URL was set for it',
    'Send it now: `tillbox webhook resend <id> --to <url>`. Next time pass --notify-url, or run `tillbox listen`',
  ),
  SBX_REQ_NONE: business(
    404,
    'There is no such request in the request log',
    'List recent requests: `tillbox logs tail`; the log keeps the last 1,000',
  ),
  SBX_BATCH_EMPTY: business(
    409,
    'There is no batch to close',
    'Look at the open batches, GET /v1/settlement/batch-query: `tillbox batch query`',
  ),
  SBX_SETTLE_FAIL: business(
    409,
    'The settlement failed',
    'Close the batch again: it is still open, with everything in it',
  ),
  SBX_TERM_BUSY: business(
    409,
    'The terminal is busy and takes no further transaction',
    'Wait until it is idle, or use another terminal',
  ),
  SBX_TERM_SCREEN: business(
    409,
    'The terminal cannot do this now',
    'Look at what it shows: `tillbox terminal show <serial>`',
  ),
  SBX_TERM_AUTO: business(
    409,
    'The terminal is automatic and takes no input',
    'Use TBX-ATTENDED-001, or change its mode: `tillbox terminal set <serial> --mode attended`',
  ),
  SBX_TERM_OFFLINE: business(
    409,
    'The terminal is offline',
    'Switch it on: `tillbox terminal online <serial>`',
  ),
  SBX_TERM_EXISTS: business(
    409,
    'A terminal with this serial number exists already',
    'Change its settings: `tillbox terminal set <serial>`',
  ),
  SBX_MERCH_EXISTS: business(
    409,
    'A merchant with this id exists already',
    'Choose another id. Those in use: `tillbox merchant list`',
  ),
  SBX_TERM_IN_USE: business(
    409,
    'The terminal is in use and cannot be removed or unpaired',
    'End its payments and settle its batches: `tillbox terminal show <serial>`, `tillbox batch query`',
  ),
  SBX_FAULT_NONE: business(404, 'There is no such fault', 'Look at the list: `tillbox sandbox fault`'),
  SBX_FAULTS_FULL: business(
    409,
    'The list of faults is full',
    'Remove those that you no longer need: `tillbox sandbox fault --clear <id>`',
  ),
  SBX_SNAP_NAME: business(
    422,
    'This cannot be the name of a snapshot',
    'Use 1 to 64 letters, digits, dots, dashes or underscores, the first a letter or a digit',
  ),
  SBX_SNAP_NONE: business(
    404,
    'There is no such snapshot',
    'Look at the list: `tillbox sandbox snapshot list`',
  ),
  SBX_SNAP_EXISTS: business(
    409,
    'A snapshot with this name exists already',
    'Choose another name, or delete this one first, or `tillbox sandbox snapshot save <name> --force`',
  ),
  SBX_SNAP_READ: business(
    422,
    'The saved state cannot be read; nothing was changed',
    'Use another snapshot or file',
  ),
  SBX_TOKEN_NONE: business(404, 'There is no such token', 'Look at the list: `tillbox token list`'),
  SBX_TOKEN_EXISTS: business(
    409,
    'Another token has that name',
    'Choose another name, or revoke it first: `tillbox token revoke <name>`',
  ),
  SBX_NOT_EMPTY: business(
    409,
    'The sandbox has transactions, which an import would replace',
    'Save them first (`tillbox sandbox snapshot save <name>`), or confirm with --yes',
  ),
  // Spaces
  SBX_SPACE_NONE: http(404, 'There is no such space', 'Look at the list: `tillbox space list`'),
  SBX_SPACE_EXISTS: business(
    409,
    'Another space has that name',
    'Choose another name, or remove it first: `tillbox space remove <name>`',
  ),
  SBX_SPACE_FIRST: business(
    409,
    'The first space is the server itself and cannot be removed',
    'Empty it instead: `tillbox sandbox reset --everything`',
  ),
  // The sandbox itself
  SBX_INJECTED: http(
    503,
    'An injected fault answered in place of the service',
    'Send the request again, with the same ids: nothing happened. To turn faults off: `tillbox sandbox fault --clear`',
  ),
  SBX_STORE_FAIL: http(
    503,
    'The sandbox could not write its state, so it does not confirm the request',
    'Make the state folder writable again, then send the request again with the same ids: nothing was stored',
  ),
  SBX_INTERNAL: http(
    500,
    'The sandbox failed: this is a bug in the sandbox',
    'Report it with the traceId and the request',
  ),
} as const satisfies Record<string, ErrorRow>

/** Code of a refusal. */
export type ErrorCode = keyof typeof errorTable

/** What a refusal may say beyond its code. */
export interface RefusalDetail {
  /** The member or header that is wrong, as a path: `amount.orderAmount`. */
  readonly field?: string | undefined
  /** What exactly is wrong, with the numbers and ids of this case. */
  readonly detail?: string | undefined
  /** What is wrong with the transaction that the request names: `was voided`. `detail` has its id, too. */
  readonly why?: string | undefined
  /** What to do in this case; default: the table's remedy. */
  readonly remedy?: Remedy | string | undefined
  /** HTTP status in this case; default: the table's. */
  readonly status?: number | undefined
  /** True for the answer of an earlier, equal request. */
  readonly replayed?: boolean | undefined
  /** Message in this case; default: the table's. */
  readonly message?: string | undefined
  /** Further refusals of the same request. */
  readonly others?: readonly Refusal[] | undefined
  /** The underlying error, if the request is not at fault. */
  readonly cause?: Error
}

/** A request that the service refuses. Nothing has changed when it is thrown. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly field: string | undefined
  readonly detail: string | undefined
  readonly why: string | undefined
  readonly remedy: string
  readonly status: number | undefined
  /** True if it repeats the answer of an earlier, equal request. */
  readonly replayed: boolean
  readonly others: readonly Refusal[]

  constructor(
    readonly code: ErrorCode,
    { field, detail, why, remedy, status, message, replayed = false, others = [], cause }: RefusalDetail = {},
  ) {
    super(
      message ?? (code === 'C17' ? `${field ?? 'body'}: ${detail ?? 'is wrong'}` : errorTable[code].message),
      cause && { cause },
    )
    this.field = field
    this.detail = detail
    this.why = why
    this.remedy = typeof remedy === 'object' ? remedyText(remedy) : (remedy ?? errorTable[code].remedy)
    this.status = status
    this.replayed = replayed
    this.others = others
  }

  /** A copy of the refusal that also has `others`. */
  with(others: readonly Refusal[]): Refusal {
    const { message, cause } = this // which a spread leaves out
    return new Refusal(this.code, { ...this, message, cause: cause as Error, others })
  }
}

/** The table's remedy for a refusal at a terminal, with its serial number. */
export const remedyAt = (code: ErrorCode, terminalSn: string): string =>
  errorTable[code].remedy.replaceAll('<serial>', shellQuote(terminalSn))

/** Refuses the request. */
export function reject(code: ErrorCode, detail: RefusalDetail = {}): never {
  throw new Refusal(code, detail)
}

/** Refuses a name that nothing has; the remedy begins with `hint`, what was meant. */
export function rejectUnknown(
  code: ErrorCode,
  field: string,
  message: string,
  hint: string,
  remedy: string = errorTable[code].remedy,
): never {
  const end = hint.endsWith('?') ? ' ' : '. '
  throw new Refusal(code, { field, message, remedy: capitalize(hint) + end + remedy })
}

/** Refuses a parameter (C17) in a whole sentence: `There is no card gold`. */
export function rejectSaying(field: string, message: string, remedy?: Remedy | string): never {
  throw new Refusal('C17', { field, message, remedy })
}

/** Refuses a parameter (C17) by naming the member and the reason. */
export function rejectField(field: string, detail: string, remedy?: string): never {
  throw new Refusal('C17', { field, detail, remedy })
}
