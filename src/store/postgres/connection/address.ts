import { readFileSync } from 'node:fs'
import { isDatabaseUrl } from '../../../text/http-url.ts'
import { MendableError } from '../../store-errors.ts'

/** A database URL that cannot be used. */
export class UnusableDatabase extends MendableError {
  override readonly name = 'UnusableDatabase'
}

/** The use of TLS: none, without checking the certificate, or with a certificate that names the host. */
type TlsMode = 'disable' | 'require' | 'verify-full'

/** A database, and how to connect to it. Durations in milliseconds. */
export interface DatabaseAddress {
  /** The URL without password and settings, for people. */
  readonly shown: string
  readonly host: string
  readonly port: number
  readonly user: string
  /** Empty: PGPASSWORD applies, if set. Never shown. */
  readonly password: string
  readonly database: string
  /** Schema that holds the tables. */
  readonly schema: string
  readonly tls: TlsMode
  /** PEM text of the certificates that sign the server's; null for Node's own list. */
  readonly rootCertificate: string | null
  /** Most connections. */
  readonly pool: number
  /** Time after which the server cancels a statement. */
  readonly statementTimeout: number
  readonly connectTimeout: number
  /** Time without an answer after which a write is refused. */
  readonly unavailableAfter: number
}

/** Settings in the query of a URL, with their defaults. Durations in seconds. */
const settings = {
  schema: 'tillbox',
  sslmode: 'disable',
  sslrootcert: '',
  pool: '10',
  statement_timeout: '10',
  connect_timeout: '5',
  unavailable_after: '3',
} as const

type AddressSetting = keyof typeof settings

const tlsModes: readonly TlsMode[] = ['disable', 'require', 'verify-full']

/** Reads the URL of a database. assumption: postgres-url. Errors: UnusableDatabase with the setting to change. */
export function databaseAddress(url: string): DatabaseAddress {
  const parsed = parsedUrl(url)
  const given = settingsIn(parsed)
  const host = decodeURIComponent(parsed.hostname).replace(/^\[|\]$/g, '') || '127.0.0.1'
  const port = Number(parsed.port || 5432)
  const user = decodeURIComponent(parsed.username) || 'tillbox'
  const database = decodeURIComponent(parsed.pathname.slice(1)) || user
  const schema = schemaNamed(given.schema)
  return {
    shown: shownUrl(parsed, given.schema),
    host,
    port,
    user,
    password: decodeURIComponent(parsed.password),
    database,
    schema,
    tls: tlsMode(given.sslmode),
    rootCertificate: given.sslrootcert === '' ? null : certificateAt(given.sslrootcert),
    pool: inRange('pool', given.pool, 1, 1000),
    statementTimeout: seconds('statement_timeout', given.statement_timeout),
    connectTimeout: seconds('connect_timeout', given.connect_timeout),
    unavailableAfter: seconds('unavailable_after', given.unavailable_after),
  }
}

/** Errors: UnusableDatabase, without the text, which may contain a password. */
function parsedUrl(url: string): URL {
  if (isDatabaseUrl(url)) return new URL(url)
  throw new UnusableDatabase(
    'The URL of the database cannot be read',
    'Write it as postgres://user:password@host:5432/database; characters such as @ and / in a password as %40 and %2F',
  )
}

function settingsIn({ searchParams }: URL): Readonly<Record<AddressSetting, string>> {
  for (const name of searchParams.keys())
    if (!Object.hasOwn(settings, name))
      throw new UnusableDatabase(
        `The setting ${JSON.stringify(name)} in the URL of the database is unknown`,
        `Settings are ${Object.keys(settings).join(', ')}`,
      )
  return { ...settings, ...Object.fromEntries(searchParams) }
}

/** Includes the schema unless it is the default: each schema is a separate store. */
function shownUrl(parsed: URL, schema: string): string {
  const shown = new URL(parsed)
  shown.password = ''
  shown.search = schema === settings.schema ? '' : new URLSearchParams({ schema }).toString()
  return shown.href
}

function schemaNamed(name: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(name)) return name
  throw new UnusableDatabase(
    `${JSON.stringify(name)} cannot be the schema of the database`,
    'Name one with small letters, digits and _, at most 63 characters: ?schema=tillbox',
  )
}

function tlsMode(text: string): TlsMode {
  const mode = tlsModes.find((each) => each === text)
  if (mode !== undefined) return mode
  throw new UnusableDatabase(
    `sslmode=${text} is unknown`,
    `Use ${tlsModes.map((each) => `sslmode=${each}`).join(', ')}`,
  )
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

const seconds = (name: AddressSetting, text: string): number =>
  Math.round(inRange(name, text, 0.05, 3600) * 1000)

function inRange(name: AddressSetting, text: string, least: number, most: number): number {
  const value = Number(text)
  if (text.trim() !== '' && value >= least && value <= most) return value
  throw new UnusableDatabase(
    `${name}=${text} in the URL of the database is out of range`,
    `Use a number from ${least} to ${most}`,
  )
}
