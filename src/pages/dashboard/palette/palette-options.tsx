import { terminalPath } from '../../../contract/sandbox/screens.ts'
import { typeNames } from '../../../contract/statuses.ts'
import { amountOf } from '../../../domain/model/transaction.ts'
import { money } from '../../../presentation/money.ts'
import { capitalize } from '../../../text/words.ts'
import { statusInWords } from '../../../views/status-in-words.ts'
import { textMatcher } from '../../../views/transaction-text.ts'
import { type Section, sections } from '../../components/navigation.tsx'
import { html, type PagesContext } from '../../frame/page-view.tsx'
import { findExactly, search } from '../transactions/transaction-search.ts'

/** Palette entries for a typed text, as options by group. */
export async function paletteOptions(context: PagesContext, typed: string): Promise<string> {
  const entries = await paletteEntries(context, typed)
  if (entries.length === 0) return html(<p class="palette-none note">Nothing matches.</p>)
  const groups = [...new Set(entries.map(({ group }) => group))]
  return html(
    <div>
      {groups.map((group) => (
        <fieldset aria-label={group}>
          <p class="palette-group note" aria-hidden="true">
            {group}
          </p>
          {entries.map((entry, index) => entry.group === group && <Option entry={entry} index={index} />)}
        </fieldset>
      ))}
    </div>,
  )
}

interface OptionProps {
  readonly entry: PaletteEntry
  readonly index: number
}

/** Classes of an option, whatever it is. */
const look = 'palette-option inherit round-s text-start pad-2 flex between gap-4 small no-underline wide'

/** A link, a button that sends the palette's form, or a line to read. */
const Option = ({ entry: { text, note, href, post }, index }: OptionProps) => {
  const common = { id: `option-${index}`, class: look, tabindex: -1 } as const
  const inside = (
    <>
      <span>{text}</span>
      {note && <span class="note">{note}</span>}
    </>
  )
  if (href !== undefined)
    return (
      <a {...common} role="option" aria-selected="false" href={href}>
        {inside}
      </a>
    )
  return post === undefined ? (
    <p class={look}>{inside}</p>
  ) : (
    <button
      {...common}
      role="option"
      aria-selected="false"
      type="submit"
      formaction={post.path}
      name={post.name}
      value={post.value}
    >
      {inside}
    </button>
  )
}

/** What can be chosen in the palette: a page to go to, or a form of the masthead to send. */
interface PaletteEntry {
  readonly group: 'Go to' | 'Terminals' | 'Transactions' | 'Actions' | 'Keys'
  readonly text: string
  /** A note beside it: a key, or the outcome of a transaction. */
  readonly note?: string
  /** Path of the page. */
  readonly href?: string
  /** Path that the form is posted to, with its one field. */
  readonly post?: { readonly path: string; readonly name?: string; readonly value?: string }
}

/** Key of each section; `src/pages/browser/palette.ts` follows it. */
const keyOf: Readonly<Record<Section, string>> = {
  transactions: 'g t',
  batches: 'g b',
  webhooks: 'g w',
  terminals: 'g m',
  requests: 'g r',
  docs: 'g d',
}

const pageEntries: readonly PaletteEntry[] = [
  ...(Object.keys(sections) as Section[]).map(
    (name) => ({ group: 'Go to', text: capitalize(name), href: sections[name], note: keyOf[name] }) as const,
  ),
  { group: 'Go to', text: 'Faults', href: '/faults' },
  { group: 'Go to', text: 'Snapshots', href: '/snapshots' },
  { group: 'Go to', text: 'First steps', href: '/start' },
]

const order = (text: string, value: string): PaletteEntry => ({
  group: 'Actions',
  text,
  post: { path: '/clock', name: 'order', value },
})

const actions: readonly PaletteEntry[] = [
  { group: 'Actions', text: 'New payment', href: '/payments/new' },
  order('Clock: 1 minute ahead', '1m'),
  order('Clock: 1 hour ahead', '1h'),
  order('Clock: 1 day ahead', '1d'),
  order('Clock: advance to the next due event', 'next-due'),
  order('Clock: freeze', 'freeze'),
  order('Clock: resume', 'resume'),
  order('Clock: back to real time', 'reset'),
  { group: 'Actions', text: 'Faults: remove all', post: { path: '/faults/clear' } },
  { group: 'Actions', text: 'Queued outcomes: clear all', post: { path: '/outcomes/clear' } },
  { group: 'Actions', text: 'Reset the sandbox…', href: '/reset' },
]

const keys: readonly PaletteEntry[] = (
  [
    ['⌘K, Ctrl-K', 'Open or close this palette'],
    ['/', 'Search the list of the page'],
    ['j, k', 'Next row, previous row'],
    ['Enter', 'Open the row beside the list'],
    ['Esc', 'Close what is beside the list'],
    ['l, h', 'Next page, previous page of the list'],
    ['n', 'New payment'],
    ['r, v', 'Refund or void the marked payment; r resends a webhook'],
    ['q', 'Requests of the marked payment'],
    ['c', 'Close all batches, on their page'],
    ['g h', 'Go to the first page'],
    ['?', 'Show these keys'],
  ] as const
).map(([note, text]) => ({ group: 'Keys', text, note }))

/** Transactions that are offered at most. */
const maxMatches = 6

/** Entries that match every typed word; without text: places and actions; `?`: the keys. */
async function paletteEntries(context: PagesContext, typed: string): Promise<readonly PaletteEntry[]> {
  const query = typed.trim().toLowerCase()
  if (query === '?') return [...keys, ...pageEntries.filter(({ note }) => note)]
  const words = query.split(/\s+/)
  const fits = ({ text }: PaletteEntry) => words.every((word) => text.toLowerCase().includes(word))
  const terminals = query === '' ? [] : terminalsOf(context).filter(fits)
  return [
    ...pageEntries.filter(fits),
    ...terminals.slice(0, maxMatches),
    ...(query === '' ? [] : await transactionsLike(context, typed.trim())),
    ...actions.filter(fits),
  ]
}

const terminalsOf = ({ engine }: PagesContext): readonly PaletteEntry[] =>
  [...engine.state.ledgers.values()].flatMap(({ terminals }) =>
    [...terminals.keys()].map(
      (terminalSn) => ({ group: 'Terminals', text: terminalSn, href: terminalPath(terminalSn) }) as const,
    ),
  )

/** The newest transactions whose id or order contains the text; one with exactly that id however old it is. */
async function transactionsLike(
  { engine, statistics }: PagesContext,
  text: string,
): Promise<readonly PaletteEntry[]> {
  const register = statistics.current
  const exact = findExactly(engine.state.ledgers.values(), register, text)
  const { rows } = await search(exact ?? register, exact ? () => true : textMatcher(text), {
    before: null,
    after: null,
  })
  return rows.slice(0, maxMatches).map(({ transaction }) => {
    const { id, type, currency, orderId } = transaction
    const sum = money(amountOf(transaction), currency)
    return {
      group: 'Transactions',
      text: `${typeNames[type]} ${sum} · ${orderId ?? id}`,
      note: statusInWords(transaction),
      href: `/transactions/${id}`,
    }
  })
}
