import type { Child } from 'hono/jsx'
import { controlLimits } from '../../contract/sandbox/control.ts'
import { Select, Submit, TypedInput } from '../components/actions.tsx'
import { Icon, type IconName } from '../components/icons.tsx'
import {
  type DoneNotice,
  type FragmentSlot,
  type MenuName,
  type PagesContext,
  slotsFor,
} from '../frame/page-view.tsx'
import { mastheadFacts } from './masthead-facts.tsx'
import { clockMenu, faultTimes, mostUsedFaults, StateMenu, type TypedFields } from './menus.tsx'

/** Clock, faults, queued outcomes and state: each says how it is, and opens the menu that changes it; one with a refused form is open. `current`: that of the page. */
export function mastheadControls(context: PagesContext, notice?: DoneNotice, current?: MenuName) {
  const slot = slotsFor(mastheadFacts(context))
  const typed = notice?.refused?.fields ?? {}
  const menus: readonly (readonly [name: MenuName, label: string, icon: IconName, body: Child])[] = [
    ['clock', 'Clock', 'clock', clockMenu(slot, context.clock, typed)],
    ['faults', 'Faults', 'fault', <FaultsMenu slot={slot} />],
    ['outcomes', 'Queued', 'queue', outcomesMenu(slot, context, typed)],
    ['state', 'State', 'stack', <StateMenu typed={typed} />],
  ]
  return (
    <section class="controls row gap-1 shrinks to-end" aria-label="Sandbox at a glance">
      {menus.map(([name, label, icon, body]) => {
        const refused = notice?.refused?.menu === name ? notice.text : undefined
        return (
          <details class={`menu shrinks menu-${name}`} name="masthead" open={refused !== undefined}>
            <summary
              class="menu-head pad-0-2 round-s row note one-line control"
              aria-current={name === current ? 'true' : undefined}
            >
              <Icon name={icon} />
              <span class="menu-label">{label}</span>
              {name !== 'state' && slot(`fact-${name}`)}
            </summary>
            <div class="popover lined round-m shadow on-paper menu-body small">
              {refused !== undefined && (
                <p class="menu-refused round-s pad-2-3 bad medium" role="alert">
                  {refused}
                </p>
              )}
              {body}
            </div>
          </details>
        )
      })}
    </section>
  )
}

/** Injects a fault by one press. */
const FaultsMenu = ({ slot }: { readonly slot: FragmentSlot }) => (
  <>
    {slot('faults-on')}
    <form class="stack gap-2" method="post" action="/faults">
      <label class="row gap-2 one-line">
        <span>Each press injects</span>
        <Select name="times" options={faultTimes} />
      </label>
      {mostUsedFaults.map(([what, kinds]) => (
        <fieldset>
          <legend>{what}</legend>
          <div class="menu-buttons halves stack gap-2">
            {kinds.map((kind) => (
              <Submit name="kind" value={kind} className="code">
                {kind}
              </Submit>
            ))}
          </div>
        </fieldset>
      ))}
    </form>
    <p class="menu-more pad-top-3 flex between rule-above">
      <a href="/faults">All faults</a>
    </p>
  </>
)

/** Terminals to choose from; with more of them the serial number is typed. */
const mostChoices = 100

/** Queues an outcome for the next payments of a terminal. */
const outcomesMenu = (slot: FragmentSlot, { engine, catalogue }: PagesContext, typed: TypedFields) => {
  const terminals = [...engine.state.ledgers.values()].flatMap((ledger) => [...ledger.terminals.keys()])
  return (
    <>
      {slot('outcomes-queued')}
      <form method="post" action="/outcomes" class="menu-form pad-top-3 stack gap-2 rule-above">
        {terminals.length > mostChoices ? (
          <TypedInput label="Terminal" name="terminalSn" value={typed.terminalSn} />
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
