import { Refusal, reject } from '../../../../contract/errors.ts'
import { resendRemedy, StoreError } from '../../../../shared/files/store-errors.ts'
import { shellQuote } from '../../../../shared/text/shell-quote.ts'
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

/** How records of a table wait for a statement that writes them. assumption: audit-log */
export const recordWait = {
  gatherMs: 50,
  mostWaiting: 10_000,
  isAway: (error: unknown) => error instanceof DatabaseAway,
}

/** The server can never carry out a statement, because of a value in it. */
class UnstorableValue extends StoreError {
  override readonly name = 'UnstorableValue'
  readonly remedy =
    'Change the request: it can never be stored as it is. Requests beside it can be sent again'
}

/** An error with a code: of the system, or an SQLSTATE of the server; only the server's have a severity. */
type CodedError = Error & { readonly code?: string; readonly severity?: string }

/** SQLSTATEs of a server that is stopping, starting, or out of connections: a later attempt may succeed. */
const passing = /^(57P0[1235]|25P03|53300|08...)$/

/** SQLSTATEs of a value that no repetition stores: of its form, or beyond a limit of the server. */
const ofValues = /^(22|54)/

/** What mends an error, by its code and message; the first that fits. */
const remedies: readonly (readonly [RegExp, (address: DatabaseAddress) => string])[] = [
  [
    /password must be/,
    () => 'Set PGPASSWORD, or write it into the URL: postgres://user:password@host/database',
  ],
  [/^28/, ({ user }) => `Check user and password in the URL, or PGPASSWORD, and pg_hba.conf for ${user}`],
  [
    /does not support SSL/,
    ({ sslmode }) =>
      `Turn TLS on at the server (ssl = on), or use ?sslmode=disable in place of sslmode=${sslmode}`,
  ],
  [
    /^\S*(CERT|SIGNED|ALTNAME|ISSUER)/,
    () => 'Name the certificate that signed it: ?sslmode=verify-full&sslrootcert=/path/to/ca.pem',
  ],
  [/^ENOTFOUND /, ({ host }) => `Check the host in the URL: ${host}`],
  [
    /^3D000 /,
    ({ database, user }) =>
      `Make the database: createdb --owner ${shellQuote(user)} --encoding UTF8 --template template0 ${shellQuote(database)}`,
  ],
  [
    /^25006 /,
    () =>
      'It is read-only: use the URL of the primary server, or turn default_transaction_read_only off for the user',
  ],
  [/^53100 /, () => 'Free up space on the disk of the database server'],
  [/^42501 /, missingRights],
  [
    /^42P01 /, // also where the user may not use the schema
    (address) =>
      'If a table was removed: restore it from a backup, or use another schema, which is made: ?schema=another_name. ' +
      `If the user lacks a right: ${missingRights(address)}`,
  ],
  [
    /^42/,
    ({ schema }) =>
      `The schema ${schema} holds tables of something else. Choose another one, which is made: ?schema=another_name`,
  ],
]

function missingRights({ schema, user, database }: DatabaseAddress): string {
  const to = `TO ${quoted(user)}`
  return (
    `As the owner of the schema: GRANT USAGE ON SCHEMA ${schema} ${to}; ` +
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} ${to}. ` +
    `If the tables are missing: GRANT CREATE ON SCHEMA ${schema} ${to}. ` +
    `If the schema is missing: GRANT CREATE ON DATABASE ${quoted(database)} ${to}`
  )
}

const quoted = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`

/**
 * What an error of a connection or a statement means: DatabaseAway when the connection is gone;
 * UnusableDatabase with what mends it; UnstorableValue for a value in a statement. None has the password:
 * server and system never repeat it.
 */
export function explained(error: Error, address: DatabaseAddress): Error {
  const { code = '', severity, message } = error as CodedError
  const { shown } = address
  const isOfServer = severity !== undefined && !passing.test(code)
  if (isOfServer && ofValues.test(code))
    return new UnstorableValue(`the database ${shown} cannot store it: ${message}`)
  const remedy = remedies.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1](address)
  if (remedy === undefined && !isOfServer)
    return new DatabaseAway(shown, whyAway(message) || code || error.name)
  return new UnusableDatabase(
    `The database ${shown} cannot be used: ${message}`,
    remedy ?? 'Look for the cause in the log of the database server',
  )
}

/** The package says 'Query read timeout' and 'timeout exceeded when trying to connect'. */
const whyAway = (message: string): string => (/timeout/i.test(message) ? 'no answer in time' : message)

/**
 * Awaits what the database is asked for. `detail`: said in place of its error, to callers that are not
 * authenticated yet.
 */
export const refuseAway = <T>(asked: Promise<T>, detail?: string): Promise<T> =>
  asked.catch((error: Error) => {
    if (error instanceof Refusal) throw error
    return reject('SBX_STORE_FAIL', {
      message: 'The sandbox could not use its database, so the request was not accepted',
      detail: detail ?? error.message,
      remedy: 'Send the request again, in a second',
      cause: error,
    })
  })
