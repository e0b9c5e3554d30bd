import { localDateTime } from '../../../domain/local-time.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import type { Lane, Step } from './sequence.ts'

const names: Readonly<Record<Lane, string>> = {
  client: 'Client',
  service: 'Service',
  terminal: 'Terminal',
  host: 'Host',
  receiver: 'Receiver',
}

interface SequenceProps {
  readonly transaction: Transaction
  readonly steps: readonly Step[]
  readonly timeZone: string
}

/** A sequence diagram: a line of life for each who takes part, an arrow for each step, and the step in words. */
export const Sequence = ({ transaction, steps, timeZone }: SequenceProps) => {
  const lanes = lanesOf(transaction, steps)
  const name = (lane: Lane) => (lane === 'terminal' && transaction.online !== null ? 'Shopper' : names[lane])
  return (
    <div class="sequence">
      <div class="lanes-head" aria-hidden="true">
        <span class="lanes-lead" />
        <svg class="lane-names" aria-hidden="true">
          {lanes.map((lane, index) => (
            <text x={middle(index, lanes.length)} y="1.1em">
              {name(lane)}
            </text>
          ))}
        </svg>
      </div>
      <ol class="steps">
        {steps.map((step, index) => (
          <li class={`step step-${step.tone}`}>
            <span class="step-time" title={localDateTime(step.at, timeZone)}>
              {timeIn(step, steps[0], steps[index - 1])}
            </span>
            <Arrow lanes={lanes} step={step} />
            <p class="step-text">
              <span class="step-who">{whoIn(step, name)} </span>
              <span class="step-what">
                {step.link === undefined ? step.what : <a href={step.link}>{step.what}</a>}
              </span>
              {step.detail !== null && step.detail !== '' && <span class="step-detail">{step.detail}</span>}
            </p>
          </li>
        ))}
      </ol>
    </div>
  )
}

const all: readonly Lane[] = ['client', 'service', 'terminal', 'host', 'receiver']

/** Who takes part at all; client, service and host always do. */
const lanesOf = ({ inCloud }: Transaction, steps: readonly Step[]): Lane[] =>
  all.filter(
    (lane) =>
      !(lane === 'terminal' && inCloud && !steps.some(({ from, to }) => from === lane || to === lane)),
  )

const whoIn = ({ from, to }: Step, name: (lane: Lane) => string): string =>
  from === to ? `${name(from)}:` : `${name(from)} to ${name(to)}:`

/** Time since the transaction was opened; nothing when it is the same as before. */
function timeIn({ at }: Step, first: Step | undefined, before: Step | undefined): string {
  if (first === undefined || before === undefined) return '0 ms'
  const since = at - first.at
  if (at === before.at) return ''
  if (since < 1000) return `${since} ms`
  return since < 120_000 ? `${(since / 1000).toFixed(1)} s` : `${(since / 60_000).toFixed(0)} min`
}

const middle = (index: number, count: number): string => `${((index + 0.5) * 100) / count}%`

const Arrow = ({ lanes, step }: { readonly lanes: readonly Lane[]; readonly step: Step }) => {
  const [from, to] = [lanes.indexOf(step.from), lanes.indexOf(step.to)]
  const [start, end] = [middle(from, lanes.length), middle(to, lanes.length)]
  return (
    <span class="arrow">
      <svg aria-hidden="true" focusable="false">
        {lanes.map((_, index) => (
          <line
            class="life"
            x1={middle(index, lanes.length)}
            x2={middle(index, lanes.length)}
            y1="0"
            y2="100%"
          />
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
