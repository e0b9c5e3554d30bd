import { exponentOf } from '../../contract/currencies.ts'
import { rejectField } from '../../contract/errors.ts'
import { terminalControls } from '../../contract/sandbox/controls/terminal-controls.ts'
import { validate } from '../../contract/validate.ts'
import { terminalHandlers } from '../../control/terminals.ts'
import type { Call } from '../../http/call.ts'
import type { PagesContext } from '../frame/context.ts'
import { fieldsOf } from '../serving/form-fields.ts'

/** Actions that the forms of a terminal post, by the last part of their path. */

type Fields = Readonly<Record<string, string>>

interface TerminalAction {
  readonly control: keyof typeof terminalHandlers & keyof typeof terminalControls
  /** Fields of the form. */
  readonly names: readonly string[]
  /** The same action as input of the control interface. Errors: C17. */
  readonly inputOf: (fields: Fields) => object
}

const forTransaction = ({ transactionId }: Fields) => (transactionId ? { transactionId } : {})

/** Value of a button that presents a card: its name and the entry mode, `visa-debit tap`. */
export const cardAndEntry = (card: string, entry: string): string => `${card} ${entry}`

const actions: Readonly<Record<string, TerminalAction>> = {
  present: {
    control: 'present-card',
    names: ['transactionId', 'card', 'outcome'],
    inputOf: (fields) => {
      const [card, entry] = (fields.card ?? '').split(' ')
      return { card, entry, ...(fields.outcome && { outcome: fields.outcome }), ...forTransaction(fields) }
    },
  },
  tip: {
    control: 'choose-tip',
    names: ['transactionId', 'tipAmount', 'own', 'currency'],
    inputOf: (fields) => ({
      tipAmount: fields.tipAmount ? Number(fields.tipAmount) : minorUnits(fields.own ?? '', fields.currency),
      ...forTransaction(fields),
    }),
  },
  pin: {
    control: 'enter-pin',
    names: ['transactionId', 'correct'],
    inputOf: (fields) => ({ correct: readBoolean(fields.correct), ...forTransaction(fields) }),
  },
  sign: { control: 'sign', names: ['transactionId'], inputOf: forTransaction },
  cancel: { control: 'cancel-at-terminal', names: ['transactionId'], inputOf: forTransaction },
  set: {
    control: 'set-terminal',
    names: ['online', 'mode'],
    inputOf: ({ online, mode }) => ({ ...(online && { online: online === 'true' }), mode }),
  },
}

/** Errors: C17. */
const readBoolean = (text: string | undefined): boolean =>
  text === 'true' || text === 'false' ? text === 'true' : rejectField('correct', 'must be true or false')

/**
 * A tip in major units: `2`, `2.50`, `2,50`. As in the commands, an amount with a decimal point has all decimals of
 * the currency. assumption: own-tip. Errors: C17.
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

/** The same sentence as the commands have. */
const wrongDecimals = (currency: string, exponent: number, example: string): string =>
  exponent === 0
    ? `${currency} has no decimals; give a whole number, such as ${example}`
    : `${currency} has ${exponent} decimals; write all ${exponent} decimals, such as ${example}`

/** True for the name of an action. */
export const isTerminalAction = (name: string): boolean => Object.hasOwn(actions, name)

/** Performs the action that a form posted, through the handler of the control interface. Errors: Refusal. */
export async function performAction(context: PagesContext, call: Call, name: string): Promise<void> {
  const { control, names, inputOf } = actions[name] as TerminalAction
  const given = inputOf(await fieldsOf(call, names))
  const input = validate(terminalControls[control], withoutMissing(given))
  const handle = terminalHandlers[control] as (context: PagesContext, input: object, call: Call) => unknown
  await handle(context, input, call)
}

const withoutMissing = (input: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
