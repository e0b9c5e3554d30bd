import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { MendableError } from '../../../../shared/files/store-errors.ts'
import { readOr } from '../../../../shared/read-or.ts'
import { isDatabaseUrl } from '../../../../shared/text/http-url.ts'

/** A database URL that cannot be used. */
export class UnusableDatabase extends MendableError {
  override readonly name = 'UnusableDatabase'
}

const numberFrom = (least: number, most: number) =>
  v.pipe(
    v.string(),
    v.transform(Number),
    v.check((number) => number >= least && number <= most, `a number from ${least} to ${most}`),
  )

const milliseconds = v.pipe(
  numberFrom(0.05, 3600),
  v.transform((seconds) => Math.round(seconds * 1000)),
)

const usualSchema = 'tillbox'

const tlsModes = ['disable', 'require', 'verify-full'] as const

/** Settings in the query of a URL, by name, with the words for what each may be. Durations in seconds. */
const settings = v.strictObject({
  /** Schema that holds the tables. */
  schema: v.optional(
    v.pipe(v.string(), v.regex(/^[a-z_][a-z0-9_]{0,62}$/, 'small letters, digits and _, at most 63')),
    usualSchema,
  ),
  /** The use of TLS: none, without checking the certificate, or with a certificate that names the host. */
  sslmode: v.optional(v.picklist(tlsModes, tlsModes.join(', ')), 'disable'),
  /** PEM text of the certificates that sign the server's; absent for Node's own list. */
  sslrootcert: v.optional(v.pipe(v.string(), v.transform(certificateAt))),
  /** Most connections. */
  pool: v.optional(numberFrom(1, 1000), '10'),
  /** Time after which the server cancels a statement. */
  statement_timeout: v.optional(milliseconds, '10'),
  connect_timeout: v.optional(milliseconds, '5'),
  /** Time without an answer after which a write is refused. */
  unavailable_after: v.optional(milliseconds, '3'),
})

/** A database, and how to connect to it. Durations in milliseconds. */
export interface DatabaseAddress extends v.InferOutput<typeof settings> {
  /** The URL without password and settings, for people. */
  readonly shown: string
  readonly host: string
  readonly port: number
  readonly user: string
  /** Empty: PGPASSWORD applies, if set. Never shown. */
  readonly password: string
  readonly database: string
}

/** Reads the URL of a database. assumption: postgres-session */
export function databaseAddress(url: string): DatabaseAddress {
  if (!isDatabaseUrl(url) || isSplitPassword(url) || !isDecodable(url))
    throw new UnusableDatabase(
      'The URL of the database cannot be read', // without the text, which may contain a password
      'Write it as postgres://user:password@host:5432/database; characters such as @ and / in a password as %40 and %2F',
    )
  const parsed = new URL(url)
  const connectionSettings = settingsIn(parsed)
  const user = decodeURIComponent(parsed.username) || 'tillbox'
  return {
    ...connectionSettings,
    shown: shownUrl(parsed, connectionSettings.schema),
    host: decodeURIComponent(parsed.hostname).replace(/^\[|\]$/g, '') || '127.0.0.1',
    port: Number(parsed.port || 5432),
    user,
    password: decodeURIComponent(parsed.password),
    database: decodeURIComponent(parsed.pathname.slice(1)) || user,
  }
}

/** True for an @ after the host, or a fragment: a part of a password that was not encoded. */
const isSplitPassword = (url: string): boolean => /^[^:]+:\/\/[^/?#]*[/?#].*@|#/s.test(url)

const isDecodable = (url: string): boolean => readOr(false, () => decodeURIComponent(url) !== '')

function settingsIn({ searchParams }: URL): v.InferOutput<typeof settings> {
  const parsed = v.safeParse(settings, Object.fromEntries(searchParams))
  if (parsed.success) return parsed.output
  const [{ message, path }] = parsed.issues
  const name = String(path?.[0].key)
  if (!Object.hasOwn(settings.entries, name))
    throw new UnusableDatabase(
      `The setting ${JSON.stringify(name)} in the URL of the database is unknown`,
      `Settings are ${Object.keys(settings.entries).join(', ')}`,
    )
  const text = searchParams.get(name)
  throw new UnusableDatabase(`${name}=${text} in the URL of the database cannot be used`, `Use ${message}`)
}

/** Includes the schema unless it is the default: each schema is a separate store. */
function shownUrl(parsed: URL, schema: string): string {
  const shown = new URL(parsed)
  shown.password = ''
  shown.search = schema === usualSchema ? '' : new URLSearchParams({ schema }).toString()
  return shown.href
}

function certificateAt(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UnusableDatabase(
      `The file of sslrootcert cannot be read: ${(error as Error).message}`,
      'Name a file with the certificates in PEM: ?sslmode=verify-full&sslrootcert=/path/to/ca.pem',
    )
  }
}
