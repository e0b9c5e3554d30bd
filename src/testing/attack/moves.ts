import { isCurrency } from '../../contract/currencies.ts'
import { type SituationName, situations } from '../../contract/exam/catalogue.ts'
import type { Around, MoveRow, MoveStep, Place, Twist } from '../../contract/exam/situation.ts'
import { isLookUp, type OperationName, operationRow } from '../../contract/operations.ts'
import { isObject } from '../../shared/is-object.ts'
import type { Step } from '../scenario/file/read-scenario.ts'
import { referencesIn } from '../scenario/file/references.ts'
import type { ServerSection } from '../scenario/merchant/server-schema.ts'
import type { Drive } from './lane.ts'
import { type Observed, operationsIn } from './observe.ts'

/** A situation of the catalogue, brought about around a step of the drive. */
export interface Move {
  readonly situation: SituationName
  /** Index of the step, the first of two. */
  readonly at: number
  readonly edits: readonly Edit[]
  /** Differs from another one by its name alone. */
  readonly isAlike: boolean
}

/** Steps before a step of the drive, after it, or in its place. */
interface Edit {
  /** Index of the step. */
  readonly step: number
  readonly before?: readonly MoveStep[]
  readonly instead?: readonly MoveStep[]
  readonly after?: readonly MoveStep[]
}

/** Every move that a drive allows, by what its steps led to when nothing went wrong; no two are equal. */
export function movesFor(observed: readonly Observed[], server: ServerSection): Move[] {
  const fitting = situations.flatMap(({ name, moves = [] }) =>
    moves
      .filter(({ needs }) => needs === undefined || server[needs] !== undefined)
      .map((row) => [name, row] as const),
  )
  const moves = observed.flatMap((_, at) =>
    fitting.flatMap(([situation, row]) =>
      editsAt(observed, at, row).map(
        (edits): Move => ({ situation, at, edits, isAlike: row.isAlike ?? false }),
      ),
    ),
  )
  return [...new Map(moves.map((move) => [JSON.stringify(move.edits), move])).values()]
}

/** What may befall a request that is made only once something else went wrong. */
const inRecovery: readonly SituationName[] = [
  'answer-lost',
  'request-lost',
  'insufficient-funds',
  'host-timeout',
  'look-up-lost',
]

/**
 * A move with each that befalls an operation which it led to, and which is asked for less often in a kind
 * world: right there, and in the cron job.
 */
export function movesInRecovery(
  observed: readonly Observed[],
  server: ServerSection,
  move: Move,
  operation: OperationName,
): (readonly Move[])[] {
  const at = observed[move.at]
  if (at === undefined) return []
  const request = { ...at.requests[0], operation } as Observed['requests'][number]
  const recovering = observed.with(move.at, { ...at, requests: [request] })
  const possible = movesFor(recovering, server).filter((each) => each.at === move.at && canBeBoth(move, each))
  const further = possible.filter(({ situation, edits }) => {
    return inRecovery.includes(situation) && JSON.stringify(edits).includes(`"operation":"${operation}"`)
  })
  const cron = possible.filter(({ situation }) => situation === 'reconciled-early')
  return further.flatMap((each) => [[move, each], ...cron.map((job) => [move, each, job])])
}

/** The edits of a row at a step, once for each place of it where the row fits. */
function editsAt(observed: readonly Observed[], at: number, row: MoveRow): (readonly Edit[])[] {
  return placesAt(observed, at, row.at).flatMap((place) => {
    const all = [
      edited(observed, at, row, place),
      row.previous && edited(observed, at - 1, row.previous, place),
      row.next && edited(observed, at + 1, row.next, place),
      row.later && edited(observed, Number(place.$later), row.later, place),
    ]
    const wanted = [row, row.previous, row.next, row.later].filter((around) => around !== undefined)
    const edits = all.filter((each) => each !== undefined)
    return edits.length < wanted.length ? [] : [edits.flat().sort((one, other) => one.step - other.step)]
  })
}

/** What `$operation` and the like stand for. */
type Values = Readonly<Record<string, unknown>>

