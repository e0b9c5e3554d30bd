import { isObject } from '../../shared/is-object.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { hiddenMark } from '../control/request-log-answers.ts'
import { formatAmount } from '../currencies.ts'
import { defaultPort, headerNames, sandboxHeaders, sendingHeaders } from '../headers.ts'
import {
  commandArgument,
  flagName,
  hasFlag,
  madeDescription,
  memberSchemas,
  moneyMembers,
  needs,
} from '../operation-members.ts'
import { type OperationName, operations } from '../operations.ts'
import type { Members } from '../validate.ts'

/** A request as it can be sent again from a shell. */

type HeaderPairs = readonly (readonly [name: string, value: string])[]

/** Headers that curl makes by itself. */
const curlHeaders = new Set([...sendingHeaders, 'accept-encoding'])

/** Where commands look for a sandbox by default. */
const defaultBaseUrls = new Set(['127.0.0.1', 'localhost'].map((host) => `http://${host}:${defaultPort}`))

/** The address that a command has to name; undefined where commands find the sandbox by themselves. */
function addressToName(baseUrl: string): string | undefined {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl).href.replace(/\/$/, '') : baseUrl
  return defaultBaseUrls.has(url) ? undefined : shellQuote(url)
}

/** The command with the address of its sandbox, unless commands find it there by themselves. */
export function addressed(command: string, baseUrl: string): string {
  const address = addressToName(baseUrl)
  return address === undefined ? command : `${command} --base-url ${address}`
}

/** What a shell is told once, so that commands find the sandbox; undefined where they do by themselves. */
export function addressVariable(baseUrl: string): string | undefined {
  const address = addressToName(baseUrl)
  return address && `export TILLBOX_BASE_URL=${address}`
}

/** What a shell puts in place of what was sent. */
const fresh: Readonly<Record<string, string>> = {
  [headerNames.clientRequestId.toLowerCase()]: "$(node -p 'crypto.randomUUID()')",
  [headerNames.timestamp.toLowerCase()]: '$(date +%s000)',
}

/** The key as a variable; while it is not set, the shell says so and sends nothing. */
export const keyVariable = '${TILLBOX_API_KEY:?set it to your API key}'
const tokenVariable = '${TILLBOX_TOKEN:?set it to the token of the sandbox}'

/** Refusals of a header that is then copied as it was sent. */
const asSent = /^SBX_(TIME|REQ_ID)_/

/** What was sent, as far as a copy needs it. */
interface CopiedRequest {
  readonly method: string
  readonly url: string
  readonly headers: HeaderPairs
  readonly body: string
  readonly code: string
  /** The key that was sent when it is one of the fixture's, which are public; null for any other. */
  readonly publicKey: string | null
  /** For a request of a tillbox command, to any service; absent for one from the log of a sandbox. */
  readonly byCommand?: {
    /** True for a server whose certificate only its sandbox knows. */
    readonly selfSigned: boolean
    /** Headers that somebody typed, in small letters: they are copied as they are. */
    readonly typed: ReadonlySet<string>
  }
}

/**
 * The request for curl. Its key is the variable TILLBOX_API_KEY, by default the fixture's key; if another key
 * was sent, the shell reports that the variable must be set. Time and request id are generated again, because
 * old ones are refused; they are kept if the request was refused for them. Hidden values are left out. The
 * self-signed certificate is not checked. The request of a command contains a public key itself, so that no
 * variable sends another key there.
 */
export function curlCommand(sent: CopiedRequest): string {
  const { method, url, headers, body, byCommand } = sent
  const unchecked = url.startsWith('https:') && (byCommand?.selfSigned ?? true)
  const options = `-sS${unchecked ? 'k' : ''}${/[[\]{}]/.test(url) ? 'g' : ''}` // g: brackets as they are
  const lines = [`curl ${options} ${shellQuote(url)}`]
  if (method !== (body === '' ? 'GET' : 'POST')) lines.push(`-X ${method}`)
  for (const [name, value] of headers) {
    const header = headerFor(name, value, sent)
    if (header !== undefined) lines.push(`-H ${header}`)
  }
  if (body !== '') lines.push(`--data-raw ${shellQuote(body)}`)
  return lines.join(' \\\n  ')
}

