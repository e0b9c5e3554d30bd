import { nearest } from '../../text/suggest.ts'

/** Flags of a command, by its id: `sandbox:start`. */
export interface CommandWithFlags {
  readonly id: string
  readonly hidden?: boolean
  readonly flags: Readonly<Record<string, unknown>>
}

/** Plain words, and words of other tools, with the flags that they may mean: the command's first match, or another command. */
const plainWords: Readonly<Record<string, readonly string[]>> = {
  amount: ['amount', 'tip-amount'],
  tip: ['tip-amount', 'percent', 'tip-percent'],
  tax: ['set'],
  surcharge: ['set'],
  cashback: ['set'],
  currency: ['price-currency'],
  order: ['reference-order-id'],
  reference: ['reference-order-id'],
  request: ['transaction-request-id', 'client-request-id'],
  'request-id': ['transaction-request-id', 'client-request-id'],
  'idempotency-key': ['transaction-request-id', 'client-request-id'],
  original: ['original-transaction-request-id'],
  sn: ['terminal'],
  serial: ['terminal'],
  'terminal-id': ['terminal'],
  'terminal-sn': ['terminal'],
  device: ['terminal'],
  result: ['outcome'],
  webhook: ['notify-url', 'forward-to', 'to'],
  'webhook-url': ['notify-url', 'forward-to', 'to'],
  callback: ['notify-url'],
  url: ['base-url', 'to', 'forward-to'],
  host: ['base-url'],
  endpoint: ['base-url'],
  key: ['api-key'],
  token: ['api-key'],
  app: ['app-id', 'application'],
  'app-id': ['application'],
  application: ['app-id'],
  'merchant-id': ['merchant'],
  type: ['events', 'operation'],
  op: ['operation'],
  output: ['report-file'],
  note: ['set'],
  description: ['set'],
  metadata: ['set'],
  attach: ['set'],
  card: ['terminal set --card'],
  signature: ['header'],
  timeout: ['wait'],
  async: ['no-wait'],
  background: ['detach', 'no-wait'],
  force: ['yes', 'force'],
  confirm: ['yes'],
  tail: ['limit'],
  count: ['times', 'limit'],
  lines: ['limit'],
  last: ['limit'],
  after: ['since', 'start-time'],
  from: ['since', 'start-time'],
  until: ['end-time'],
  grace: ['overlap'],
  overlap: ['grace'],
  folder: ['state'],
  dir: ['state'],
  latency: ['delay'],
}

/** Commands that are named with a flag of theirs, at most. */
const mostCommands = 3

/**
 * The most likely flag for an unknown one, as a sentence; undefined when none is similar. Plain words come first, then
 * parts of a flag's name, flags of other commands, and the nearest spelling.
 */
export function flagHint(
  typed: string,
  known: readonly string[],
  commands: readonly CommandWithFlags[],
): string | undefined {
  const suggested = byPlainWord(typed, known) ?? byPart(typed, known)
  if (suggested !== undefined)
    return `Did you mean ${suggested.includes(' ') ? 'tillbox ' : '--'}${suggested}?`
  const owners = commands.filter(({ flags, hidden }) => !hidden && Object.hasOwn(flags, typed))
  const near = nearest(typed, known)
  if (owners.length === 0) return near && `Did you mean --${near}?`
  return `--${typed} is a flag of ${namesOf(owners)}.`
}

const byPlainWord = (typed: string, known: readonly string[]): string | undefined =>
  (Object.hasOwn(plainWords, typed) ? plainWords[typed] : undefined)?.find(
    (flag) => known.includes(flag) || flag.includes(' '),
  )

/** `order-id` is a part of `reference-order-id`; a part of several flags is ambiguous. */
function byPart(typed: string, known: readonly string[]): string | undefined {
  const holding = known.filter((flag) => `-${flag}-`.includes(`-${typed}-`))
  return holding.length === 1 ? holding[0] : undefined
}

function namesOf(commands: readonly CommandWithFlags[]): string {
  const names = commands.slice(0, mostCommands).map(({ id }) => id.replaceAll(':', ' '))
  const more = commands.length - names.length
  if (more > 0) return `${names.join(', ')} and ${more} more`
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ')
}
