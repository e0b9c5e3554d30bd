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

const tlsModes: readonly TlsMode[] = ['disable', 'require', 'verify-full']

/** What a setting may be, in words, and the test. */
type Allowed = readonly [words: string, isAllowed: (text: string) => boolean]

const numberFrom = (least: number, most: number): Allowed => [
  `a number from ${least} to ${most}`,
  (text) => text.trim() !== '' && Number(text) >= least && Number(text) <= most,
]

const seconds = numberFrom(0.05, 3600)

/** Settings in the query of a URL, with their defaults. Durations in seconds. */
const settings = {
  schema: [
    'tillbox',
    'small letters, digits and _, at most 63',
    (text) => /^[a-z_][a-z0-9_]{0,62}$/.test(text),
  ],
  sslmode: ['disable', tlsModes.join(', '), (text) => tlsModes.some((mode) => mode === text)],
  sslrootcert: ['', 'the path of a file', () => true],
  pool: ['10', ...numberFrom(1, 1000)],
  statement_timeout: ['10', ...seconds],
  connect_timeout: ['5', ...seconds],
  unavailable_after: ['3', ...seconds],
} as const satisfies Record<string, readonly [usual: string, ...Allowed]>

type AddressSetting = keyof typeof settings

const names = Object.keys(settings) as AddressSetting[]

/**
 * Reads the URL of a database. assumption: postgres-session. Errors: UnusableDatabase with the setting to
 * change.
 */
export function databaseAddress(url: string): DatabaseAddress {
  const parsed = parsedUrl(url)
  const given = settingsIn(parsed)
  const user = decodeURIComponent(parsed.username) || 'tillbox'
  const milliseconds = (name: AddressSetting) => Math.round(Number(given[name]) * 1000)
  return {
    shown: shownUrl(parsed, given.schema),
    host: decodeURIComponent(parsed.hostname).replace(/^\[|\]$/g, '') || '127.0.0.1',
    port: Number(parsed.port || 5432),
    user,
    password: decodeURIComponent(parsed.password),
    database: decodeURIComponent(parsed.pathname.slice(1)) || user,
    schema: given.schema,
    tls: given.sslmode as TlsMode,
    rootCertificate: given.sslrootcert === '' ? null : certificateAt(given.sslrootcert),
    pool: Number(given.pool),
    statementTimeout: milliseconds('statement_timeout'),
    connectTimeout: milliseconds('connect_timeout'),
    unavailableAfter: milliseconds('unavailable_after'),
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

function settingsIn({ searchParams }: URL): Record<AddressSetting, string> {
  for (const name of searchParams.keys())
    if (!Object.hasOwn(settings, name))
      throw new UnusableDatabase(
        `The setting ${JSON.stringify(name)} in the URL of the database is unknown`,
        `Settings are ${names.join(', ')}`,
      )
  const given = (name: AddressSetting) => {
    const [usual, words, isAllowed] = settings[name]
    const text = searchParams.get(name) ?? usual
    if (isAllowed(text)) return text
    throw new UnusableDatabase(`${name}=${text} in the URL of the database cannot be used`, `Use ${words}`)
  }
  return Object.fromEntries(names.map((name) => [name, given(name)])) as Record<AddressSetting, string>
}

/** Includes the schema unless it is the default: each schema is a separate store. */
function shownUrl(parsed: URL, schema: string): string {
  const shown = new URL(parsed)
  shown.password = ''
  shown.search = schema === settings.schema[0] ? '' : new URLSearchParams({ schema }).toString()
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
