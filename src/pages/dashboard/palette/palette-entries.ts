import { faultPresets, rulesOfPreset } from '../../../contract/control/fault-presets.ts'
import { faultKinds, faultMoment, isEndless, isFault, readFault } from '../../../contract/control/faults.ts'
import { terminalPath } from '../../../contract/control/screens.ts'
import { Refusal } from '../../../contract/errors.ts'
import { money } from '../../../contract/presentation/money.ts'
import { faultInWords, faultsThatHit } from '../../../contract/presentation/words.ts'
import { typeNames } from '../../../contract/statuses.ts'
import { amountOf } from '../../../domain/model/transaction.ts'
import { listSnapshots } from '../../../sandbox/control/state/snapshot-handlers.ts'
import { statusInWords } from '../../../sandbox/views/status-in-words.ts'
import { type OwnedTransaction, textMatcher } from '../../../sandbox/views/transaction-text.ts'
import { notificationIn } from '../../../sandbox/webhooks/notifications/past-notifications.ts'
import { bestMatches } from '../../../shared/text/match.ts'
import { formatTime } from '../../components/format.ts'
import { type PagesContext, terminalsIn, type Values } from '../../frame/page-view.tsx'
import { goTo } from '../../keys.ts'
import { queuedAt, serverPages } from '../../masthead/masthead.tsx'
import { faultTimes } from '../faults/faults-page.tsx'
import { followUps, possibleActions } from '../payments/follow-ups.ts'
import { beginnings } from '../payments/new-payment-page.tsx'
import { clockOrders, clockSpeeds, clockSteps } from '../sandbox/clock-page.tsx'
import { latestFirst } from '../sandbox/snapshots-page.tsx'
import { findExactly, search } from '../transactions/transaction-search.ts'

/** What can be chosen in the palette: a page to go to, a form to send, or a text to copy. */
export interface PaletteEntry {
  /** What can be done, records to look at, pages, and orders to the clock. */
  readonly group: 'Do' | 'Records' | 'Go to' | 'Clock'
  readonly text: string
  /** A note beside it: what it is about. It is searched, too. */
  readonly note?: string | undefined
  /** The keys that do the same. */
  readonly keys?: string
  /** True for one that is offered while nothing is typed. */
  readonly isUsual?: boolean
  readonly leads?: { readonly to: string; readonly opensDrawer?: boolean }
  readonly post?: { readonly path: string; readonly fields?: Values }
  readonly copies?: string
}

/** Entries of one group at most, while something is typed, and payments at most. */
const [mostOfGroup, mostPayments] = [8, 6]

/** What fits the typed text, best group first, or what is usual. `at`: path of the page below. */
export async function paletteEntries(context: PagesContext, typed: string, at: string) {
  const text = typed.trim()
  const lasting = [...actions, ...faultEntries(context), ...stateEntries, ...places, ...clockEntries(context)]
  if (text === '') return lasting.filter(({ isUsual }) => isUsual)
  const all = [
    ...lasting,
    ...outcomeEntries(context, at),
    ...(await snapshotEntries(context)),
    ...terminalEntries(context),
    ...cardEntries(context),
  ]
  const entries = bestMatches(text, all, ({ text: shown, note }) => [shown, note])
  const groups = [...new Set(entries.map(({ group }) => group))]
  return [
    ...typedEntries(text),
    ...(await paymentEntries(context, text)),
    ...amountEntries(text),
    ...recordEntries(context, text),
    ...groups.flatMap((group) => entries.filter((each) => each.group === group).slice(0, mostOfGroup)),
  ]
}

/** What is special about an entry. */
type More = Partial<PaletteEntry>

const link = (group: PaletteEntry['group'], text: string, to: string, more?: More): PaletteEntry => ({
  group,
  text,
  leads: { to },
  ...more,
})

const drawer = (text: string, to: string, more?: More): PaletteEntry => ({
  ...link('Do', text, to, more),
  leads: { to, opensDrawer: true },
})

const form = (text: string, path: string, fields: Values = {}, more?: More): PaletteEntry => ({
  group: 'Do',
  text,
  post: { path, fields },
  ...more,
})

const actions: readonly PaletteEntry[] = [
  ...beginnings.map(([operation, label], index) =>
    drawer(index === 0 ? 'New payment' : `New payment: ${label}`, `/payments/new?operation=${operation}`, {
      ...(index === 0 && { keys: 'n', isUsual: true }),
    }),
  ),
  drawer('Close and settle all batches', '/batches/close', {
    keys: 'g b, c',
    isUsual: true,
  }),
  drawer('Show keyboard shortcuts', '/keys', { keys: '?', isUsual: true }),
  link('Do', 'Download the transactions as CSV', '/transactions.csv'),
  link('Do', 'Download the transactions as JSON', '/transactions.json'),
]

