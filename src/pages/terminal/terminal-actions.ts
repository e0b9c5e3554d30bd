import { exponentOf } from '../../contract/currencies.ts'
import { rejectField } from '../../contract/errors.ts'
import { terminalControls } from '../../contract/sandbox/terminal-controls.ts'
import { validate } from '../../contract/validate.ts'
import { terminalHandlers } from '../../control/terminals.ts'
import type { Call } from '../../http/call.ts'
import type { PagesContext } from '../frame/context.ts'
import { fieldsOf } from '../serving/form-fields.ts'

/** What the forms of a terminal post: the last part of the path → what is done. */

type Fields = Readonly<Record<string, string>>

interface Act {
  readonly control: keyof typeof terminalHandlers & keyof typeof terminalControls
  /** Fields of the form. */
  readonly names: readonly string[]
  /** What the control interface would be sent for it. Errors: C17. */
  readonly membersOf: (fields: Fields) => object
}

const meant = ({ transactionId }: Fields) => (transactionId ? { transactionId } : {})

/** A card and how it is presented, as one button says it: `visa-debit tap`. */
export const cardAndEntry = (card: string, entry: string): string => `${card} ${entry}`

const acts: Readonly<Record<string, Act>> = {
  present: {
    control: 'present-card',
    names: ['transactionId', 'card', 'outcome'],
    membersOf: (fields) => {
      const [card, entry] = (fields.card ?? '').split(' ')
      return { card, entry, ...(fields.outcome && { outcome: fields.outcome }), ...meant(fields) }
    },
  },
  tip: {
    control: 'choose-tip',
    names: ['transactionId', 'tipAmount', 'own', 'currency'],
    membersOf: (fields) => ({
      tipAmount: fields.tipAmount ? Number(fields.tipAmount) : minorUnits(fields.own ?? '', fields.currency),
      ...meant(fields),
    }),
  },
  pin: {
    control: 'enter-pin',
    names: ['transactionId', 'correct'],
    membersOf: (fields) => ({ correct: rightOrWrong(fields.correct), ...meant(fields) }),
  },
  sign: { control: 'sign', names: ['transactionId'], membersOf: meant },
  cancel: { control: 'cancel-at-terminal', names: ['transactionId'], membersOf: meant },
  set: {
    control: 'set-terminal',
    names: ['online', 'mode'],
    membersOf: ({ online, mode }) => ({ ...(online && { online: online === 'true' }), mode }),
  },
}

/** Errors: C17. */
const rightOrWrong = (text: string | undefined): boolean =>
  text === 'true' || text === 'false' ? text === 'true' : rejectField('correct', 'must be true or false')

/**
 * A tip as people say it, in major units: `2`, `2.50`, `2,50`. As in the commands, with a decimal point it has all the
 * currency's decimals. assumption: own-tip. Errors: C17.
 */
function minorUnits(typed: string, currency = 'USD'): number {
  const exponent = exponentOf(currency) ?? 2
  const [, whole, decimals] = /^\s*(\d{1,10})(?:[.,](\d*))?\s*$/.exec(typed) ?? []
  if (whole === undefined)
    return rejectField('tipAmount', `must be an amount like ${exampleOf('2', '5', exponent)}`)
  if (decimals !== undefined && decimals.length !== exponent)
    rejectField('tipAmount', wrongDecimals(currency, exponent, exampleOf(whole, decimals, exponent)))
  return Number(whole + (decimals ?? '').padEnd(exponent, '0'))
}

const exampleOf = (whole: string, decimals: string, exponent: number): string =>
  exponent === 0 ? whole : `${whole}.${decimals.padEnd(exponent, '0').slice(0, exponent)}`

/** The words of the commands. */
const wrongDecimals = (currency: string, exponent: number, example: string): string =>
  exponent === 0
    ? `${currency} has no decimals; give a whole number, such as ${example}`
    : `${currency} has ${exponent} decimals; write all ${exponent} decimals, such as ${example}`

/** True for something that the forms do. */
export const isTerminalAction = (name: string): boolean => Object.hasOwn(acts, name)

/** Does what a form posts, exactly as the control interface does it. Errors: Refusal. */
export async function performAction(context: PagesContext, call: Call, name: string): Promise<void> {
  const { control, names, membersOf } = acts[name] as Act
  const members = membersOf(await fieldsOf(call, names))
  const { input } = validate(terminalControls[control], withoutMissing(members), true)
  const handle = terminalHandlers[control] as (context: PagesContext, input: object, call: Call) => unknown
  await handle(context, input, call)
}

const withoutMissing = (members: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