function headerFor(name: string, value: string, sent: CopiedRequest): string | undefined {
  const lower = name.toLowerCase()
  if (curlHeaders.has(lower)) return undefined
  if (lower === 'authorization') return `"${name}: Bearer ${keyFor(sent)}"`
  if (lower === sandboxHeaders.token.toLowerCase()) return `"${name}: ${tokenVariable}"`
  if (value.includes(hiddenMark)) return undefined
  const isAsSent = asSent.test(sent.code) || sent.byCommand?.typed.has(lower)
  const made = isAsSent ? undefined : fresh[lower]
  if (made !== undefined) return `"${name}: ${made}"`
  return shellQuote(value === '' ? `${name};` : `${name}: ${value}`) // with a colon alone curl leaves it out
}

function keyFor({ publicKey, byCommand }: CopiedRequest): string {
  if (publicKey === null) return keyVariable
  return byCommand === undefined ? `\${TILLBOX_API_KEY:-${publicKey}}` : publicKey
}

/** Members that name the application and merchant; a command takes them from its connection. */
const parties = new Set(['appId', 'merchantId'])

/**
 * The command that asks for the same. Ids that a command makes by itself are left out, so that it can be run
 * again. `members`: of the body, or of the query. `currency`: of amounts that name none.
 */
export function tillboxCommand(
  name: OperationName,
  members: Members,
  headers: HeaderPairs,
  currency = 'USD',
): string {
  const { command } = operations[name]
  const argument = commandArgument(name)?.member
  const words = [`tillbox ${command}`]
  const named = argument === undefined ? undefined : members[argument]
  if (named != null) words.push(shellQuote(asText(named)))
  const accepted = memberSchemas(name)
  const inside = isObject(members.amount) ? members.amount.priceCurrency : undefined
  const code = String([inside, members.priceCurrency].find((each) => typeof each === 'string') ?? currency)
  for (const [member, value] of Object.entries(members)) {
    if (value == null || member === argument || member === 'nextToken') continue
    if (member === 'priceCurrency' && inside != null) continue // a flag of the amount says it
    if (Object.hasOwn(accepted, member) || parties.has(member))
      words.push(...wordsFor(name, member, value, code))
  }
  const outcome = headers.find(([header]) => header.toLowerCase() === sandboxHeaders.outcome.toLowerCase())
  if (outcome !== undefined) words.push(`--outcome ${shellQuote(outcome[1])}`)
  return words.join(' ')
}

function wordsFor(name: OperationName, member: string, value: unknown, currency: string): string[] {
  if (member === 'transactionRequestId' && needs(name, member)) return []
  if (member === 'description' && value === madeDescription(name)) return []
  const flag = hasFlag(name, member) ? flagName(member) : undefined
  if (flag !== undefined && typeof value === 'boolean') return [value ? `--${flag}` : `--no-${flag}`]
  if (flag !== undefined && member === 'amount' && isObject(value)) return amountWords(name, value, currency)
  return memberWords(name, member, value, currency)
}

/** A member as a flag, or by --set; none for a value that is hidden. Amounts are in major units. */
function memberWords(name: OperationName, member: string, value: unknown, currency: string): string[] {
  const isAmount = moneyMembers.has(member) && Number.isSafeInteger(value)
  const text = isAmount ? formatAmount(value as number, currency) : asText(value)
  if (text.includes(hiddenMark)) return []
  if (!hasFlag(name, member)) return [`--set ${shellQuote(`${member}=${text}`)}`]
  const between = text.startsWith('-') ? '=' : ' ' // a value that begins with a dash would be read as another flag
  return [`--${flagName(member)}${between}${shellQuote(text)}`]
}

/** A value of JSON in a word; an object may have a member toString that is not a function. */
const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** The object of the SDKs in flags; the currency is one of them. */
const amountWords = (name: OperationName, amount: Members, currency: string): string[] =>
  Object.entries(amount).flatMap(([part, value]) => {
    const member = part === 'orderAmount' ? 'amount' : part
    const isAmountMember = member === 'priceCurrency' || moneyMembers.has(member)
    return isAmountMember && value != null ? memberWords(name, member, value, currency) : []
  })
