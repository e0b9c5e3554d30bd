import type { Lane, LaneName, Sequence, SequenceStep } from '../../../contract/presentation/sequence.ts'
import { shortDuration } from '../../../shared/text/duration-words.ts'
import { WholeWords } from '../../components/command.tsx'

/** Where there is room: the time, the arrow, and the words of a step side by side. */
const columns =
  '@min-[36rem]:grid @min-[36rem]:grid-cols-[4.5rem_minmax(18rem,2fr)_minmax(11rem,1fr)] @min-[36rem]:items-stretch @min-[36rem]:gap-x-3 @min-[36rem]:p-0'

/** A sequence diagram: a lifeline for each participant, and an arrow with a text for each step. */
export const SequenceDiagram = ({ sequence: { lanes, steps } }: { readonly sequence: Sequence }) => {
  const label = (name: LaneName) => lanes[laneIndex(lanes, name)]?.label ?? name
  return (
    <div class="sequence @container">
      <div
        class={`sticky top-(--masthead) z-1 grid grid-cols-1 border-b bg-paper pb-2 ${columns}`}
        aria-hidden="true"
      >
        <span />
        <svg
          class="h-6 w-full overflow-visible fill-ink text-[clamp(0.625rem,3vw,var(--text-note))] font-semibold capitalize [text-anchor:middle]"
          aria-hidden="true"
        >
          {lanes.map(({ label }, index) => (
            <text x={middle(lanes, index)} y="1.1em">
              {label}
            </text>
          ))}
        </svg>
      </div>
      <div class="relative">
        <div class={`absolute inset-0 grid grid-cols-1 ${columns}`}>
          <svg class="size-full @min-[36rem]:col-start-2" aria-hidden="true">
            {lanes.map((_, index) => (
              <line
                class="stroke-line"
                x1={middle(lanes, index)}
                x2={middle(lanes, index)}
                y1="0"
                y2="100%"
              />
            ))}
          </svg>
        </div>
        <ol class="relative">
          {steps.map((step, index) => (
            <li
              class={`flex flex-wrap items-baseline pt-1 ${columns} tone-${step.tone}${step.isAwaited ? ' awaited' : ''}`}
            >
              <span
                class="bg-paper text-note text-ink-soft tabular-nums not-empty:pe-2 @min-[36rem]:pe-0! @min-[36rem]:self-center @min-[36rem]:text-end"
                title={step.time}
              >
                {timeIn(step, steps[index - 1])
                  .match(/ ?\S+/g)
                  ?.map((part) => (
                    <span class="whitespace-nowrap">{part}</span>
                  ))}
              </span>
              {arrow(lanes, step)}
              <p class="flex-[1_1_55%] text-sm/[1.35] @min-[36rem]:col-start-3 @min-[36rem]:self-center @min-[36rem]:py-1">
                <span class="sr-only">
                  {label(step.from)}
                  {step.from !== step.to && ` to ${label(step.to)}`}:{' '}
                </span>
                <span class="inline-block bg-paper pe-1 font-medium first-letter:uppercase in-[.tone-bad]:text-bad">
                  {step.about === null ? (
                    <WholeWords text={step.text} />
                  ) : (
                    <a
                      class="in-[.tone-bad]:text-bad in-[.tone-open]:text-warm"
                      href={`/${step.about.what}s/${step.about.id}`}
                    >
                      {step.text}
                    </a>
                  )}
                </span>
                {step.note !== null && (
                  <span class="block w-fit bg-paper pe-1 text-note text-ink-soft">{step.note}</span>
                )}
              </p>
            </li>
          ))}
        </ol>
      </div>
    </div>
  )
}

const laneIndex = (lanes: readonly Lane[], name: LaneName): number =>
  lanes.findIndex((lane) => lane.name === name)

/** The time of day, with the date if it differs; within a minute of the last step, the time since. */
function timeIn({ at, time }: SequenceStep, before: SequenceStep | undefined): string {
  const [date = '', clock = ''] = time.split('T')
  if (before === undefined) return clock
  const passed = at - before.at
  if (passed === 0) return ''
  if (passed >= 0 && passed < 60_000) return `+${shortDuration(passed)}`
  return before.time.startsWith(date) ? clock : `${date} ${clock}`
}

const middle = ({ length }: readonly Lane[], index: number): string => `${((index + 0.5) * 100) / length}%`

const lineLook = 'fill-paper stroke-(--tone) stroke-[1.5]'

const arrow = (lanes: readonly Lane[], step: SequenceStep) => {
  const [from, to] = [laneIndex(lanes, step.from), laneIndex(lanes, step.to)]
  const [start, end] = [middle(lanes, from), middle(lanes, to)]
  return (
    <span class="relative order-2 min-h-7 flex-[0_0_100%] @min-[36rem]:[grid-area:1/2] @min-[36rem]:min-h-10">
      <svg class="absolute inset-0 size-full" aria-hidden="true" focusable="false">
        {from === to ? (
          <circle class={lineLook} cx={start} cy="50%" r="4.5" />
        ) : (
          <>
            <line
              class={`${lineLook} in-[.tone-bad]:[stroke-dasharray:5_3] in-[.awaited]:[stroke-dasharray:2_4]`}
              x1={start}
              x2={end}
              y1="50%"
              y2="50%"
            />
            <circle class="fill-(--tone)" cx={start} cy="50%" r="2.5" />
            <svg x={end} y="50%" overflow="visible" aria-hidden="true">
              <path class="fill-(--tone)" d={from < to ? 'M0 0L-9 -4.5V4.5Z' : 'M0 0L9 -4.5V4.5Z'} />
            </svg>
          </>
        )}
      </svg>
    </span>
  )
}
