import { clockControls } from '../../../contract/control/controls/clock-controls.ts'
import { terminalControls } from '../../../contract/control/controls/terminal-controls.ts'
import { rejectField } from '../../../contract/errors.ts'
import { validate } from '../../../contract/validate.ts'
import { setClock } from '../../../sandbox/control/state/set-clock.ts'
import { isThere, queueOutcomeAt } from '../../../sandbox/control/terminals.ts'
import type { Call } from '../../../sandbox/http/call.ts'
import { parseDuration } from '../../../shared/text/duration.ts'
import { typedTime } from '../../../shared/text/typed-time.ts'
import { formatDateTime } from '../../components/format.ts'
import type { DoneNotice, NoticeRedirect, PageAction, PagesContext, Values } from '../../frame/page-view.tsx'
import { queuedAt } from '../../masthead/masthead.tsx'
import { pageBefore, readFields } from '../../serving/form-fields.ts'
import { formAction } from '../payments/form-parts.tsx'
import { clockPage } from './clock-page.tsx'

/** Queues an outcome for the next payment at a terminal. */
export const queueAction: PageAction = async (context, call) => {
  const { terminalSn = '', outcome = '' } = await readFields(call, ['terminalSn', 'outcome'])
  const input = validate(terminalControls['queue-outcome'], { outcome })
  if (!isThere(context, terminalSn)) return gone(call, terminalSn)
  await context.send(queueOutcomeAt, terminalSn, input.outcome, 1)
  const text = `Queued ${input.outcome} for the next payment at ${terminalSn}.`
  return { to: pageBefore(call), notice: { text } }
}

/** A page that stayed open may name a terminal that was removed. */
const gone = (call: Call, terminalSn: string): NoticeRedirect => ({
  to: pageBefore(call),
  notice: { text: `The terminal ${terminalSn} is removed already.` },
})

/** Clears the queue of a terminal; of all when none is named. */
export const clearQueueAction: PageAction = async (context, call) => {
  const { terminalSn = '' } = await readFields(call, ['terminalSn'])
  if (terminalSn !== '' && !isThere(context, terminalSn)) return gone(call, terminalSn)
  const cleared = terminalSn === '' ? queuedAt(context).map((each) => each.terminalSn) : [terminalSn]
  for (const each of cleared) await context.send(queueOutcomeAt, each, '', 0)
  const text = `No outcome is queued${terminalSn && ` at ${terminalSn}`} any more.`
  return { to: pageBefore(call), notice: { text } }
}

/** Does what a form or button tells the clock. */
export const clockAction = formAction(clockPage, ['order', 'time'], async (context, values, _, call) => ({
  to: pageBefore(call),
  notice: await moveClock(context, values),
}))

/** Moves the clock. */
async function moveClock(context: PagesContext, { order = '', time = '' }: Values): Promise<DoneNotice> {
  const input = clockInput(context, order, time)
  if (input === null) return { text: 'Nothing is due: the clock was not moved.' }
  await context.send(setClock, validate(clockControls['set-clock'], input))
  const { clock } = context
  const now = `${formatDateTime(clock.now(), 'UTC')} UTC`
  if (input.action === 'reset') return { text: 'The sandbox clock is back to real time.' }
  const pace = clock.speed === 1 ? '' : `, ${clock.speed}× as fast as the wall clock`
  if (!clock.frozen) return { text: `The sandbox clock runs from ${now}${pace}.` }
  return { text: `The sandbox clock stands at ${now}${pace && `; once resumed it runs${pace.slice(1)}`}.` }
}

/** The order in the form of the control interface; null when no event is due. */
function clockInput({ clock, engine }: PagesContext, order: string, time: string) {
  const [, speed] = /^(\d{1,4})x$/.exec(order) ?? []
  if (speed !== undefined) return { action: 'speed', speed: Number(speed) }
  const step = order === 'set' ? typedStep(time) : parseDuration(order)
  if (step !== undefined) return { action: 'advance', milliseconds: step }
  const advanceTo = (at: number) => ({
    action: 'advance',
    milliseconds: Math.max(0, Math.ceil(at - clock.now())),
  })
  switch (order) {
    case 'next-due': {
      const due = engine.earliest()
      return due === undefined ? null : advanceTo(due)
    }
    case 'until':
      return advanceTo(Date.parse(time))
    case 'set':
      return advanceTo(timeAhead(time.trim(), clock.now()))
    case 'freeze':
    case 'resume':
    case 'reset':
      return { action: order }
    default:
      return rejectField(
        'order',
        'must be a duration such as 1h, a speed such as 60x, next-due, until, set, freeze, resume or reset',
      )
  }
}

/** A typed step in milliseconds: `2d`, `+2 d`, `2d 3h`; undefined for anything else. */
const typedStep = (typed: string): number | undefined => parseDuration(typed.replace(/[+ ]/g, ''))

/** A typed time in milliseconds, in UTC where it names no zone; a date alone is its beginning. */
function timeAhead(typed: string, now: number): number {
  const [, date, time = '00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/i.exec(typed) ?? []
  const at = typedTime(typed, now) ?? Date.parse(`${date}T${time}${zone}`)
  if (Number.isNaN(at))
    rejectField('time', 'must be a duration such as 2d, or a time such as tomorrow 9:00 or 2027-01-01 18:02')
  if (at < now) rejectField('time', 'is in the past: tillbox sandbox clock --set sets the clock back')
  return at
}
