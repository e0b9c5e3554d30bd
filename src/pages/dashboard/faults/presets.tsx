import { rejectField } from '../../../contract/errors.ts'
import { faultPresets, rulesOfPreset } from '../../../contract/sandbox/fault-presets.ts'
import { capitalize } from '../../../text/words.ts'
import { Select, Submit } from '../../components/actions.tsx'
import { formatTime, plural } from '../../components/format.ts'
import { type FragmentSlot, html, type PageAction, type PagesContext } from '../../frame/page-view.tsx'
import { fieldsOf } from '../../serving/form-fields.ts'

/** How long a preset may be on, in minutes of the sandbox clock. */
const minuteOptions = [1, 5, 30].map((count) => [String(count), plural(count, 'minute')] as const)

/** Starts and ends presets; those are pieces that change. */
export const PresetForm = ({ slot }: { readonly slot: FragmentSlot }) => (
  <form class="stack gap-3" method="post" action="/faults/presets">
    <label class="row wrap gap-2 small">
      <span>On for</span>
      <Select name="minutes" options={minuteOptions} chosen="5" />
    </label>
    {slot('presets')}
  </form>
)

/** The presets, each with the button that starts it, or until when it is on. */
export const presetList = ({ faults, clock }: PagesContext): string =>
  html(
    <ul class="card-grid stack gap-2">
      {faultPresets.map((preset) => {
        const { name, title, summary } = preset
        const ends = rulesOfPreset(preset, faults.list()).find(({ state }) => state === 'on')?.until
        const step = ends == null ? 'start' : 'end'
        return (
          <li class="preset lined round-s pad-2-3 stack gap-2">
            <p>
              <span class="bold small">{title}</span>
              <span class="note block">{summary}.</span>
            </p>
            {ends != null && (
              <p>
                <span class="state tone-open">
                  On until {formatTime(Date.parse(ends), clock.now(), 'UTC')} UTC
                </span>
              </p>
            )}
            <p>
              <Submit name={step} value={name} id={`${step}-${name}`} about={title}>
                {capitalize(step)}
              </Submit>
            </p>
          </li>
        )
      })}
    </ul>,
  )

/** Starts a preset anew, or ends it, as the pressed button says. Errors: C17, SBX_FAULTS_FULL, SBX_STORE_FAIL. */
export const presetAction: PageAction = async ({ clock, commands }, call) => {
  const to = '/faults'
  const { minutes = '', start, end } = await fieldsOf(call, ['minutes', 'start', 'end'])
  const preset =
    faultPresets.find(({ name }) => name === (start ?? end)) ?? rejectField('start', 'is not a preset')
  const { title, name } = preset
  if (end !== undefined) {
    await commands.endPreset(preset)
    return { to, notice: { text: `${title} is over.` } }
  }
  const length =
    minuteOptions.find(([count]) => count === minutes)?.[1] ?? rejectField('minutes', 'must be 1, 5 or 30')
  const times = [clock.now(), clock.now() + Number(minutes) * 60_000] as const
  const [from, until] = times.map((time) => new Date(time).toISOString()) as [string, string]
  await commands.startPreset(preset, { from, until })
  const undo = { path: '/faults/presets', fields: { end: name } }
  return { to, notice: { text: `${title} is on for ${length} of the sandbox clock.`, undo } }
}
