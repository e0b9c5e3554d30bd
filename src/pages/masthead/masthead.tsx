import type { Child } from 'hono/jsx'
import { attemptFaultNames } from '../../contract/control/attempt-faults.ts'
import { faultsInShort, faultsThatHit } from '../../contract/presentation/words.ts'
import type { Terminal } from '../../domain/model/ledger.ts'
import { offsetInShort, offsetInWords } from '../../shared/text/duration-words.ts'
import { capitalize } from '../../shared/text/words.ts'
import { Hidden, PostButton, Select, Submit } from '../components/actions.tsx'
import { WholeWords } from '../components/command.tsx'
import { formatDateTime, formatNumber } from '../components/format.ts'
import { Icon, type IconName } from '../components/icons.tsx'
import { type Fragments, html, type PagesContext, slotsFor, terminalsIn } from '../frame/page-view.tsx'

/** Fragments of the masthead on every page: what is on, in short and in each row of the control. */
export const mastheadFacts = (context: PagesContext): Fragments => ({
  'sandbox-on': whatIsOn(context),
  'sandbox-clock': clockNow(context),
  'sandbox-faults': faultsOn(context),
  'sandbox-queued': outcomesQueued(context),
})

/** What is more than one stands without words where there is no room for them: the longest go first. */
const clockWords = 'group-has-[.menu-on~.menu-on]/head:@max-[26.5rem]:sr-only @max-[14.5rem]:sr-only'
const otherWords = 'group-has-[.menu-on~.menu-on]/head:@max-[17rem]:sr-only @max-[14.5rem]:sr-only'
const labelWords =
  'group-has-[.menu-on~.menu-on]/head:@max-[22rem]:sr-only group-has-[.menu-on]/head:@max-[14.5rem]:sr-only'

/** What is on, in short; styles leave out words, then whole parts, where there is no room for all of it. */
function whatIsOn(context: PagesContext): string {
  const { clock, faults } = context
  const faultCount = faultsThatHit(faults.list()).length
  const queues = queuedAt(context).flatMap(({ queue }) => queue)
  const queued = queues.reduce((sum, { times }) => sum + times, 0)
  const offset = offsetInShort(clock.offset, clock.frozen ? 1 : clock.speed).replace(' ·', '')
  const [time = '', ...more] = [offset, clock.frozen && 'frozen']
    .filter(Boolean)
    .join(' ')
    .split(/ (?=\d|f)/)
  const parts: readonly (readonly [icon: IconName, text: string, word: string])[] = [
    ['clock', time, more.join(' ')],
    ['fault', formatNumber(faultCount), faultCount === 1 ? 'fault' : 'faults'],
    ['queue', formatNumber(queued), 'queued'],
  ]
  const shown = parts
    .filter(([, text]) => text !== '' && text !== '0')
    .map(([icon, text, word]) =>
      html(
        <span class="menu-on flex items-center gap-1 h-control leading-(--spacing-control) tabular-nums whitespace-nowrap @max-[14.5rem]:gap-0.5">
          <Icon name={icon} look="w-4" />
          {text}
          {word && <span class={icon === 'clock' ? clockWords : otherWords}> {word}</span>}
        </span>,
      ),
    )
  return shown.join(' ')
}

/** The time of the clock, and how it is from the wall clock. */
export const clockNow = ({ clock }: PagesContext): string =>
  html(
    <p class="tabular-nums">
      {formatDateTime(clock.now(), 'UTC').slice(0, clock.frozen ? undefined : -3)} UTC
      <span class="text-note text-ink-soft block">
        {clock.frozen
          ? `Frozen, ${offsetInWords(clock.offset)}`
          : capitalize(offsetInWords(clock.offset, clock.speed))}
      </span>
    </p>,
  )

const faultsOn = ({ faults }: PagesContext): string =>
  whatCanEnd(
    'No fault is on.',
    faultsThatHit(faults.list()).map((fault) => {
      const text = faultsInShort([fault])
      const button = (
        <PostButton
          action={`/faults/${fault.id}/clear`}
          look="link"
          id={`menu-clear-${fault.id}`}
          about={text}
        >
          Remove
        </PostButton>
      )
      return [<WholeWords text={text} />, button]
    }),
    '/faults',
    <PostButton action="/faults/clear" look="link" id="menu-clear-all">
      Remove all
    </PostButton>,
  )

const outcomesQueued = (context: PagesContext): string =>
  whatCanEnd(
    'No outcome is queued.',
    queuedAt(context).map(({ terminalSn, queue }) => {
      const outcomes = queue.map(({ outcome, times }) => (
        <span class="block">{times === 1 ? outcome : `${times} × ${outcome}`} </span>
      ))
      const button = (
        <PostButton
          action="/outcomes/clear"
          fields={{ terminalSn }}
          look="link"
          id={`clear-queue-${terminalSn}`}
          about={`the queue of ${terminalSn}`}
        >
          Clear
        </PostButton>
      )
      const text = (
        <>
          {outcomes}
          at <WholeWords text={terminalSn} />
        </>
      )
      return [text, button]
    }),
    '/terminals',
    <PostButton action="/outcomes/clear" look="link" id="clear-queues">
      Clear all
    </PostButton>,
  )

const mostFacts = 3

/**
 * Each that is on, with the button that ends it. `none`: said of an empty list; `page`: has those that are
 * not listed; `all`: ends them all.
 */
