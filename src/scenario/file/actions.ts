import { argumentOf, flagName } from '../../contract/operation-members.ts'
import { type OperationName, operationNames, operations } from '../../contract/operations.ts'
import type { AnsweredControl } from '../../contract/sandbox/controls/controls.ts'
import type { ScreenAction } from '../../contract/sandbox/screens.ts'

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

/** Acts at terminals and on hosted pages, and what else a sandbox does. */
export const controlActions: Readonly<Record<string, ControlAction>> = {
  'terminal present': {
    control: 'present-card',
    at: 'terminal',
    short: 'card',
    awaits: 'present',
    summary: 'Present a test card',
  },
  'terminal tip': {
    control: 'choose-tip',
    at: 'terminal',
    short: 'tipAmount',
    awaits: 'tip',
    summary: 'Choose a tip',
  },
  'terminal pin': {
    control: 'enter-pin',
    at: 'terminal',
    awaits: 'pin',
    summary: 'Enter a PIN; correct: false for a wrong one',
  },
  'terminal sign': { control: 'sign', at: 'terminal', awaits: 'sign', summary: 'Sign on the screen' },
  'terminal cancel': {
    control: 'cancel-at-terminal',
    at: 'terminal',
    awaits: 'cancel',
    summary: 'Press cancel',
  },
  'terminal queue': {
    control: 'queue-outcome',
    at: 'terminal',
    short: 'outcome',
    summary: 'Queue an outcome for the next payments',
  },
  'terminal set': { control: 'set-terminal', at: 'terminal', summary: 'Change settings of a terminal' },
  'terminal offline': {
    control: 'set-terminal',
    at: 'terminal',
    short: 'terminal',
    says: { online: false },
    summary: 'Take a terminal offline',
  },
  'terminal online': {
    control: 'set-terminal',
    at: 'terminal',
    short: 'terminal',
    says: { online: true },
    summary: 'Bring a terminal online',
  },
  'terminal show': {
    control: 'screen',
    at: 'terminal',
    short: 'terminal',
    summary: 'Look at the screen of a terminal',
  },
  'checkout pay': {
    control: 'pay-session',
    at: 'session',
    short: 'session',
    summary: 'Pay a hosted page with a test card',
  },
  'checkout cancel': {
    control: 'cancel-session',
    at: 'session',
    short: 'session',
    summary: 'Abandon a hosted page',
  },
  'checkout show': {
    control: 'session',
    at: 'session',
    short: 'session',
    summary: 'Look at a hosted page',
  },
  'webhook hold': {
    control: 'hold-webhooks',
    says: { hold: true },
    summary: 'Hold webhooks back until they are released',
  },
  'webhook resend': {
    control: 'resend-webhooks',
    summary: 'Send webhooks again, with the same ids',
  },
  fault: {
    control: 'add-fault',
    short: 'kind',
    summary: 'Inject a fault into answers or webhooks; `none` removes all',
  },
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

/** Everything that can be a step. */
export const actionNames: readonly string[] = [
  ...operationNames.map((name) => operations[name].command),
  ...Object.keys(controlActions),
  ...Object.keys(otherActions),
]

/** Short names of members, as on the command line: `terminal`, and the command's argument. */
export function shortNamesOf(name: OperationName): Readonly<Record<string, string>> {
  const argument = operations[name].input.entries
  const named = argumentOf(name)
  const { member } = named ?? {}
  return {
    ...('terminalSn' in argument && { [flagName('terminalSn')]: 'terminalSn' }),
    ...(member !== undefined && { [shortArgument[member] ?? member]: member }),
  }
}

const shortArgument: Readonly<Record<string, string>> = {
  originalTransactionId: 'original',
  transactionId: 'payment',
  sessionId: 'session',
}