const places: readonly PaletteEntry[] = [
  ...Object.entries(goTo).map(([key, [path, name]]) =>
    link('Go to', name, path, { keys: `g ${key}`, isUsual: true }),
  ),
  link('Go to', 'Clock: what falls due', '/clock', { isUsual: true }),
  ...serverPages.map(([path, name]) => link('Go to', name, path, { isUsual: true })),
]

const clockEntries = (context: PagesContext): readonly PaletteEntry[] =>
  [...clockSteps(context), ...clockOrders(context), ...clockSpeeds(context)].map(({ order, text }) =>
    form(text, '/clock', { order }, { group: 'Clock', isUsual: true }),
  )

const minutes = '5'

/** Faults as their page and its menu inject and remove them. */
function faultEntries({ faults }: PagesContext): readonly PaletteEntry[] {
  const on = faultsThatHit(faults.list())
  const presets = faultPresets.map((preset) => {
    const { name, title } = preset
    const isOn = rulesOfPreset(preset, faults.list()).some(({ state }) => state === 'on')
    const [text, step] = isOn ? [`End ${title}`, 'end'] : [`Start ${title} for ${minutes} minutes`, 'start']
    return form(text, '/faults/presets', { minutes, [step]: name }, { note: 'fault preset' })
  })
  const all = form('Remove all faults', '/faults/clear', {}, { isUsual: true })
  return [
    ...(on.length > 0 ? [all] : []),
    ...on.map((fault) => form(`Remove ${faultInWords(fault)}`, `/faults/${fault.id}/clear`)),
    ...Object.values(faultKinds).flatMap(({ example }) => example.flatMap(injecting)),
    ...presets,
  ]
}

/** Injects a fault as often as its page offers; one that applies until cleared has no times. */
function injecting(written: string): readonly PaletteEntry[] {
  const read = readFault(written)
  const all = isFault(read) && isEndless(read) ? faultTimes.slice(-1) : faultTimes
  const more = isFault(read) && faultMoment(read) === 'host' ? { note: 'any payment or refund' } : {}
  return all.map(([times, words]) =>
    form(`Inject ${written}, ${words}`, '/faults', { kind: written, times }, more),
  )
}

const stateEntries: readonly PaletteEntry[] = [
  link('Do', 'Save a snapshot', '/snapshots', { isUsual: true }),
  drawer('Reset the sandbox…', '/reset', { isUsual: true }),
]

/** Readable snapshots, the latest first: to compare, restore, delete. None while the folder is unreadable. */
async function snapshotEntries(context: PagesContext): Promise<readonly PaletteEntry[]> {
  const { snapshots } = await context.send(listSnapshots).catch((error: unknown) => {
    if (error instanceof Refusal) return { snapshots: [] }
    throw error
  })
  return latestFirst(snapshots)
    .filter(({ problem }) => problem === null)
    .flatMap(({ name }) => [
      link('Do', `Compare ${name} with now`, `/snapshots?compare=${name}#differences-title`, {
        note: 'snapshot',
      }),
      form(`Restore ${name}`, `/snapshots/${name}/restore`, {}, { note: 'snapshot' }),
      drawer(`Delete ${name}…`, `/snapshots/${name}/delete`, { note: 'snapshot' }),
    ])
}

/** Outcomes by name, code or words: for a new payment, or the next at the page's or the first terminal. */
function outcomeEntries(context: PagesContext, at: string): readonly PaletteEntry[] {
  const terminals = terminalsIn(context).map((each) => each.terminalSn)
  const terminalSn = terminals.find((each) => terminalPath(each) === at) ?? terminals[0] ?? ''
  const queued = queuedAt(context).map((each) => each.terminalSn)
  const declineName = context.catalogue.outcomeNamed('decline')?.name
  return [
    ...context.catalogue.outcomes.flatMap(({ name, code, message = '' }) => {
      const more = { note: `${code} ${message}${name === declineName ? ', decline' : ''}` }
      return [
        drawer(`New payment with ${name}`, `/payments/new?outcome=${name}`, more),
        form(`Queue ${name} at ${terminalSn}`, '/outcomes', { terminalSn, outcome: name }, more),
      ]
    }),
    ...(queued.length > 1 ? [form('Clear all queued outcomes', '/outcomes/clear', { terminalSn: '' })] : []),
    ...queued.map((each) => form(`Clear the queue of ${each}`, '/outcomes/clear', { terminalSn: each })),
  ]
}

const terminalEntries = (context: PagesContext): readonly PaletteEntry[] =>
  terminalsIn(context).map(({ terminalSn, profile: { label = '' } }) =>
    link('Records', terminalSn, terminalPath(terminalSn), { note: label }),
  )

const cardEntries = ({ catalogue }: PagesContext): readonly PaletteEntry[] =>
  catalogue.cards.flatMap(({ name, number, outcome = '' }): PaletteEntry[] => {
    if (number === undefined) return []
    const code = catalogue.outcomes.find((each) => each.name === outcome)?.code ?? ''
    const note = `${number.slice(0, 4)} … ${number.slice(-4)} ${code}`
    return [{ group: 'Records', text: `Copy the number of ${name}`, note, copies: number }]
  })

