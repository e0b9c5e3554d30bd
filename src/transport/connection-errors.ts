/** Why a connection failed, in words, by error code, with the remedy where it is known. */
export const connectionErrors = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is unknown',
  ECONNRESET: 'the connection was cut',
  EPROTO: 'it does not serve TLS; use http://',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed; trust it with NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted; trust its authority with NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is not trusted; trust its authority with NODE_EXTRA_CA_CERTS',
} as const satisfies Readonly<Record<string, string>>

const words: Readonly<Record<string, string>> = connectionErrors

/** Why a connection failed, with the remedy where it is known. */
export const reasonOf = ({ code = '', message }: NodeJS.ErrnoException): string => words[code] ?? message

/** Codes of errors that occur only while connecting: nothing was sent. */
export const notConnected: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
