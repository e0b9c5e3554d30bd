/** Why a connection failed, in words, by the code of its error. */
export const connectionErrors = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is unknown',
  ECONNRESET: 'the connection was cut',
} as const satisfies Readonly<Record<string, string>>