/** What the text itself is: a fault as it is written, the name of a new snapshot. */
function typedEntries(typed: string): readonly PaletteEntry[] {
  const fault = /^\d{3}$/.test(typed) ? `http-${typed}` : typed.toLowerCase()
  const isKnown = Object.values(faultKinds).some(({ example }) =>
    (example as readonly string[]).includes(fault),
  )
  const [, name] = /^(?:save|snapshot) (?:as )?([\w.-]{1,64})$/i.exec(typed) ?? []
  return [
    ...(!isKnown && isFault(readFault(fault)) ? injecting(fault) : []),
    ...(name === undefined ? [] : [form(`Save the state as ${name}`, '/snapshots', { name })]),
  ]
}

/** An amount begins a payment, after the payments that have it. */
function amountEntries(typed: string): readonly PaletteEntry[] {
  const [, ...amounts] =
    /^(?:(?:pay|sale|new payment) (\d{1,9}(?:[.,]\d{1,3})?)|(\d{1,9}[.,]\d{2,3}))$/i.exec(typed) ?? []
  const amount = amounts.find(Boolean)
  if (amount === undefined) return []
  return [drawer(`New payment of ${amount}`, `/payments/new?amount=${encodeURIComponent(amount)}`)]
}

const isBeginning = (word: string, label: string): boolean =>
  word.length > 2 && label.toLowerCase().startsWith(word.toLowerCase())

/** The newest payments that fit; with a word that begins an action, that action for the others' payments. */
async function paymentEntries(context: PagesContext, typed: string): Promise<readonly PaletteEntry[]> {
  const words = typed.split(/\s+/)
  const chosen = followUps.filter(({ label }) => words.some((word) => isBeginning(word, label)))
  const rest = words.filter((word) => !chosen.some(({ label }) => isBeginning(word, label))).join(' ')
  const now = context.clock.now()
  const actionsOn = ({ ledger, transaction }: OwnedTransaction) =>
    possibleActions(ledger, transaction, now, chosen)
  const isAction = chosen.length > 0 && rest !== ''
  const open = isAction ? await newestLike(context, rest, (each) => actionsOn(each).length > 0) : []
  const acting = open.flatMap((each) =>
    actionsOn(each).map(({ path, label }) =>
      drawer(
        `${label}: ${transactionName(each.transaction)}`,
        `/transactions/${each.transaction.id}/${path}`,
        {
          note: transactionNote(each, now),
        },
      ),
    ),
  )
  if (acting.length > 0) return withAll(acting, rest)
  const found = await newestLike(context, rest || typed)
  return withAll(
    found.map((owned) => transactionEntry(owned, now)),
    rest || typed,
  )
}

/** As many as are shown may not be all: the list has the others. */
const withAll = (entries: readonly PaletteEntry[], text: string): readonly PaletteEntry[] =>
  entries.length < mostPayments
    ? entries
    : [...entries, link('Records', `Show all transactions with ${text}`, `/?q=${encodeURIComponent(text)}`)]

type Transaction = OwnedTransaction['transaction']

const transactionName = (transaction: Transaction): string =>
  `${typeNames[transaction.type]} ${money(amountOf(transaction), transaction.currency)} · ${transaction.orderId ?? transaction.id}`

/** Its state, time and id: several may have the same order, amount and time. */
const transactionNote = ({ ledger, transaction }: OwnedTransaction, now: number): string =>
  `${statusInWords(transaction)}, ${formatTime(transaction.createdAt, now, ledger.settings.timeZone)}${transaction.orderId === null ? '' : ` · ${transaction.id}`}`

const transactionEntry = (found: OwnedTransaction, now: number): PaletteEntry =>
  link('Records', transactionName(found.transaction), `/transactions/${found.transaction.id}`, {
    note: transactionNote(found, now),
  })

/** The newest transactions that have the text; one with exactly that id or order however old it is. */
async function newestLike(
  { engine, statistics }: PagesContext,
  text: string,
  isMeant = (_: OwnedTransaction) => true,
) {
  const exact = findExactly(engine.state.ledgers.values(), statistics.current, text)
  const fits = exact ? () => true : textMatcher(text)
  const matches = (owned: OwnedTransaction) => fits(owned) && isMeant(owned)
  return (await search(exact ?? statistics.current, matches, null, mostPayments)).rows
}

/** The request with that trace id, and the notification with that id. */
const recordEntries = ({ log, engine }: PagesContext, id: string): readonly PaletteEntry[] => [
  ...(log.find(id) ? [link('Records', `Request ${id}`, `/requests/${id}`)] : []),
  ...(notificationIn(engine.state, id) ? [link('Records', `Webhook ${id}`, `/webhooks/${id}`)] : []),
]
