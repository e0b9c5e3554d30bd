/** Headers of a request. docs/api.md#authentication-1, docs/api.md#authentication-3 */
export const headerNames = {
  authorization: 'Authorization',
  contentType: 'Content-Type',
  clientRequestId: 'X-Client-Request-Id',
  timestamp: 'X-Timestamp',
} as const

/** Headers of the sandbox alone; the real service knows none of them. */
export const sandboxHeaders = {
  /** Request: the outcome of this transaction, by name. */
  outcome: 'X-Sandbox-Outcome',
  /** Request: a fault to inject into its answer, such as `lost-answer`. */
  fault: 'X-Sandbox-Fault',
  /** Request: a token of the sandbox; `Authorization: Bearer` can carry it, too. */
  token: 'X-Sandbox-Token',
  /** Answer: `true` if it repeats the answer of an earlier, equal request. */
  replayed: 'X-Sandbox-Replayed',
  /** Answer: notes on an accepted request, such as a terminal that was registered on first use. */
  note: 'X-Sandbox-Note',
  /** Answer: the space of a token that may not make this request. */
  tokenSpace: 'X-Sandbox-Token-Space',
  /** Answer of an event stream: how many missed notifications there are. */
  missed: 'X-Sandbox-Missed',
} as const

/** How User-Agents of tillbox's own requests begin: none is a client of the merchant. assumption: coverage */
export const userAgents = {
  command: 'tillbox/',
  library: 'tillbox-library',
  /** Of each notification, signed or not: no sandbox acts on it. assumption: webhook-targets */
  webhook: 'tillbox-webhook',
  dashboard: 'tillbox-dashboard',
  mcp: 'tillbox-mcp',
} as const

/** Headers of one connection only (hop-by-hop), in lower case. RFC 9110, 7.6.1 */
export const connectionHeaders = [
  'connection',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
] as const

/** Lower-case names of the headers that an HTTP client makes itself. */
export const sendingHeaders: ReadonlySet<string> = new Set([...connectionHeaders, 'content-length', 'host'])

/** Bearer in any case, a space, the key. RFC 6750; docs/api.md#authentication-1. assumption: header-forms */
export const bearerPattern = /^bearer ([a-z0-9\-._~+/]+=*)$/i

/** Printable characters of ASCII without spaces. docs/api.md#authentication-3. assumption: request-id-form */
export const clientRequestIdPattern = /^[\x21-\x7e]{1,64}$/

/** A UUID with or without dashes: public SDKs send both. assumption: request-id-form */
export const uuidPattern = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}$/i

/** Unix time in milliseconds, 13 digits. docs/api.md#authentication-3 */
export const timestampPattern = /^[0-9]{13}$/

/** Default port of a sandbox. */
export const defaultPort = 8455

/** The highest port of TCP. */
export const highestPort = 65_535

/** Largest percentage that the limits of a capture can be set to. */
export const mostCapturePercent = 1_000

/** Limits of the service and of the sandbox. Times in milliseconds, sizes in bytes. public: public-limits */
export const limits = {
  /** docs/api.md#limit-timestamp */
  timestampDeviation: 10 * 60_000,
  /** docs/api.md#limit-duplicates */
  clientRequestIdWindow: 10 * 60_000,
  /** docs/api.md#limit-refund-period. assumption: refunds */
  refundPeriod: 180 * 86_400_000,
  /** assumption: body-limit */
  body: 1024 * 1024,
  /** Characters of a name, and of a text that is searched for. assumption: field-limits */
  text: 128,
  /** Characters of a URL. assumption: field-limits */
  url: 512,
  /** Longest period of the list of closed batches. */
  closeListSpan: 30 * 86_400_000,
  /** Largest amount, in minor units. assumption: field-limits */
  amount: 1_000_000_000_000,
  /** How long a hosted page accepts a payment. assumption: checkout */
  sessionExpiry: 30 * 60_000,
  /** assumption: abort-and-expiry */
  shortestExpiry: 3 * 60_000,
  longestExpiry: 86_400_000,
  /** How long an authorisation can be raised and captured. assumption: auth-validity */
  authValidity: 30 * 86_400_000,
  /** Percent for a capture's tip, and for its excess of tax and surcharge. assumption: capture-limits */
  captureTip: 100,
  captureExcess: 15,
} as const
