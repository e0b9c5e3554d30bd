import type { Child } from 'hono/jsx'
import { attemptFaultNames } from '../../contract/sandbox/attempt-faults.ts'
import type { ListedSnapshot } from '../../contract/sandbox/snapshot-answers.ts'
import { listSnapshots } from '../../control/state/snapshot-handlers.ts'
import type { ReadableClock } from '../../engine/identifiers.ts'
import { isOffset } from '../../text/duration-words.ts'
import { wallTime } from '../../timers.ts'
import { PostButton, Submit, TypedInput } from '../components/actions.tsx'
import { formatDateTime, formatTime, plural } from '../components/format.ts'
import { Icon } from '../components/icons.tsx'
import type { FragmentSlot, PagesContext, Values } from '../frame/page-view.tsx'

/** Snapshots of the menu; the page has all of them. */
const mostListed = 5

/** Saves and restores; leads to the pages of what the sandbox and its server keep. The folder of snapshots is read when the menu is seen. */
export const StateMenu = () => (
  <>
    <form method="post" action="/snapshots" class="menu-form pad-top-3 stack gap-2 rule-above">
      <TypedInput label="Name of a snapshot" name="name" placeholder="before-lunch" />
      <Submit look="main">Save</Submit>
    </form>
    <div hx-get="/snapshots/latest" hx-trigger="intersect" />
    <ul class="menu-links rule-above">
      {[['/snapshots', 'Snapshots', 'camera'] as const, ...serverPages].map(([path, name, icon]) => (
        <li>
          <a class="row gap-2 control ink no-underline" href={path}>
            <Icon name={icon} />
            {name}
          </a>
        </li>
      ))}
      <li class="rule-above">
        <a class="row gap-2 control bad no-underline" href="/reset" data-drawer>
          <Icon name="cross" />
          Reset…
        </a>
      </li>
    </ul>
  </>
)

/** The last snapshots, to restore one. */
export async function latestSnapshots(context: PagesContext) {
  const { snapshots } = await listSnapshots(context)
  const readable = latestFirst(snapshots).filter(({ problem }) => problem === null)
  return menuList(
    snapshots.length === 0 ? 'No snapshot is saved.' : 'No snapshot can be read.',
    readable.slice(0, mostListed).map(({ name, transactions, savedAt }) => ({
      text: <span class="code smaller">{name}</span>,
      note: `${plural(transactions ?? 0, 'transaction')}, ${formatTime(Date.parse(savedAt ?? ''), wallTime(), 'UTC')}`,
      button: (
        <PostButton action={`/snapshots/${name}/restore`} look="link" about={name}>
          Restore
        </PostButton>
      ),
    })),
  )
}

/** An item of a list in a menu: with a note, and the button that acts on it. */
interface MenuItem {
  readonly text: Child
  readonly note?: string
  readonly button: Child
}

/** A list in a menu. `none`: said of an empty list. */
export const menuList = (none: string, items: readonly MenuItem[]) =>
  items.length === 0 ? (
    <p class="menu-note note">{none}</p>
  ) : (
    <ul class="stack gap-1">
      {items.map(({ text, note, button }) => (
        <li class="flex baseline between gap-3">
          <span>
            {text} {note && <span class="note block">{note}</span>}
          </span>
          {button}
        </li>
      ))}
    </ul>
  )

/** The latest snapshots first. */
export const latestFirst = (snapshots: readonly ListedSnapshot[]): readonly ListedSnapshot[] =>
  snapshots.toSorted((one, other) => (other.savedAt ?? '').localeCompare(one.savedAt ?? ''))

/** Orders to the clock. */
export const clockMenu = (slot: FragmentSlot, clock: ReadableClock, typed: Values) => (
  <>
    <form class="tells" method="post" action="/clock">
      {slot('clock-now')}
    </form>
    <form method="post" action="/clock" class="menu-form pad-top-3 stack gap-2 rule-above">
      <TypedInput
        label="Set, in UTC"
        name="time"
        value={typed.time ?? formatDateTime(clock.now(), 'UTC')}
        title="A time, or words such as tomorrow 9:00"
      />
      <Submit look="main" name="order" value="set">
        Set
      </Submit>
    </form>
    <p class="menu-more pad-top-3 flex between rule-above">
      <a href="/clock">What falls due</a>
    </p>
  </>
)

/** The orders to the clock that mean something now. */
export const clockButtons = (context: Pick<PagesContext, 'clock' | 'engine'>, id: string) => (
  <div class="stack gap-2 above-2">
    {[clockSteps(context), [...clockSpeeds(context), ...clockOrders(context)]].map((orders, at) => (
      <fieldset class="menu-orders flex wrap gap-2">
        <legend class="below-2">{at === 0 ? 'Advance' : 'Run'}</legend>
        {orders.map(({ order, short }) => (
          <Submit name="order" value={order} id={`${id}-${order}`}>
            {short}
          </Submit>
        ))}
      </fieldset>
    ))}
  </div>
)

/** What the clock of the masthead can do; the palette offers the same. */
interface ClockOrder {
  readonly order: string
  /** On a button, among others of the clock. */
  readonly short: string
  readonly text: string
}

/** Steps ahead, the last to the next event where there is one. */
export const clockSteps = ({ engine }: Pick<PagesContext, 'engine'>): readonly ClockOrder[] => [
  { order: '1m', short: '+1 min', text: 'Advance the clock by 1 minute' },
  { order: '1h', short: '+1 h', text: 'Advance the clock by 1 hour' },
  { order: '1d', short: '+1 day', text: 'Advance the clock by 1 day' },
  ...(engine.earliest() === undefined
    ? []
    : [{ order: 'next-due', short: 'Next due', text: 'Advance the clock to the next due event' }]),
]

/** Stopped or going, and back to real time, as far as that means something now. */
export function clockOrders({ clock }: Pick<PagesContext, 'clock'>): readonly ClockOrder[] {
  const freeze = { order: 'freeze', short: 'Freeze', text: 'Freeze the clock' }
  const resume = { order: 'resume', short: 'Resume', text: 'Resume the clock' }
  const reset = { order: 'reset', short: 'Real time', text: 'Return the clock to real time' }
  const isReal = !clock.frozen && !isOffset(clock.offset) && clock.speed === 1
  return [clock.frozen ? resume : freeze, ...(isReal ? [] : [reset])]
}

/** How many times as fast as the wall clock the clock may be told to run: the speeds that it does not have. */
export const clockSpeeds = ({ clock }: Pick<PagesContext, 'clock'>): readonly ClockOrder[] =>
  [1, 10, 60, 600]
    .filter((speed) => speed !== clock.speed)
    .map((speed) => ({
      order: `${speed}x`,
      short: `${speed}x`,
      text: speed === 1 ? 'Run the clock at its usual speed' : `Run the clock ${speed}x as fast`,
    }))

/** The most used faults, as they are written; each can be limited to a number of times. */
export const mostUsedFaults = ['http-503', 'http-429', 'lost-answer', 'latency=2000', ...attemptFaultNames]

/** How often a fault hits, as forms send it, and in words. */
export const faultTimes = [
  ['', 'once'],
  ['10', '10 times'],
  ['always', 'always'],
] as const

/** Pages about the whole sandbox and its server; those that no space has begin with `/./`. */
export const serverPages = [
  ['/coverage', 'Coverage', 'check'],
  ['/./spaces', 'Spaces', 'grid'],
  ['/./tokens', 'Tokens', 'lock'],
  ['/audit', 'Audit log', 'page'],
] as const
