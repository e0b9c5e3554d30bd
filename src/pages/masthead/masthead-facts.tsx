import type { Terminal } from '../../domain/model/ledger.ts'
import { faultInWords, faultsInShort, faultsThatHit } from '../../presentation/words.ts'
import { isOffset, offsetInShort } from '../../text/duration-words.ts'
import { PostButton } from '../components/actions.tsx'
import { formatDateTime, plural } from '../components/format.ts'
import { type Fragments, html, type PagesContext, terminalsIn } from '../frame/page-view.tsx'
import { clockButtons, menuList } from './menus.tsx'

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
    <span
      class={isUnusual ? 'fact-text block tabular cut fact-unusual' : 'fact-text block tabular cut'}
      title={title}
    >
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

/** When the next event is due, and the clock buttons that apply now. */
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

/** Terminals whose queues are listed; the others have their own pages. */
const mostListed = 8

function outcomesQueued(context: PagesContext): string {
  const queued = queuedAt(context)
  const rest = queued.length - mostListed
  return html(
    menuList(
      'No outcome is queued.',
      queued.slice(0, mostListed).map(({ terminalSn, queue }) => ({
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
      rest > 0 ? `and at ${plural(rest, 'more terminal')}` : undefined,
    ),
  )
}

/** Terminals on which outcomes are queued. */
export const queuedAt = (context: PagesContext): readonly Terminal[] =>
  terminalsIn(context).filter(({ queue }) => queue.length > 0)
