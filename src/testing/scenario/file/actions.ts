import { type Control, namedInPath } from '../../../contract/control/control.ts'
import { type AnsweredControl, controls } from '../../../contract/control/controls/controls.ts'
import { commandArgument, memberSchemas } from '../../../contract/operation-members.ts'
import { type OperationName, operationNames, operations } from '../../../contract/operations.ts'

/** What a step can do, by the words that name it: operations and acts by their commands. */

/** An act of a person, or an order to the sandbox: a control operation with names in its path. */
export interface ControlAction {
  readonly control: AnsweredControl
  /** The member with the name in the path: a terminal or a session. */
  readonly at?: 'terminal' | 'session' | undefined
  /** The member that a single value stands for. */
  readonly short?: string
  /** Members that the words say already. */
  readonly says?: Readonly<Record<string, unknown>>
  /** The act is waited for until the screen allows it. */
  readonly awaits?: Control['act'] | undefined
  readonly summary: string
}

const places = { terminals: 'terminal', sessions: 'session' } as const

function actionsOf([control, row]: [string, Control]) {
  const { path, command = '', step, steps } = row
  const own = step !== undefined && { [command]: { summary: row.summary, ...(step && { short: step }) } }
  const at = places[namedInPath(path)?.collection as keyof typeof places]
  return Object.entries({ ...own, ...steps }).map(([action, words]): [string, ControlAction] => [
    action,
    { control: control as AnsweredControl, at, awaits: row.act, ...words },
  ])
}

/** Acts at terminals and on hosted pages, and orders to the sandbox: the steps that rows of controls have. */
export const controlActions: Readonly<Record<string, ControlAction>> = Object.fromEntries(
  Object.entries<Control>(controls).flatMap(actionsOf),
)

/** Steps other than operations and plain control operations. */
export const otherActions = {
  clock: 'Control the sandbox clock: `freeze`, `resume`, `reset`, `{ advance: 1d }` or `{ set: <time> }`',
  'wait until': 'Wait for a payment, a hosted page, a screen or delivered webhooks',
  webhook: "Check the webhooks that arrived at the scenario's receiver",
  receiver: "Set how the scenario's receiver answers",
  'webhook release':
    'End the hold and send the held webhooks, newest first; the command sends the oldest first',
  'webhook forge': "Post a false approval to the merchant's server, with a wrong signature or none",
  'server request': "Send a request to the merchant's server",
  'server crash': "Kill the merchant's server and start it again: now, on a webhook, or on an operation",
  'server reconcile': "Send the request of the server's field `reconcile`, which queries pending payments",
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
