import { terminalControls } from '../../../contract/sandbox/controls/terminal-controls.ts'
import { validate } from '../../../contract/validate.ts'
import type { DoneNotice } from '../../frame/notices.ts'
import type { PagesContext } from '../../frame/pages-context.ts'
import { queuedAt } from '../../masthead/queued-outcomes.ts'
import type { FormFields } from '../../serving/form-fields.ts'

/** Fields of the form that queues an outcome. */
export const outcomeFields = ['terminalSn', 'outcome', 'times'] as const

/** Queues an outcome on a terminal. Errors: C17, SBX_UNREGISTERED, SBX_STORE_FAIL. */
export async function queueFromForm(
  context: Pick<PagesContext, 'commands' | 'engine'>,
  { terminalSn = '', outcome = '', times = '1' }: FormFields,
): Promise<DoneNotice> {
  const input = validate(terminalControls['queue-outcome'], { outcome, times: Number(times || 'none') })
  const count = input.times ?? 1
  const serial = terminalSn.trim()
  const wasEmpty = queuedAt(context).every((each) => each.terminalSn !== serial)
  await context.commands.queueOutcome(serial, input.outcome, count)
  const payments = count === 1 ? 'the next payment' : `the next ${count} payments`
  return {
    text: `Queued ${input.outcome} for ${payments} at ${serial}.`,
    ...(wasEmpty && { undo: { path: '/outcomes/clear', fields: { terminalSn: serial } } }),
  }
}

/** Fields of the button that clears queues. */
export const clearFields = ['terminalSn'] as const

/** Clears the queue of a terminal; of all when none is named. Errors: SBX_UNREGISTERED, SBX_STORE_FAIL. */
export async function clearQueue(
  context: Pick<PagesContext, 'commands' | 'engine'>,
  { terminalSn = '' }: FormFields,
): Promise<DoneNotice> {
  const cleared = terminalSn === '' ? queuedAt(context).map((each) => each.terminalSn) : [terminalSn]
  for (const each of cleared) await context.commands.queueOutcome(each, '', 0)
  return {
    text:
      terminalSn === ''
        ? 'No outcome is queued any more.'
        : `No outcome is queued at ${terminalSn} any more.`,
  }
}
