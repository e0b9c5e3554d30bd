import { controls } from '../../../contract/sandbox/controls/controls.ts'
import type { FaultView } from '../../../contract/sandbox/fault-list.ts'
import { validate } from '../../../contract/validate.ts'
import type { PagesContext } from '../../frame/pages-context.ts'

/** Fields of the form that injects a fault. */
export const faultFields = ['kind', 'operation', 'terminalSn', 'times'] as const

/** Injects the fault that a form describes, and answers it. Errors: C17, SBX_FAULTS_FULL, SBX_STORE_FAIL. */
export async function addFromForm(
  context: Pick<PagesContext, 'commands'>,
  { kind = '', operation, terminalSn, times }: Readonly<Record<string, string>>,
): Promise<FaultView> {
  const members = {
    kind: kind.trim(),
    ...(operation && { operation }),
    ...(terminalSn && { terminalSn: terminalSn.trim() }),
    ...(times === 'always' ? { always: true } : times && { times: Number(times) }),
  }
  const input = validate(controls['add-fault'], members)
  return context.commands.addFault(input)
}
