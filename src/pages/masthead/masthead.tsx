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
        <span class="menu-on row tabular one-line">
          <Icon name={icon} />
          {text}
          {word && <span class={icon === 'clock' ? 'menu-more' : 'menu-word'}> {word}</span>}
        </span>,
      ),
    )
  return shown.join(' ')
}

/** The time of the clock, and how it is from the wall clock. */
export const clockNow = ({ clock }: PagesContext): string =>
  html(
    <p class="tabular">
      {formatDateTime(clock.now(), 'UTC').slice(0, clock.frozen ? undefined : -3)} UTC
      <span class="note block">
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

const mostListed = 5

/**
 * Each that is on, with the button that ends it. `none`: said of an empty list; `page`: has those that are not listed; `all`:
 * ends them all.
 */
const whatCanEnd = (
  none: string,
  items: readonly (readonly [text: Child, button: Child])[],
  page: string,
  all: Child,
): string =>
  html(
    items.length === 0 ? (
      <p class="note">{none}</p>
    ) : (
      <ul>
        {items.slice(0, mostListed).map(([text, button]) => (
          <li class="flex baseline between gap-3">
            <span class="code smaller breaks">{text}</span>
            {button}
          </li>
        ))}
        {items.length > 1 && (
          <li class="flex baseline between smaller">
            {items.length > mostListed && <a href={page}>{formatNumber(items.length - mostListed)} more</a>}
            <span class="to-end">{all}</span>
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
  <section class="stack gap-1 menu-row rule-below">
    <a class="bold" href={href}>
      {title}
    </a>
    {on}
    <form method="post" action={action} class="menu-form stack gap-2">
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

/** The control of the sandbox: its button says what is on; it opens what turns that on and off, and leads to its pages. */
export function SandboxControl({ context, isCurrent, terminalSn }: SandboxControlProps) {
  const slot = slotsFor(mastheadFacts(context))
  const outcomes = context.catalogue.outcomes.map(({ name }) => name)
  const terminals = terminalsIn(context).map((each) => each.terminalSn)
  return (
    <details class="menu">
      <summary
        class="menu-head pad-0-2 round-s row wrap note control"
        aria-current={isCurrent ? 'true' : undefined}
      >
        <span class="menu-label row">
          <Icon name="stack" />
          Sandbox
        </span>
        {slot('sandbox-on')}
      </summary>
      <div class="popover lined round-m shadow menu-body small">
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
        <p class="menu-links flex wrap smaller">
          <a href="/snapshots">Snapshots</a>
          {serverPages.map(([path, name]) => (
            <a href={path}>{name}</a>
          ))}
          <a class="bad to-end" href="/reset" data-drawer>
            Reset…
          </a>
        </p>
      </div>
    </details>
  )
}
