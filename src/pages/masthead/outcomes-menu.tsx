import { controlLimits } from '../../contract/sandbox/controls/control-limits.ts'
import { Select, Submit } from '../components/actions.tsx'
import type { FragmentSlot } from '../frame/page-view.tsx'
import type { PagesContext } from '../frame/pages-context.ts'
import type { TypedFields } from './clock-menu.tsx'

/** Terminals to choose from; with more of them the serial number is typed. */
const mostChoices = 100

interface OutcomesMenuProps {
  readonly slot: FragmentSlot
  readonly context: Pick<PagesContext, 'catalogue' | 'engine'>
  readonly typed: TypedFields
}

/** Queues an outcome for the next payments of a terminal. */
export const OutcomesMenu = ({ slot, context: { engine, catalogue }, typed }: OutcomesMenuProps) => {
  const terminals = [...engine.state.ledgers.values()].flatMap((ledger) => [...ledger.terminals.keys()])
  return (
    <>
      {slot('outcomes-queued')}
      <form method="post" action="/outcomes" class="menu-form pad-top-3 stack gap-2 rule-above">
        {terminals.length > mostChoices ? (
          <label>
            <span>Terminal</span>
            <input
              name="terminalSn"
              required
              maxlength={64}
              value={typed.terminalSn}
              spellcheck={false}
              autocomplete="off"
            />
          </label>
        ) : (
          <label>
            <span>Terminal</span>
            <Select name="terminalSn" options={terminals} chosen={typed.terminalSn} />
          </label>
        )}
        <label>
          <span>Outcome</span>
          <Select
            name="outcome"
            options={catalogue.outcomes.map(({ name }) => name)}
            chosen={typed.outcome ?? 'insufficient-funds'}
          />
        </label>
        <label>
          <span>Payments</span>
          <input
            type="number"
            name="times"
            min={1}
            max={controlLimits.outcomeTimes}
            required
            value={typed.times ?? '1'}
            autocomplete="off"
          />
        </label>
        <Submit look="main">Queue</Submit>
      </form>
    </>
  )
}
