import { isCurrency } from '../../contract/currencies.ts'
import { isLookUp, type OperationName, operationRow } from '../../contract/operations.ts'
import { isObject } from '../../shared/is-object.ts'
import type { Step } from '../scenario/file/read-scenario.ts'
import type { ServerSection } from '../scenario/merchant/server-schema.ts'
import { type Observed, operationsIn } from './observe.ts'

/** A step without its place in a file. */
type NewStep = Pick<Step, 'action' | 'value'>

/** Something unkind that happens around a step of the drive: steps before it, after it, or in its place. */
export interface Move {
  /** Index of the step. */
  readonly at: number
  readonly before?: readonly NewStep[]
  readonly instead?: readonly (NewStep | Step)[]
  readonly after?: readonly NewStep[]
}

/**
 * Answers that are lost, broken or late, before or after the request is carried out; and an answer to come
 * back later.
 */
const answerFaults = [
  ...['lost-answer', 'lost-request', 'reset', 'truncated', 'not-json', 'empty'],
  ...['http-503', 'http-500', 'http-429=1', 'latency=600'],
]

/** Answers to a look-up that tell nothing, or come when something else has happened. */
const lookUpFaults = ['lost-answer', 'not-json', 'http-503', 'latency=600']

const webhookFaults = ['duplicate', 'drop', 'delay=30s', 'stale', 'bad-signature', 'reorder=2', 'other-json']

/** How the host may decide, other than to approve at once. */
const outcomes = ['insufficient-funds', 'late-approval', 'host-timeout']

/** Cards that a hosted page declines. */
const declinedCard = 'visa-declined'

/** Every move that this drive allows, by what its steps led to when the world was kind. */
export function movesFor(observed: readonly Observed[], { start, reconcile }: ServerSection): Move[] {
  return observed.flatMap((each, at) => {
    const { step } = each
    const operations = operationsIn(each)
    const changing = operations.filter((name) => !isLookUp(name))
    const opening = changing.filter((name) => operationRow(name).opens !== undefined)
    const [opened] = each.opened
    const terminal = opened?.terminalSn ?? undefined
    const tells = each.webhooks.length > 0 || opening.length > 0
    const before = (action: string, value: unknown): Move => ({ at, before: [{ action, value }] })
    const after = (action: string, value: unknown = null): Move => ({ at, after: [{ action, value }] })
    const faults = (kinds: readonly string[], names: readonly OperationName[]) =>
      names.flatMap((operation) => kinds.map((kind) => before('fault', { kind, operation })))
    return [
      ...faults(answerFaults, changing),
      ...faults(
        ['after-webhook'],
        opening.filter((name) => !operationRow(name).opensPage), // whose result waits for a customer
      ),
      ...faults(lookUpFaults, operations.filter(isLookUp)),
      ...faults(
        outcomes.map((outcome) => `outcome=${outcome}`),
        opening,
      ),
      ...(terminal === undefined ? [] : [before('terminal offline', terminal)]),
      ...(tells
        ? [
            ...webhookFaults.map((kind) => before('fault', { kind })),
            before('webhook hold', null), // in the end they arrive, the newest first
            after('webhook forge'),
          ]
        : []),
      ...(start !== undefined && tells ? [before('server crash', { on: 'webhook' })] : []),
      ...(start === undefined
        ? []
        : changing.map((name) => before('server crash', { on: operationRow(name).command }))),
      ...replacementsFor(step, at),
      ...(start === undefined ? [] : [after('server crash')]),
      ...(reconcile === undefined ? [] : [after('server reconcile')]),
      after('webhook resend', { all: true }),
      after('clock', { advance: '1d' }),
    ]
  })
}

const forge: NewStep = { action: 'webhook forge', value: null }

/** Amounts that a fraction does not hold exactly: times 100 they are 28.999…, 114.999…, 1998.999…. */
const oddAmounts = ['0.29', '1.15', '8.29', '19.99']

/** A body whose first amount is another, smaller one, written the same way; undefined: there is none. */
function withAmount(body: Body, amount: string): Body | undefined {
  const found = Object.entries(body).find(([name, value]) => isAmount(name, value))
  if (found === undefined) return undefined
  const [name, value] = found
  const isMinor = typeof value === 'number' && Number.isInteger(value)
  const written = isMinor ? Math.round(Number(amount) * 100) : Number(amount)
  return written < Number(value)
    ? { ...body, [name]: typeof value === 'number' ? written : amount }
    : undefined
}

type Body = Readonly<Record<string, unknown>>

const isDecimal = (value: unknown): value is string => typeof value === 'string' && /^\d+\.\d\d$/.test(value)

/** An amount in major units, or in minor ones as a whole number by its name. */
const isAmount = (name: string, value: unknown): boolean =>
  isDecimal(value) ||
  (typeof value === 'number' && (!Number.isInteger(value) || /amount|price|total|cents/i.test(name)))

/** Currencies without decimals, and with three: how they write what was `12.50` in another one. */
const oddCurrencies: readonly (readonly [currency: string, write: (amount: string) => string])[] = [
  ['JPY', (amount) => amount.replace('.', '')],
  ['KWD', (amount) => `${amount}5`],
]

/** The same purchase in another currency; undefined for a body that names none. */
function inCurrency(body: Body, currency: string, write: (amount: string) => string): Body | undefined {
  const [name] = Object.entries(body).find(([, value]) => isCurrency(String(value))) ?? []
  if (name === undefined || body[name] === currency) return undefined
  const amounts = Object.entries(body).flatMap(([each, value]) =>
    isDecimal(value) ? [[each, write(value)] as const] : [],
  )
  return { ...body, [name]: currency, ...Object.fromEntries(amounts) }
}

/** What a customer may do otherwise: click twice, pay with another card, or leave. */
function replacementsFor({ expect: _, ...step }: Step, at: number): Move[] {
  if (step.action === 'server request') {
    const members = isObject(step.value) ? step.value : { to: step.value }
    if (String(members.to).startsWith('GET ')) return []
    const body = isObject(members.body) ? members.body : {}
    const others = [
      ...oddAmounts.map((amount) => withAmount(body, amount)),
      ...oddCurrencies.map(([currency, write]) => inCurrency(body, currency, write)),
    ]
    const ofOthers = others.filter((other) => other !== undefined)
    return [{ ...members, together: 3 }, ...ofOthers.map((other) => ({ ...members, body: other }))].map(
      (value): Move => ({ at, instead: [{ ...step, value }] }),
    )
  }
  if (step.action !== 'checkout pay') return []
  const session = isObject(step.value) ? step.value.session : step.value
  return [
    { at, instead: [{ action: 'checkout pay', value: { session, card: declinedCard } }] },
    { at, instead: [] },
    { at, instead: [forge] },
  ]
}

/** The steps of a drive with what happens around them. */
export function withMoves(steps: readonly Step[], moves: readonly Move[]): Step[] {
  return steps.flatMap((step, index) => {
    const stepMoves = moves.filter(({ at }) => at === index)
    const placed = (all: readonly NewStep[] = []): Step[] => all.map((each) => ({ path: step.path, ...each }))
    const [instead] = stepMoves.flatMap((move) => (move.instead === undefined ? [] : [move.instead]))
    const { expect: _, ...driven } = step // the laws judge, and not what is expected of a kind world
    return [
      ...stepMoves.flatMap((move) => placed(move.before)),
      ...(instead === undefined ? [driven] : placed(instead)),
      ...stepMoves.flatMap((move) => placed(move.after)),
    ]
  })
}
