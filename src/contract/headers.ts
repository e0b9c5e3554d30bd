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
  /** Request: the token that a sandbox was started with; so is `Authorization: Bearer`. */
  token: 'X-Sandbox-Token',
  /** Answer: `true` when a duplicate was answered as the first time. */
  replayed: 'X-Sandbox-Replayed',
  /** Answer: what was accepted in a way that may surprise, such as a terminal that was registered on first sight. */
  note: 'X-Sandbox-Note',
  /** Answer to a token that is refused outside its space: that space. */
  tokenSpace: 'X-Sandbox-Token-Space',
  /** Answer to a request for missed notifications: how many there are. */
  missed: 'X-Sandbox-Missed',
} as const

/** Headers, in small letters, that are about one connection alone. RFC 9110, 7.6.1 */
export const connectionHeaders = [
  'connection',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
] as const

/** Bearer, exactly one space, the key. RFC 6750; docs/api.md#authentication-1 */
export const bearerPattern = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/

/** Printable characters of ASCII without spaces. docs/api.md#authentication-3. assumption: request-id-form */
export const clientRequestIdPattern = /^[\x21-\x7e]{1,64}$/

/** A UUID with or without dashes: public SDKs send both. assumption: request-id-form */
export const uuidPattern = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}$/i

/** Unix time in milliseconds, 13 digits. docs/api.md#authentication-3 */
export const timestampPattern = /^[0-9]{13}$/

/** Limits of the specification and of the sandbox. Times in milliseconds, sizes in bytes. */
export const limits = {
  /** docs/api.md#limit-timestamp */
  timestampDeviation: 10 * 60_000,
  /** docs/api.md#limit-duplicates */
  clientRequestIdWindow: 10 * 60_000,
  /** docs/api.md#limit-refund-period. assumption: refund-period */
  refundPeriod: 180 * 86_400_000,
  /** assumption: body-limit */
  body: 1024 * 1024,
  /** Longest period of the list of closed batches. */
  closeListSpan: 30 * 86_400_000,
  /** Largest amount, in minor units. assumption: amount-bounds */
  amount: 1_000_000_000_000,
  /** How long a hosted page takes a payment. assumption: session-expiry */
  sessionExpiry: 30 * 60_000,
  /** assumption: expiry */
  shortestExpiry: 3 * 60_000,
  longestExpiry: 86_400_000,
  /** How long an authorisation can be raised and captured. assumption: auth-validity */
  authValidity: 30 * 86_400_000,
  /** Of a capture, in percent: the tip, and how far tax and surcharge may exceed what was authorised. assumption: post-auth-limit */
  captureTip: 100,
  captureExcess: 15,
} as const
