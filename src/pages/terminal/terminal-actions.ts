import { terminalControls } from '../../contract/control/controls/terminal-controls.ts'
import { reject, rejectField } from '../../contract/errors.ts'
import { validate } from '../../contract/validate.ts'
import type { ControlContext } from '../../sandbox/control/control-context.ts'
import {
  screenNamed,
  serialInPath,
  type TerminalControl,
  terminalHandlers,
  terminalNamed,
} from '../../sandbox/control/terminals.ts'
import { type Call, sharedBaseUrlOf } from '../../sandbox/http/call.ts'
import { sendOnce } from '../dashboard/payments/form-parts.tsx'
import type { PagesContext, Values } from '../frame/page-view.tsx'
import { formAmount, readFields } from '../serving/form-fields.ts'
import { takesSale } from './screens/workbench-view.ts'

interface TerminalForm {
  readonly control: TerminalControl & keyof typeof terminalControls
  readonly names: readonly string[]
  /** Input of the control interface for the fields of the form. */
  readonly readInput: (fields: Values) => object
}

const forTransaction = ({ transactionId }: Values) => (transactionId ? { transactionId } : {})

/** Value of a button that presents a card: its name and the entry mode, `visa-debit tap`. */
export const cardAndEntry = (card: string, entry: string): string => `${card} ${entry}`

/** Actions that the forms of a terminal post, by the last part of their path: all but `sell`. */
const actions: Readonly<Record<string, TerminalForm>> = {
  present: {
    control: 'present-card',
    names: ['transactionId', 'card', 'outcome'],
    readInput: (fields) => {
      const [card, entry] = (fields.card ?? '').split(' ')
      return { card, entry, ...(fields.outcome && { outcome: fields.outcome }), ...forTransaction(fields) }
    },
  },
  tip: {
    control: 'choose-tip',
    names: ['transactionId', 'tipAmount', 'own', 'currency'],
    readInput: ({ tipAmount, own = '', currency = '', ...fields }) => ({
      tipAmount: tipAmount ? Number(tipAmount) : formAmount(own, currency, 'tipAmount'),
      ...forTransaction(fields),
    }),
  },
  pin: {
    control: 'enter-pin',
    names: ['transactionId', 'correct'],
    readInput: (fields) => ({ correct: readBoolean(fields.correct), ...forTransaction(fields) }),
  },
  sign: { control: 'sign', names: ['transactionId'], readInput: forTransaction },
  cancel: { control: 'cancel-at-terminal', names: ['transactionId'], readInput: forTransaction },
  pair: {
    control: 'pair-terminal',
    names: ['code', 'merchantId'],
    readInput: ({ code, merchantId }) => ({ code, merchantId }),
  },
  set: {
    control: 'set-terminal',
    names: ['online', 'mode'],
    readInput: ({ online, mode }) => ({ ...(online && { online: online === 'true' }), mode }),
  },
}

const readBoolean = (text: string | undefined): boolean =>
  text === 'true' || text === 'false' ? text === 'true' : rejectField('correct', 'must be true or false')

/** True for the name of an action. */
export const isTerminalAction = (name: string): boolean => name === 'sell' || Object.hasOwn(actions, name)

/** Performs the action that a form posted. */
export async function performAction(context: PagesContext, call: Call, name: string): Promise<void> {
  if (name === 'sell') return startSale(context, call, serialInPath(call))
  const { control, names, readInput } = actions[name] as TerminalForm
  const typedInput = readInput(await readFields(call, names))
  const input = validate(terminalControls[control], withoutMissing(typedInput))
  const act = terminalHandlers[control] as (context: ControlContext, input: object, call: Call) => unknown
  await context.send(act, input, call)
}

const withoutMissing = (input: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))

/** Starts the sale typed at an idle terminal, as a request of the service. assumption: page-requests */
async function startSale(context: PagesContext, call: Call, terminalSn: string): Promise<void> {
  const names = ['transactionRequestId', 'amount', 'currency', 'tip'] as const
  const { transactionRequestId = '', amount = '', currency = '', tip } = await readFields(call, names)
  const { ledger } = terminalNamed(context, terminalSn)
  if (!takesSale(screenNamed(context, terminalSn))) reject('SBX_TERM_SCREEN', { field: 'transactionId' })
  const { appId, merchantId } = ledger.settings
  const members = {
    transactionRequestId,
    terminalSn,
    amount: formAmount(amount, currency, 'amount'),
    priceCurrency: currency,
    ...(tip === 'true' && { tipConfig: { onScreenTip: true } }),
  }
  const request = { operation: 'sale', appId, merchantId, members, outcome: null } as const
  await sendOnce(context, { ...request, baseUrl: sharedBaseUrlOf(call) }, transactionRequestId)
}
