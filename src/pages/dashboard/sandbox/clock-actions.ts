import { rejectField } from '../../../contract/errors.ts'
import { clockControls } from '../../../contract/sandbox/controls/clock-controls.ts'
import { validate } from '../../../contract/validate.ts'
import { formatDateTime } from '../../components/format.ts'
import type { DoneNotice } from '../../frame/notices.ts'
import type { PagesContext } from '../../frame/pages-context.ts'
import { clockSteps } from '../../masthead/clock-menu.tsx'
import type { FormFields } from '../../serving/form-fields.ts'

/** Fields of the forms that move the clock. */
export const clockFields = ['order', 'time'] as const

/** Moves the clock as a button of the masthead says. Errors: C17, SBX_STORE_FAIL. */
export async function moveClock(
  context: Pick<PagesContext, 'clock' | 'commands' | 'engine'>,
  { order = '', time = '' }: FormFields,
): Promise<DoneNotice> {
  const input = inputOf(context, order, time)
  if (input === null) return { text: 'Nothing is due: the clock was not moved.' }
  await context.commands.setClock(validate(clockControls['set-clock'], input))
  const { clock } = context
  const now = `${formatDateTime(clock.now(), 'UTC')} UTC`
  if (input.action === 'reset') return { text: 'The sandbox clock is back to real time.' }
  return { text: `The sandbox clock ${clock.frozen ? 'stands at' : 'runs from'} ${now}.` }
}

/** The order in the form of the control interface; null when no event is due. Errors: C17. */
function inputOf({ clock, engine }: Pick<PagesContext, 'clock' | 'engine'>, order: string, time: string) {
  const step = Object.entries(clockSteps).find(([name]) => name === order)
  if (step !== undefined) return { action: 'advance', milliseconds: step[1][1] }
  switch (order) {
    case 'next-due': {
      const due = engine.earliest()
      return due === undefined
        ? null
        : { action: 'advance', milliseconds: Math.max(0, Math.ceil(due - clock.now())) }
    }
    case 'set':
      return { action: 'set', time: /[Zz]|[+-]\d\d:\d\d$/.test(time) ? time : `${time}Z` }
    case 'freeze':
    case 'resume':
    case 'reset':
      return { action: order }
    default:
      return rejectField(
        'order',
        `must be ${[...Object.keys(clockSteps), 'next-due', 'set', 'freeze', 'resume'].join(', ')} or reset`,
      )
  }
}
