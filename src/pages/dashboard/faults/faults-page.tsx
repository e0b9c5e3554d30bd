import { controls } from '../../../contract/control/controls/controls.ts'
import type { FaultView } from '../../../contract/control/fault-list.ts'
import { faultPresets, rulesOfPreset } from '../../../contract/control/fault-presets.ts'
import {
  endlessClause,
  faultGroups,
  faultValues,
  isEndless,
  isFault,
  readFault,
  writeFault,
  wrongValueIndex,
} from '../../../contract/control/faults.ts'
import { rejectField, rejectSaying } from '../../../contract/errors.ts'
import { operationNames } from '../../../contract/operations.ts'
import { faultFrequency, faultInWords, faultTarget } from '../../../contract/presentation/words.ts'
import { validate } from '../../../contract/validate.ts'
import { addFault, endPreset, startPreset } from '../../../sandbox/control/change-faults.ts'
import { capitalize } from '../../../shared/text/words.ts'
import { PostButton, Select, Submit } from '../../components/actions.tsx'
import { WholeWords } from '../../components/command.tsx'
import { formatTime, plural } from '../../components/format.ts'
import { columnsLook, sideLook } from '../../components/looks.ts'
import { Panel, Table } from '../../components/panel.tsx'
import {
  type FormState,
  type FragmentSlot,
  html,
  type MakePage,
  type PageAction,
  type PagesContext,
  type Values,
} from '../../frame/page-view.tsx'
import { pageBefore, readFields } from '../../serving/form-fields.ts'
import { formAction, formFields, RefusedNotice } from '../payments/form-parts.tsx'

/** The faults that are injected, presets of them, and a form that injects one. */
export const faultsPage: MakePage = (context, _, { values, refusal } = { values: {} }) => {
  const form = { values: { ...usualValues, ...values }, refusal }
  return {
    title: 'Faults',
    section: 'sandbox',
    lead: `Injected into answers and webhooks. When several match a request, the oldest is used. The faults ${endlessClause}.`,
    live: {
      path: '/faults/live',
      topics: ['faults', 'requests', 'webhooks'],
      again: () => context.faults.untilNextState(),
    },
    fragments: () => ({ faults: listFragment(context), presets: presetList(context) }),
    body: (slot) => (
      <div class={columnsLook}>
        <Panel title="Inject a fault" name="inject">
          <FaultForm form={form} />
        </Panel>
        <div class={sideLook}>
          <Panel title="Injected faults" name="faults">
            {slot('faults')}
          </Panel>
          <Panel
            title="Presets"
            name="presets"
            note={<span class="text-note text-ink-soft">by the sandbox clock</span>}
          >
            <PresetForm slot={slot} />
          </Panel>
        </div>
      </div>
    ),
  }
}

/** How often a fault hits, as forms send it, and in words. */
export const faultTimes = [
  ['', 'once'],
  ['10', '10 times'],
  ['always', 'always'],
] as const

const heads = ['Fault', ['Used', 'figure @max-sm:hidden'], ['Action', 'figure']] as const

/** How often a fault hits, and until when; the time at which it began is past. */
const frequencyAt = (now: number, { from, ...fault }: FaultView): string =>
  faultFrequency({ ...fault, from: fault.state === 'later' ? from : null }, (time) =>
    formatTime(Date.parse(time), now, 'UTC'),
  )

function listFragment(context: PagesContext): string {
  const faults = context.faults.list()
  const now = context.clock.now()
  if (faults.length === 0)
    return html(
      <p class="text-ink-soft text-sm">
        No fault is injected. A request can name a fault of its own in the header{' '}
        <code class="whitespace-nowrap">X-Sandbox-Fault</code>.
      </p>,
    )
  return html(
    <>
      <Table caption="Faults, the oldest first" heads={heads}>
        {faults.map((fault) => (
          <tr>
            <th scope="row">
              <span class="code whitespace-nowrap">{fault.kind}</span>{' '}
              {fault.state !== 'on' && (
                <span class={`state tone-${tones[fault.state]}`}>
                  {capitalize(fault.state.replace('-', ' '))}
                </span>
              )}
              <span class="under block">
                <WholeWords text={`${faultTarget(fault) || 'all'}, ${frequencyAt(now, fault)}`} />
              </span>
            </th>
            <td class="figure @max-sm:hidden">{fault.used}</td>
            <td class="figure">
              <PostButton
                action={`/faults/${fault.id}/clear`}
                look="quiet"
                id={`clear-${fault.id}`}
                about={`${fault.id}, ${fault.kind}`}
              >
                Remove
              </PostButton>
            </td>
          </tr>
        ))}
      </Table>
      <form class="flex px-1 border-t" method="post" action="/faults/clear">
        <Submit look="quiet" id="clear-all" className="ms-auto">
          Remove all
        </Submit>
      </form>
    </>,
  )
}

