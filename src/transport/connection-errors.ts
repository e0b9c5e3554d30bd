/** Why a connection failed, in words, by error code. */
export const connectionErrors = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is unknown',
  ECONNRESET: 'the connection was cut',
} as const satisfies Readonly<Record<string, string>>

/** Codes of errors that occur only while connecting: nothing was sent. */
export const notConnected: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
