import type { Call } from '../http/call.ts'
import { createSpace, createToken, listAudit, removeSpace, revokeToken } from './access-handlers.ts'
import { addFault, clearFaults, endPreset, removeFault, startPreset } from './change-faults.ts'
import type { ControlContext } from './control-context.ts'
import { actOnSession } from './sessions.ts'
import { keepAndReset, keepAndRestore } from './state/keep-state.ts'
import { setClock } from './state/set-clock.ts'
import { diffSnapshot, removeSnapshot, saveSnapshot } from './state/snapshot-handlers.ts'
import { queueOutcomeAt, type TerminalControl, terminalHandlers } from './terminals.ts'
import { resendDeliveries, resendWebhooks } from './webhooks/resend.ts'
import { sendBody } from './webhooks/send-edited.ts'
import { releaseDeliveries, setHold } from './webhooks/webhook-hold.ts'

/** The commands of pages; each has the effects and refusals of the control interface. */
const commands = {
  actAtTerminal,
  actOnSession,
  addFault,
  clearFaults,
  createSpace,
  createToken,
  diffSnapshot,
  endPreset,
  keepAndReset,
  keepAndRestore,
  listAudit,
  removeFault,
  queueOutcome: queueOutcomeAt,
  releaseDeliveries,
  removeSnapshot,
  removeSpace,
  resendDeliveries,
  resendWebhooks,
  revokeToken,
  saveSnapshot,
  sendBody,
  setClock,
  setHold,
  startPreset,
}

/** Performs an action of a person at a terminal; `input`: as in the control interface. */
async function actAtTerminal(context: ControlContext, control: TerminalControl, input: object, call: Call) {
  const handle = terminalHandlers[control] as (context: ControlContext, input: object, call: Call) => unknown
  await handle(context, input, call)
}

type Bound<F> = F extends (context: never, ...rest: infer R) => infer A ? (...rest: R) => A : never

/** The commands of pages, bound to one sandbox: pages get no access to the state itself. */
export type PageCommands = { readonly [N in keyof typeof commands]: Bound<(typeof commands)[N]> }

export function pageCommands(context: ControlContext): PageCommands {
  const bound = Object.entries(commands).map(([name, command]) => {
    const act = command as (context: ControlContext, ...rest: unknown[]) => unknown
    return [name, (...rest: unknown[]) => act(context, ...rest)]
  })
  return Object.fromEntries(bound)
}