/** The places of that kind at a step of the drive. */
function placesAt(all: readonly Observed[], at: number, kind: Place): Values[] {
  const observed = all[at] as Observed
  const { step, opened, webhooks } = observed
  const operations = operationsIn(observed)
  const valuesOf = (names: typeof operations) =>
    names.map((operation) => ({ $operation: operation, $command: operationRow(operation).command }))
  const changing = operations.filter((name) => !isLookUp(name))
  const opening = changing.filter((name) => operationRow(name).opens !== undefined)
  const terminal = opened[0]?.terminalSn ?? undefined
  switch (kind) {
    case 'changing':
      return valuesOf(changing)
    case 'opening':
      return valuesOf(opening)
    case 'direct':
      return valuesOf(opening.filter((name) => !operationRow(name).opensPage))
    case 'look-up':
      return valuesOf(operations.filter(isLookUp))
    case 'webhook':
      return webhooks.length > 0 || opening.length > 0 ? [{}] : []
    case 'terminal':
      return terminal === undefined ? [] : [{ $terminal: terminal }]
    case 'page':
      return step.action === 'checkout pay' ? [{ $session: sessionOf(step) }] : []
    case 'left-page': {
      const later = all.findIndex((other, index) => index > at && other.step.action === 'checkout pay')
      return step.action === 'checkout cancel' && later > at
        ? [{ $session: sessionOf(step), $later: later }]
        : []
    }
    case 'request':
      return isWish(step) ? [{}] : []
    case 'visit':
      return step.action === 'server request' && !isWish(step) ? [{}] : []
    case 'step':
      return [{}]
  }
}

const sessionOf = ({ value }: Step): unknown => (isObject(value) ? value.session : value)

/** A request of a customer that changes something. */
const isWish = ({ action, value }: Step): boolean =>
  action === 'server request' && !String(requestOf(value).to).startsWith('GET ')

/** The members of a request, which may be written as its line alone. */
const requestOf = (value: unknown): Values => (isObject(value) ? value : { to: value })

/** The edits at a step; undefined: there is no such step, or its twist does not fit it. */
function edited(
  observed: readonly Observed[],
  at: number,
  { before, instead, after }: Around,
  place: Values,
): Edit[] | undefined {
  const [step, next] = [observed[at]?.step, observed[at + 1]?.step]
  if (step === undefined) return undefined
  if (after?.some(({ value }) => value === '$request') && !isWish(step)) return undefined
  const values = { ...place, $request: requestOf(step.value) }
  const filled = (steps?: readonly MoveStep[]) => steps?.map((each) => withValues(each, values) as MoveStep)
  const around = {
    step: at,
    ...(before && { before: filled(before) }),
    ...(after && { after: filled(after) }),
  }
  if (instead === undefined) return [around as Edit]
  if (isSteps(instead)) return [{ ...around, instead: filled(instead) } as Edit]
  const value = step.action === 'server request' ? twisted(step, next, instead) : undefined
  if (value === undefined) return undefined
  const { expect: _, path: __, ...kept } = step
  const twist = { ...around, instead: [{ ...kept, value }] } as Edit
  return isWithNext(instead) ? [twist, { step: at + 1, instead: [] }] : [twist]
}

const isSteps = (instead: readonly MoveStep[] | Twist): instead is readonly MoveStep[] =>
  Array.isArray(instead)

const isWithNext = (twist: Twist): boolean => 'together' in twist && twist.together === 'next'

/** A value with what stands for others in it. */
function withValues(value: unknown, values: Values): unknown {
  if (typeof value === 'string') return Object.hasOwn(values, value) ? values[value] : value
  if (Array.isArray(value)) return value.map((each) => withValues(each, values))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withValues(each, values)]))
}

/** A customer's request, changed; undefined where that is not possible. */
function twisted(step: Step, next: Step | undefined, twist: Twist): Values | undefined {
  const request = requestOf(step.value)
  const { body } = request
  if ('amount' in twist) return isObject(body) ? withBody(request, withAmount(body, twist.amount)) : undefined
  if ('currency' in twist)
    return isObject(body) ? withBody(request, inCurrency(body, twist.currency)) : undefined
  if (twist.together !== 'next') return { ...request, together: twist.together }
  const isApart =
    next !== undefined && isWish(next) && referencesIn(next.value).every(({ name }) => name !== step.as)
  return isApart ? { ...request, together: [requestOf(next.value)] } : undefined
}

const withBody = (request: Values, body: Values | undefined) => body && { ...request, body }

/** A body whose first amount is another, smaller one, written the same way; undefined: there is none. */
function withAmount(body: Values, amount: string): Values | undefined {
  const found = Object.entries(body).find(([name, value]) => isAmount(name, value))
  if (found === undefined) return undefined
  const [name, value] = found
  const isMinor = typeof value === 'number' && Number.isInteger(value)
  const written = isMinor ? Math.round(Number(amount) * 100) : Number(amount)
  return written < Number(value)
    ? { ...body, [name]: typeof value === 'number' ? written : amount }
    : undefined
}

