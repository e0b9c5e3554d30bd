import type { Child } from 'hono/jsx'
import { controlLimits } from '../../contract/sandbox/control.ts'
import type { Terminal } from '../../domain/model/ledger.ts'
import { faultInWords, faultsInShort, faultsThatHit } from '../../presentation/words.ts'
import { isOffset, offsetInShort } from '../../text/duration-words.ts'
import { PostButton, Select, Submit } from '../components/actions.tsx'
import { formatDateTime, plural } from '../components/format.ts'
import { Icon, type IconName } from '../components/icons.tsx'
import {
  type DoneNotice,
  type FragmentSlot,
  type Fragments,
  html,
  type MenuName,
  type PagesContext,
  slotsFor,
  terminalsIn,
  type Values,
} from '../frame/page-view.tsx'
import { clockButtons, clockMenu, faultTimes, menuList, mostUsedFaults, StateMenu } from './menus.tsx'

/** Fragments of the masthead on every page: each fact in short, and the content of its menu. */
export const mastheadFacts = (context: PagesContext): Fragments => ({
  'fact-clock': clockFact(context),
  'clock-now': clockNow(context),
  'fact-faults': faultsFact(context),
  'faults-on': faultsOn(context),
  'fact-outcomes': outcomesFact(context),
  'outcomes-queued': outcomesQueued(context),
})

/** A fact in short; an unusual value is emphasised. */
const fact = (text: string, isUnusual: boolean, title?: string): string =>
  html(
    <span class={`fact-text block tabular cut${isUnusual ? ' fact-unusual' : ''}`} title={title}>
      {text}
    </span>,
  )

const utc = (at: number): string => `${formatDateTime(at, 'UTC')} UTC`

function clockFact({ clock }: PagesContext): string {
  const { offset, speed } = clock
  if (!clock.frozen) return fact(offsetInShort(offset, speed), isOffset(offset) || speed !== 1)
  const now = utc(clock.now())
  return fact(`${now.slice(11)} · frozen`, true, now)
}

function clockNow({ clock, engine }: PagesContext): string {
  const due = engine.earliest()
  return html(
    <>
      <p class="menu-note note tabular">
        {clock.frozen && (
          <>
            Stands at {utc(clock.now())}
            <br />
          </>
        )}
        {due === undefined ? 'Nothing is due' : `Next due: ${utc(due)}`}
      </p>
      {clockButtons({ clock, engine }, 'clock')}
    </>,
  )
}

function faultsFact({ faults }: PagesContext): string {
  const on = faultsThatHit(faults.list())
  const title = faultsInShort(on)
  const text = on.length > 1 ? plural(on.length, 'fault') : title // several would push the sections away
  return fact(text || 'none', text !== '', title || undefined)
}

const faultsOn = ({ faults }: PagesContext): string => {
  const on = faultsThatHit(faults.list()).map((fault) => ({
    text: faultInWords(fault),
    path: `/faults/${fault.id}/clear`,
    id: `menu-clear-${fault.id}`,
  }))
  const all = on.length > 1 ? [{ text: '', path: '/faults/clear', id: 'menu-clear-all' }] : []
  return html(
    menuList(
      'No fault is on.',
      [...on, ...all].map(({ text, path, id }) => ({
        text: <span class="code smaller">{text}</span>,
        button: (
          <PostButton action={path} look="link" id={id} about={text}>
            {text === '' ? 'Remove all' : 'Remove'}
          </PostButton>
        ),
      })),
    ),
  )
}

function outcomesFact(context: PagesContext): string {
  const queued = queuedAt(context)
  const [first] = queued
  if (first === undefined) return fact('none', false)
  const count = queued.flatMap(({ queue }) => queue).reduce((sum, { times }) => sum + times, 0)
  const text = `${count} at ${queued.length === 1 ? first.terminalSn : `${queued.length} terminals`}`
  return fact(text, true, text)
}

function outcomesQueued(context: PagesContext): string {
  return html(
    menuList(
      'No outcome is queued.',
      queuedAt(context).map(({ terminalSn, queue }) => ({
        text: queue.map(({ outcome, times }) => (times === 1 ? outcome : `${times} × ${outcome}`)).join(', '),
        note: `at ${terminalSn}`,
        button: (
          <PostButton
            action="/outcomes/clear"
            fields={{ terminalSn }}
            look="link"
            id={`clear-queue-${terminalSn}`}
            about={`the queue of ${terminalSn}`}
          >
            Clear
          </PostButton>
        ),
      })),
    ),
  )
}

/** Terminals on which outcomes are queued. */
export const queuedAt = (context: PagesContext): readonly Terminal[] =>
  terminalsIn(context).filter(({ queue }) => queue.length > 0)

/** Clock, faults, queued outcomes and state: each says how it is, and opens the menu that changes it; one with a refused form is open. `current`: that of the page. */
export function mastheadControls(context: PagesContext, notice?: DoneNotice, current?: MenuName) {
  const slot = slotsFor(mastheadFacts(context))
  const typed = notice?.refused?.fields ?? {}
  const menus: readonly (readonly [name: MenuName, label: string, icon: IconName, body: Child])[] = [
    ['clock', 'Clock', 'clock', clockMenu(slot, context.clock, typed)],
    ['faults', 'Faults', 'fault', <FaultsMenu slot={slot} />],
    ['outcomes', 'Queued', 'queue', outcomesMenu(slot, context, typed)],
    ['state', 'State', 'stack', <StateMenu />],
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
            <div class="popover lined round-m shadow menu-body small">
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

const FaultsMenu = ({ slot }: { readonly slot: FragmentSlot }) => (
  <>
    {slot('faults-on')}
    <form method="post" action="/faults" class="menu-form pad-top-3 stack gap-2 rule-above">
      <label>
        <span>Fault</span>
        <Select name="kind" options={mostUsedFaults} />
      </label>
      <label>
        <span>How often</span>
        <Select name="times" options={faultTimes} />
      </label>
      <Submit look="main">Inject</Submit>
    </form>
    <p class="menu-more pad-top-3 flex between rule-above">
      <a href="/faults">All faults</a>
    </p>
  </>
)

const outcomesMenu = (slot: FragmentSlot, context: PagesContext, typed: Values) => {
  const terminals = terminalsIn(context).map(({ terminalSn }) => terminalSn)
  return (
    <>
      {slot('outcomes-queued')}
      <form method="post" action="/outcomes" class="menu-form pad-top-3 stack gap-2 rule-above">
        <label>
          <span>Terminal</span>
          <Select name="terminalSn" options={terminals} chosen={typed.terminalSn} />
        </label>
        <label>
          <span>Outcome</span>
          <Select
            name="outcome"
            options={context.catalogue.outcomes.map(({ name }) => name)}
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
