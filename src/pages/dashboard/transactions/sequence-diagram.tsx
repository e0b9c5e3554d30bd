import type { Lane, LaneName, Sequence, SequenceStep } from '../../../contract/presentation/sequence.ts'
import { shortDuration } from '../../../shared/text/duration-words.ts'
import { WholeWords } from '../../components/command.tsx'

/** A sequence diagram: a lifeline for each participant, and an arrow with a text for each step. */
export const SequenceDiagram = ({ sequence: { lanes, steps } }: { readonly sequence: Sequence }) => {
  const label = (name: LaneName) => lanes[laneIndex(lanes, name)]?.label ?? name
  return (
    <div class="sequence">
      <div class="lanes-head rule-below stack on-paper one-column" aria-hidden="true">
        <span />
        <svg class="lane-names bold wide" aria-hidden="true">
          {lanes.map(({ label }, index) => (
            <text x={middle(lanes, index)} y="1.1em">
              {label}
            </text>
          ))}
        </svg>
      </div>
      <ol class="steps">
        {steps.map((step, index) => (
          <li class={`step flex wrap baseline tone-${step.tone}${step.isAwaited ? ' awaited' : ''}`}>
            <span class="step-time note tabular" title={step.time}>
              {timeIn(step, steps[index - 1])}
            </span>
            {arrow(lanes, step)}
            <p class="step-text small">
              <span class="step-who note">
                {label(step.from)}
                {step.from !== step.to && ` to ${label(step.to)}`}:{' '}
              </span>
              <span class="step-what medium">
                {step.about === null ? (
                  <WholeWords text={step.text} />
                ) : (
                  <a href={`/${step.about.what}s/${step.about.id}`}>{step.text}</a>
                )}
              </span>
              {step.note !== null && <span class="block note breaks">{step.note}</span>}
            </p>
          </li>
        ))}
      </ol>
    </div>
  )
}

const laneIndex = (lanes: readonly Lane[], name: LaneName): number =>
  lanes.findIndex((lane) => lane.name === name)

/** The time of day, with the date if it differs; within a minute of the step before, the time since then, if any passed. */
function timeIn({ at, time }: SequenceStep, before: SequenceStep | undefined): string {
  const [date = '', clock = ''] = time.split('T')
  if (before === undefined) return clock
  const passed = at - before.at
  if (passed === 0) return ''
  if (passed >= 0 && passed < 60_000) return `+${shortDuration(passed)}`
  return before.time.startsWith(date) ? clock : `${date} ${clock}`
}

const middle = ({ length }: readonly Lane[], index: number): string => `${((index + 0.5) * 100) / length}%`

const arrow = (lanes: readonly Lane[], step: SequenceStep) => {
  const [from, to] = [laneIndex(lanes, step.from), laneIndex(lanes, step.to)]
  const [start, end] = [middle(lanes, from), middle(lanes, to)]
  return (
    <span class="arrow h-1-75 relative">
      <svg aria-hidden="true" focusable="false">
        {lanes.map((_, index) => (
          <line class="life" x1={middle(lanes, index)} x2={middle(lanes, index)} y1="0" y2="100%" />
        ))}
        {from === to ? (
          <circle class="own" cx={start} cy="50%" r="4.5" />
        ) : (
          <>
            <line class="shaft" x1={start} x2={end} y1="50%" y2="50%" />
            <circle class="foot" cx={start} cy="50%" r="2.5" />
            <svg x={end} y="50%" overflow="visible" aria-hidden="true">
              <path class="head" d={from < to ? 'M0 0L-9 -4.5V4.5Z' : 'M0 0L9 -4.5V4.5Z'} />
            </svg>
          </>
        )}
      </svg>
    </span>
  )
}
