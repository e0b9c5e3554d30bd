import { resendRemedy, StoreError } from '../../store-errors.ts'
import { type DatabaseAddress, UnusableDatabase } from './address.ts'

/** The database does not answer. Whether a running statement took effect is unknown. */
export class DatabaseAway extends StoreError {
  override readonly name = 'DatabaseAway'
  readonly remedy = resendRemedy
  constructor(
    readonly shown: string,
    why: string,
  ) {
    super(`the database ${shown} does not answer: ${why}`)
  }
}

/** An error with a code: of the system, or an SQLSTATE of the server; only the server's have a severity. */
export type CodedError = Error & { readonly code?: string; readonly severity?: string }

/** SQLSTATEs of a server that is stopping, starting, or out of connections: a later attempt may succeed. */
const passing = /^(57P0[1235]|25P03|53300|08...)$/

/** Errors caused by settings, by SQLSTATE or system code, with their remedies. */
const settled: readonly (readonly [RegExp, (address: DatabaseAddress) => string])[] = [
  [/^28/, ({ user }) => `Check user and password in the URL, or PGPASSWORD, and pg_hba.conf for ${user}`],
  [
    /^3D000$/,
    ({ database, user }) =>
      `Make the database: createdb --owner ${user} --encoding UTF8 --template template0 ${database}`,
  ],
  [/^ENOTFOUND$/, ({ host }) => `Check the host in the URL: ${host}`],
  [
    /^42501$/,
    ({ user, database }) => `Let the user make a schema: GRANT CREATE ON DATABASE ${database} TO ${user}`,
  ],
]

const withoutTls = 'The server does not support SSL connections'

/** True for an error that ended the connection, so that it is unknown whether the statement took effect. */
export const endsConnection = (error: Error): boolean => {
  const { code, severity } = error as CodedError
  return severity === undefined || passing.test(code ?? '')
}

/**
 * Why no connection could be opened: UnusableDatabase if a setting fixes it, otherwise DatabaseAway. Neither has the
 * password: server and system never repeat it.
 */
export function explainedConnect(error: Error, address: DatabaseAddress): UnusableDatabase | DatabaseAway {
  const { code = '', message } = error as CodedError
  const { shown, tls } = address
  if (message === withoutTls)
    return new UnusableDatabase(
      `The database ${shown} takes no TLS, and sslmode=${tls} asks for it`,
      'Turn TLS on at the server (ssl = on), or use ?sslmode=disable',
    )
  if (/password must be/.test(message))
    return new UnusableDatabase(
      `The database ${shown} asks for a password, and none was given`,
      'Set PGPASSWORD, or write it into the URL: postgres://user:password@host/database',
    )
  if (/CERT|SIGNED|ALTNAME|ISSUER/.test(code))
    return new UnusableDatabase(
      `The certificate of the database ${shown} is not trusted: ${message}`,
      'Name the certificate that signed it: ?sslmode=verify-full&sslrootcert=/path/to/ca.pem',
    )
  const remedy = settled.find(([pattern]) => pattern.test(code))?.[1](address)
  return remedy === undefined
    ? new DatabaseAway(shown, databaseReasonOf(error))
    : new UnusableDatabase(`The database ${shown} cannot be used: ${message}`, remedy)
}

/** An error of several addresses has no message of its own. */
export const databaseReasonOf = (error: Error): string => {
  const { code, message } = error as CodedError
  return message === '' ? (code ?? error.name) : message
}