const isDecimal = (value: unknown): value is string => typeof value === 'string' && /^\d+\.\d\d$/.test(value)

/** An amount in major units, or in minor ones as a whole number by its name. */
const isAmount = (name: string, value: unknown): boolean =>
  isDecimal(value) ||
  (typeof value === 'number' && (!Number.isInteger(value) || /amount|price|total|cents/i.test(name)))

/** How currencies without decimals, and with three, write what was `12.50` in another one. */
const otherDecimals: Readonly<Record<string, (amount: string) => string>> = {
  JPY: (amount) => amount.replace('.', ''),
  KWD: (amount) => `${amount}5`,
}

/** The same purchase in another currency; undefined for a body that names none. */
function inCurrency(body: Values, currency: string): Values | undefined {
  const [name] = Object.entries(body).find(([, value]) => isCurrency(String(value))) ?? []
  if (name === undefined || body[name] === currency) return undefined
  const amounts = Object.entries(body).flatMap(([each, value]) =>
    isDecimal(value) ? [[each, otherDecimals[currency]?.(value)] as const] : [],
  )
  return { ...body, [name]: currency, ...Object.fromEntries(amounts) }
}

/**
 * False where both put something in the place of the same step, as a move does with itself, or where one
 * approves late what the card of the other declines: to that card nobody can pay back.
 */
export function canBeBoth(one: Move, other: Move): boolean {
  const replaced = ({ edits }: Move) => edits.filter((edit) => edit.instead !== undefined)
  const situations = [one.situation, other.situation]
  return (
    one !== other &&
    !replaced(one).some(({ step }) => replaced(other).some((edit) => edit.step === step)) &&
    !(situations.includes('late-approval') && declinedCards.some((name) => situations.includes(name)))
  )
}

/** Situations with a card that is always declined, in refunds too. */
const declinedCards: readonly SituationName[] = ['online-declined', 'online-try-declined']

/** A move of several parts without one of them. */
export function withoutAPart(move: Move): Move[] {
  const { edits } = move
  const around = edits.flatMap(({ before = [], after = [] }) => [...before, ...after]).length
  const replaced = edits.filter(({ instead }) => instead !== undefined).length
  if (around + replaced <= 1) return []
  return edits.flatMap((edit, index) => {
    const { instead, ...kept } = edit
    const smaller = (['before', 'after'] as const).flatMap((part) =>
      (edit[part] ?? []).map((step) => ({ ...edit, [part]: edit[part]?.filter((each) => each !== step) })),
    )
    // what replaces two steps is one part
    if (instead !== undefined && replaced === 1) smaller.push(kept)
    return smaller.map((less) => ({ ...move, edits: edits.with(index, less) }))
  })
}

/** Moves of a drive without a step; undefined where one of them happens around it. */
export function withoutStep(moves: readonly Move[], index: number): readonly Move[] | undefined {
  const isAround = moves.some(({ edits }) => edits.some(({ step }) => step === index))
  const shifted = (step: number) => (step > index ? step - 1 : step)
  return isAround
    ? undefined
    : moves.map((move) => ({
        ...move,
        at: shifted(move.at),
        edits: move.edits.map((edit) => ({ ...edit, step: shifted(edit.step) })),
      }))
}

/** A drive with what happens around its steps. */
export const movedBy = (drive: Drive, moves: readonly Move[]): Drive =>
  moves.length === 0 ? drive : { ...drive, steps: withMoves(drive.steps, moves) }

/** The steps of a drive with what happens around them. */
export function withMoves(steps: readonly Step[], moves: readonly Move[]): Step[] {
  return steps.flatMap((step, index) => {
    const edits = moves.flatMap(({ edits: all }) => all.filter((edit) => edit.step === index))
    const placed = (all: readonly MoveStep[] = []): Step[] =>
      all.map((each) => ({ path: step.path, ...each }))
    const [instead] = edits.flatMap((edit) => (edit.instead === undefined ? [] : [edit.instead]))
    const { expect: _, ...driven } = step // the laws judge, and not what is expected of a kind world
    return [
      ...edits.flatMap(({ before }) => placed(before)),
      ...(instead === undefined ? [driven] : placed(instead)),
      ...edits.flatMap(({ after }) => placed(after)),
    ]
  })
}