const tones = { later: 'open', 'used-up': 'closed', over: 'closed' } as const

const valueField = (kind: string, index: number): string => `${kind.replace(/[<>]/g, '')}-${index}`

const everyKind = faultGroups.flatMap(({ kinds }) => kinds)

/** What the fields of values hold at first. */
const examples: Values = Object.fromEntries(
  everyKind.flatMap(([kind, { values = [] }]) =>
    values.map(({ example }, index) => [valueField(kind, index), example] as const),
  ),
)

const usualValues: Values = { kind: 'lost-answer', ...examples }

/** Fields at which their error is shown. */
const fieldNames = [...Object.keys(examples), 'operation', 'terminalSn', 'times', 'share']

/** What stays in sight at the foot of the window: in a narrow one the button alone. */
const bar = 'submit-bar sticky bottom-0 grid bg-paper py-3 fades-above'

const FaultForm = ({ form }: { readonly form: FormState }) => (
  <form class="grid gap-4" method="post" action="/faults" data-inject>
    {form.refusal && !fieldNames.includes(form.refusal.field ?? '') && (
      <RefusedNotice refusal={form.refusal} />
    )}
    <div class="-mb-4 gap-4 xl:columns-2">
      {faultGroups.map(({ title, kinds }) => (
        <fieldset class="mb-4 break-inside-avoid">
          <legend class="mb-1.5 text-sm font-semibold">{title}</legend>
          {kinds.map(kindRow(form))}
        </fieldset>
      ))}
    </div>
    <div class={`${bar} gap-3 max-lg:contents lg:grid-cols-[minmax(0,1fr)_15rem] lg:items-end`}>
      <div class="grid grid-cols-[repeat(auto-fit,minmax(7rem,1fr))] gap-3">
        {formFields(form, [
          { name: 'operation', label: 'Operation', options: [['', 'Any'], ...operationNames] },
          { name: 'terminalSn', label: 'Terminal', optional: true, maxLength: 64 },
          { name: 'times', label: 'How often', options: faultTimes },
          { name: 'share', label: 'Share in %', optional: true, maxLength: 8, placeholder: '100' },
        ])}
      </div>
      <div class={`${bar} lg:contents`}>
        <Submit look="main">Inject</Submit>
      </div>
    </div>
  </form>
)

/** A kind with what it does; once it is chosen, with the fields of its values. */
const kindRow =
  (form: FormState) =>
  ([kind, { summary, values = [], endless }]: (typeof everyKind)[number]) => (
    <div
      class={`fault-kind border-b p-2 last:border-b-0 xl:py-1.5 has-[input:checked]:border-accent has-[input:checked]:bg-accent-tint ${endless ? 'endless' : ''}`}
    >
      <label class="grid grid-cols-[auto_9.5rem_minmax(0,1fr)] items-center gap-x-2 cursor-pointer max-sm:grid-cols-[auto_minmax(0,1fr)]">
        <input type="radio" name="kind" value={kind} checked={kind === form.values.kind} autocomplete="off" />
        <span class="code text-note">{kind}</span>
        <span class="text-note text-ink-soft max-sm:col-start-2">{summary}.</span>
      </label>
      {values.length > 0 && (
        <div class="fault-values field-pair grid gap-3 mt-2 [&_:is(input,select)]:scroll-mb-36">
          {formFields(
            form,
            values.map(({ label, hint, choices }, index) => ({
              name: valueField(kind, index),
              label,
              ...(choices === undefined ? { maxLength: 64, hint } : { options: choices }),
            })),
          )}
        </div>
      )}
    </div>
  )

