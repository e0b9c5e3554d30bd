import type { AnsweredControl } from '../../../contract/control/controls/controls.ts'
import type { ScreenAction } from '../../../contract/control/screens.ts'
import { commandArgument, memberSchemas } from '../../../contract/operation-members.ts'
import { type OperationName, operationNames, operations } from '../../../contract/operations.ts'

/** What a step can do, by the words that name it: operations and acts by their commands. */

/** An act of a person, or an order to the sandbox: a control operation with names in its path. */
export interface ControlAction {
  readonly control: AnsweredControl
  /** The member with the name in the path: a terminal or a session. */
  readonly at?: 'terminal' | 'session'
  /** The member that a single value stands for. */
  readonly short?: string
  /** Members that the words say already. */
  readonly says?: Readonly<Record<string, unknown>>
  /** The act is waited for until the screen allows it. */
  readonly awaits?: ScreenAction
  readonly summary: string
}

type Row = Omit<ControlAction, 'control' | 'summary'>

const row = (control: AnsweredControl, summary: string, more: Row = {}): ControlAction => ({
  control,
  summary,
  ...more,
})
const atTerminal = (control: AnsweredControl, summary: string, more: Row = {}) =>
  row(control, summary, { at: 'terminal', ...more })
const onPage = (control: AnsweredControl, summary: string) =>
  row(control, summary, { at: 'session', short: 'session' })

/** Acts at terminals and on hosted pages, and what else a sandbox does. */
export const controlActions: Readonly<Record<string, ControlAction>> = {
  'terminal present': atTerminal('present-card', 'Present a test card', { short: 'card', awaits: 'present' }),
  'terminal tip': atTerminal('choose-tip', 'Choose a tip', { short: 'tipAmount', awaits: 'tip' }),
  'terminal pin': atTerminal('enter-pin', 'Enter a PIN; correct: false for a wrong one', { awaits: 'pin' }),
  'terminal sign': atTerminal('sign', 'Sign on the screen', { awaits: 'sign' }),
  'terminal cancel': atTerminal('cancel-at-terminal', 'Press cancel', { awaits: 'cancel' }),
  'terminal queue': atTerminal('queue-outcome', 'Queue an outcome for the next payments', {
    short: 'outcome',
  }),
  'terminal set': atTerminal('set-terminal', 'Change settings of a terminal'),
  'terminal offline': atTerminal('set-terminal', 'Take a terminal offline', {
    short: 'terminal',
    says: { online: false },
  }),
  'terminal online': atTerminal('set-terminal', 'Bring a terminal online', {
    short: 'terminal',
    says: { online: true },
  }),
  'terminal show': atTerminal('screen', 'Look at the screen of a terminal', { short: 'terminal' }),
  'checkout pay': onPage('pay-session', 'Pay a hosted page with a test card'),
  'checkout cancel': onPage('cancel-session', 'Abandon a hosted page'),
  'checkout show': onPage('session', 'Look at a hosted page'),
  'webhook hold': row('hold-webhooks', 'Hold webhooks back until they are released', {
    says: { hold: true },
  }),
  'webhook resend': row('resend-webhooks', 'Send webhooks again, with the same ids'),
  fault: row('add-fault', 'Inject a fault into answers or webhooks; `none` removes all', { short: 'kind' }),
}

/** Steps other than operations and plain control operations. */
export const otherActions = {
  clock: 'Move the sandbox clock: freeze, resume, reset, advance: 1d, or set: a time',
  'wait until': 'Wait for a payment, a hosted page, a screen, or for delivered webhooks',
  webhook: 'Check what arrived at the receiver of the scenario',
  receiver: 'Say what the receiver of the scenario answers',
  'webhook release': 'Send held webhooks, the newest first, and hold no more',
  'webhook forge': "Post a false approval to the merchant's server, signed with another secret",
  'server request': "Send a request to the merchant's server",
  'server crash': "Kill the merchant's server and start it again: now, on a webhook, or on an operation",
  'server reconcile': "Let the merchant's server ask for what it does not know",
  command: "Run a command with the environment of the merchant's server",
} as const
export type OtherAction = keyof typeof otherActions

/** The operation of a command, such as `checkout create`. */
export const operationOfAction = (action: string): OperationName | undefined =>
  operationNames.find((name) => operations[name].command === action)

/** The control operation of an action, where it is one. */
export const controlOfAction = (action: string): AnsweredControl | undefined =>
  (({ clock: 'set-clock', 'webhook release': 'release-webhooks' }) as const)[action] ??
  controlActions[action]?.control

/** Everything that can be a step. */
export const actionNames: readonly string[] = [
  ...operationNames.map((name) => operations[name].command),
  ...Object.keys(controlActions),
  ...Object.keys(otherActions),
]

/** Short names of members, as on the command line: `terminal`, and the command's argument. */
export function shortNamesOf(name: OperationName): Readonly<Record<string, string>> {
  const member = commandArgument(name)?.member
  return {
    ...('terminalSn' in memberSchemas(name) && { terminal: 'terminalSn' }),
    ...(member !== undefined && { [shortArgument[member] ?? member]: member }),
  }
}

const shortArgument: Readonly<Record<string, string>> = {
  originalTransactionId: 'original',
  transactionId: 'payment',
  sessionId: 'session',
}
