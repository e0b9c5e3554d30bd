import { operations } from '../../contract/operations.ts'
import { isObject } from '../../shared/is-object.ts'
import type { Step } from '../scenario/file/read-scenario.ts'
import type { ServerSection } from '../scenario/merchant/server-schema.ts'
import { actingOperations, type Observed } from './observe.ts'

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

/** Answers that are lost or broken, before or after the request is carried out. */
const answerFaults = ['lost-answer', 'lost-request', 'truncated', 'not-json', 'empty', 'http-503', 'http-500']

const webhookFaults = ['duplicate', 'drop', 'delay=30s', 'stale', 'bad-signature', 'reorder=2']

/** How a payment in person may end, other than approved at once. */
const outcomes = ['insufficient-funds', 'late-approval', 'host-timeout']

/** Cards that a hosted page declines. */
const declinedCard = 'visa-declined'

/** Every move that this drive allows, by what its steps led to when the world was kind. */
export function movesFor(observed: readonly Observed[], { start, reconcile }: ServerSection): Move[] {
  return observed.flatMap((each, at) => {
    const { step } = each
    const acting = actingOperations(each)
    const [opened] = each.opened
    const terminal = opened?.terminalSn ?? undefined
    const tells = each.webhooks.length > 0 || acting.length > 0
    const before = (action: string, value: unknown): Move => ({ at, before: [{ action, value }] })
    const after = (action: string, value: unknown = null): Move => ({ at, after: [{ action, value }] })
    const queue = (outcome: string): NewStep => ({
      action: 'terminal queue',
      value: { terminal, outcome },
    })
    return [
      ...acting.flatMap((operation) => answerFaults.map((kind) => before('fault', { kind, operation }))),
      ...(terminal === undefined
        ? []
        : [
            ...outcomes.map((outcome): Move => ({ at, before: [queue(outcome)] })),
            { at, before: [queue('insufficient-funds')], after: [forge] },
            before('terminal offline', terminal),
          ]),
      ...(tells ? webhookFaults.map((kind) => before('fault', { kind })) : []),
      ...(tells ? [before('webhook hold', null)] : []), // in the end they arrive, the newest first
      ...(start !== undefined && tells ? [before('server crash', { on: 'webhook' })] : []),
      ...(start === undefined
        ? []
        : acting.map((operation) => before('server crash', { on: operations[operation].command }))),
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
function withAmount(body: unknown, amount: string): unknown {
  if (!isObject(body)) return undefined
  const found = Object.entries(body).find(([, value]) => isDecimal(value) && Number(value) > Number(amount))
  if (found === undefined) return undefined
  const [name, value] = found
  return { ...body, [name]: typeof value === 'number' ? Number(amount) : amount }
}

const isDecimal = (value: unknown): boolean =>
  (typeof value === 'string' && /^\d+\.\d\d$/.test(value)) ||
  (typeof value === 'number' && !Number.isInteger(value))

/** What a customer may do otherwise: click twice, pay with another card, or leave. */
function replacementsFor({ expect: _, ...step }: Step, at: number): Move[] {
  if (step.action === 'server request') {
    const members = isObject(step.value) ? step.value : { to: step.value }
    if (String(members.to).startsWith('GET ')) return []
    const others = oddAmounts.map((amount) => withAmount(members.body, amount))
    return [
      { at, instead: [{ ...step, value: { ...members, together: 3 } }] },
      ...others
        .filter((body) => body !== undefined)
        .map((body): Move => ({ at, instead: [{ ...step, value: { ...members, body } }] })),
    ]
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
