import type { Refusal } from '../../contract/errors.ts'
import { outcomes } from '../../fixtures.ts'
import { Device } from './device.tsx'
import { Problem } from './refusal-notice.tsx'
import { type CounterView, idOf, terminalPath } from './screens/workbench-view.ts'
import { type Part, Placed, partsOf } from './workbench-fragments.tsx'

interface CounterProps {
  readonly view: CounterView
  readonly refusal?: Refusal | undefined
  /** Among others: the heading leads to the terminal's own window. */
  readonly among?: boolean
}

/** A terminal with everything around it: cards, settings, printer. */
export const Counter = ({ view, refusal, among = false }: CounterProps) => {
  const { terminalSn, merchantName } = view.screen
  const id = idOf(terminalSn)
  const [screen, tray, bench, printer] = partsOf(view) as [Part, Part, Part, Part]
  return (
    <section class="counter" data-terminal={terminalSn} aria-labelledby={`title-${id}`}>
      <header class="counter-head">
        <h1 class="counter-title" id={`title-${id}`}>
          {among ? <a href={terminalPath(terminalSn)}>{terminalSn}</a> : terminalSn}
        </h1>
        <p class="counter-note">
          {merchantName} · {view.summary}
        </p>
      </header>
      <p class="visually-hidden" role="status" data-announce />
      <div class="part-problem" id={`problem-${id}`}>
        <Problem refusal={refusal} />
      </div>
      <div class="counter-top">
        <Device id={id} screen={screen} />
        <Placed part={tray} />
        <div class="side">
          <div class="bench">
            <p class="bench-answer">
              <label for={`answer-${id}`}>The bank answers</label>
              <HostAnswer id={id} />
            </p>
            <Placed part={bench} />
          </div>
          <Placed part={printer} />
        </div>
      </div>
    </section>
  )
}

/** What the host answers to the card that is presented next; it belongs to the form of the cards. */
const HostAnswer = ({ id }: { readonly id: string }) => (
  <select id={`answer-${id}`} name="outcome" form={`present-${id}`} autocomplete="off">
    <option value="">as usual</option>
    {outcomes.map(({ name, code }) => (
      <option value={name}>
        {code} {name}
      </option>
    ))}
  </select>
)