const whatCanEnd = (
  none: string,
  items: readonly (readonly [text: Child, button: Child])[],
  page: string,
  all: Child,
): string =>
  html(
    items.length === 0 ? (
      <p class="text-note text-ink-soft">{none}</p>
    ) : (
      <ul>
        {items.slice(0, mostFacts).map(([text, button]) => (
          <li class="flex items-baseline justify-between gap-3">
            <span class="code text-note">{text}</span>
            {button}
          </li>
        ))}
        {items.length > 1 && (
          <li class="flex items-baseline justify-between text-note">
            {items.length > mostFacts && <a href={page}>{formatNumber(items.length - mostFacts)} more</a>}
            <span class="ms-auto">{all}</span>
          </li>
        )}
      </ul>
    ),
  )

/** Terminals on which outcomes are queued. */
export const queuedAt = (context: PagesContext): readonly Terminal[] =>
  terminalsIn(context).filter(({ queue }) => queue.length > 0)

/** The most used faults, as they are written; the page of faults has all. */
const mostUsedFaults = ['http-503', 'http-429', 'lost-answer', 'latency=2000', ...attemptFaultNames]

/** Pages about the whole sandbox and its server; those that no space has begin with `/./`. */
export const serverPages = [
  ['/coverage', 'Coverage'],
  ['/./spaces', 'Spaces'],
  ['/./tokens', 'Tokens'],
  ['/audit', 'Audit log'],
] as const

interface RowProps {
  readonly title: string
  /** Its page. */
  readonly href: string
  /** What is on. */
  readonly on: Child
  readonly action: string
  readonly submit: string
  readonly children: Child
}

/** A row of the control: its page, what is on, and the input that turns something on. */
const Row = ({ title, href, on, action, submit, children }: RowProps) => (
  <section class="menu-row grid gap-1 border-b pb-3">
    <a class="font-semibold" href={href}>
      {title}
    </a>
    {on}
    <form
      method="post"
      action={action}
      class="grid grid-cols-[1fr_auto] gap-2 *:nth-last-[n+3]:col-span-full"
    >
      {children}
      <Submit>{submit}</Submit>
    </form>
  </section>
)

interface SandboxControlProps {
  readonly context: PagesContext
  /** True on a page that is about the whole sandbox. */
  readonly isCurrent?: boolean
  /** The terminal of the page. */
  readonly terminalSn?: string
}

/** The control of the sandbox: its button says what is on; inside, what turns it on and off, and links. */
export function SandboxControl({ context, isCurrent, terminalSn }: SandboxControlProps) {
  const slot = slotsFor(mastheadFacts(context))
  const outcomes = context.catalogue.outcomes.map(({ name }) => name)
  const terminals = terminalsIn(context).map((each) => each.terminalSn)
  return (
    <details class="menu @container min-w-22 flex-1 md:relative bar:has-[.menu-on]:basis-58 bar:has-[.menu-on~.menu-on]:basis-70">
      <summary
        class="menu-head group/head ms-auto flex h-control w-fit max-w-full flex-wrap items-center gap-x-2 overflow-hidden rounded-md px-2 text-note text-ink-soft hover:bg-sunken hover:text-ink in-open:bg-sunken in-open:text-ink has-[.menu-on]:bg-warm-tint has-[.menu-on]:font-medium has-[.menu-on]:text-warm aria-[current]:rounded-none aria-[current]:text-ink aria-[current]:inset-shadow-current @max-[14.5rem]:has-[.menu-on]:gap-x-1 @max-[14.5rem]:has-[.menu-on]:px-1 [&_.fragment]:contents"
        aria-current={isCurrent ? 'true' : undefined}
      >
        <span class="flex items-center gap-1 h-control leading-(--spacing-control)">
          <Icon name="stack" look="w-4" />
          <span class={labelWords}>Sandbox</span>
        </span>
        {slot('sandbox-on')}
      </summary>
      <div class="popover inset-x-2 z-6 mt-1.5 max-h-[calc(100dvh-4rem)] overflow-y-auto text-sm sm:start-auto sm:w-84 md:end-0">
        <Row
          title="Clock"
          href="/clock"
          on={
            <div hx-get="/clock/now" hx-trigger="intersect" hx-target="#sandbox-clock">
              {slot('sandbox-clock')}
            </div>
          }
          action="/clock"
          submit="Advance"
        >
          <Hidden fields={{ order: 'set' }} />
          <input
            name="time"
            aria-label="Advance by, or to a time"
            placeholder="1h, 2d, tomorrow 9:00"
            required
            maxlength={64}
            spellcheck={false}
            autocomplete="off"
          />
        </Row>
        <Row title="Faults" href="/faults" on={slot('sandbox-faults')} action="/faults" submit="Inject once">
          <Select name="kind" aria-label="Fault" options={mostUsedFaults} />
        </Row>
        <Row
          title="Queued outcomes"
          href="/terminals"
          on={slot('sandbox-queued')}
          action="/outcomes"
          submit="Queue once"
        >
          <Select name="terminalSn" aria-label="Terminal" options={terminals} chosen={terminalSn} />
          <Select name="outcome" aria-label="Outcome" options={outcomes} chosen="insufficient-funds" />
        </Row>
        <p class="menu-links grid grid-cols-3 gap-x-3 gap-y-1 text-note">
          <a href="/snapshots">Snapshots</a>
          {serverPages.map(([path, name]) => (
            <a href={path}>{name}</a>
          ))}
          <a class="text-bad ms-auto" href="/reset" data-drawer>
            Reset…
          </a>
        </p>
      </div>
    </details>
  )
}