/** Injects the fault that the form describes. */
export const injectAction = formAction(
  faultsPage,
  ['kind', ...fieldNames],
  async (context, values, _, call) => {
    const { operation, terminalSn, times, share } = values
    const kind = writtenIn(values)
    const read = readFault(kind)
    const takesTimes = !(isFault(read) && isEndless(read))
    const members = {
      kind,
      ...(operation && { operation }),
      ...(terminalSn && { terminalSn: terminalSn.trim() }),
      ...(times === 'always' ? { always: true } : times && takesTimes && { times: Number(times) }),
      ...(share && { share: shareIn(share) }),
    }
    const fault = await context.send(addFault, validate(controls['add-fault'], members))
    const text = `Injected ${faultInWords(fault)}, ${faultFrequency(fault)}.`
    return { to: pageBefore(call, '/faults'), notice: { text } }
  },
)

/** The fault of a form, as it is written. */
function writtenIn(fields: Values): string {
  const kind = (fields.kind ?? '').trim()
  const typed = faultValues(kind).map((_, index) => (fields[valueField(kind, index)] ?? '').trim())
  const written = writeFault(kind, typed)
  const read = readFault(written)
  if (isFault(read) || typed.length === 0) return written
  const wrong = wrongValueIndex(kind, typed)
  const { example, hint } = faultValues(kind)[wrong] ?? {}
  const message =
    hint === undefined
      ? `“${written}” ${read.wrong}: ${read.remedy}`
      : `“${typed[wrong]}” ${read.wrong}: write it such as ${example}. ${hint}`
  return rejectSaying(valueField(kind, wrong), message)
}

function shareIn(typed: string): number {
  const percent = Number(typed.replace('%', ''))
  return percent > 0 && percent <= 100
    ? percent / 100
    : rejectField('share', 'must be more than 0, and at most 100')
}

/** How long a preset may be on, in minutes of the sandbox clock. */
const minuteOptions = [1, 5, 30].map((count) => [String(count), plural(count, 'minute')] as const)

/** Starts and ends presets; those are pieces that change. */
const PresetForm = ({ slot }: { readonly slot: FragmentSlot }) => (
  <form class="grid gap-3" method="post" action="/faults/presets">
    <label class="flex items-center flex-wrap gap-2 text-sm">
      <span>On for</span>
      <Select class="w-auto" name="minutes" options={minuteOptions} chosen="5" />
    </label>
    {slot('presets')}
  </form>
)

/** The presets, each with the button that starts it, or until when it is on. */
const presetList = ({ faults, clock }: PagesContext): string =>
  html(
    <ul class="grid grid-cols-[repeat(auto-fit,minmax(min(100%,18rem),1fr))] gap-2">
      {faultPresets.map((preset) => {
        const { name, title, summary } = preset
        const ends = rulesOfPreset(preset, faults.list()).find(({ state }) => state === 'on')?.until
        const step = ends == null ? 'start' : 'end'
        return (
          <li
            class={`preset grid content-between gap-2 rounded-md border px-3 py-2 ${ends == null ? '' : '-order-1 border-accent bg-accent-tint'}`}
          >
            <p>
              <span class="font-semibold text-sm">{title}</span>
              <span class="text-note text-ink-soft block">{summary}.</span>
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

/** Starts a preset anew, or ends it, as the pressed button says. */
export const presetAction: PageAction = async (context, call) => {
  const to = '/faults'
  const { minutes = '', start, end } = await readFields(call, ['minutes', 'start', 'end'])
  const preset =
    faultPresets.find(({ name }) => name === (start ?? end)) ?? rejectField('start', 'is not a preset')
  const { title } = preset
  if (end !== undefined) {
    await context.send(endPreset, preset)
    return { to, notice: { text: `${title} is over.` } }
  }
  const length =
    minuteOptions.find(([count]) => count === minutes)?.[1] ?? rejectField('minutes', 'must be 1, 5 or 30')
  const now = context.clock.now()
  const times = [now, now + Number(minutes) * 60_000]
  const [from, until] = times.map((time) => new Date(time).toISOString()) as [string, string]
  await context.send(startPreset, preset, { from, until })
  return { to, notice: { text: `${title} is on for ${length} of the sandbox clock.` } }
}
