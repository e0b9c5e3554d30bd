import { Refusal } from '../../../contract/errors.ts'
import { faultPresets, rulesOfPreset } from '../../../contract/sandbox/fault-presets.ts'
import { faultKinds, isEndless, isFault, readFault } from '../../../contract/sandbox/faults.ts'
import { terminalPath } from '../../../contract/sandbox/screens.ts'
import { typeNames } from '../../../contract/statuses.ts'
import { listSnapshots } from '../../../control/state/snapshot-handlers.ts'
import { amountOf } from '../../../domain/model/transaction.ts'
import { money } from '../../../presentation/money.ts'
import { faultInWords, faultsThatHit } from '../../../presentation/words.ts'
import { bestMatches } from '../../../text/match.ts'
import { typedTime } from '../../../text/typed-time.ts'
import type { CountedTransaction } from '../../../views/statistics/counted-transaction.ts'
import { statusInWords } from '../../../views/status-in-words.ts'
import { textMatcher } from '../../../views/transaction-text.ts'
import { notificationIn } from '../../../webhooks/notifications/past-notifications.ts'
import { formatDateTime } from '../../components/format.ts'
import type { PagesContext } from '../../frame/page-view.tsx'
import { goTo } from '../../keys.ts'
import { clockOrders, clockSteps, faultTimes } from '../../masthead/actions.ts'
import { queuedAt } from '../../masthead/masthead-facts.tsx'
import { latestFirst } from '../../masthead/menus.tsx'
import { documentedOperations } from '../docs/documented-operations.ts'
import { guides } from '../docs/guides.ts'
import { type FollowUp, followUps, possibleActions } from '../payments/follow-ups.ts'
import { beginnings } from '../payments/new-payment-page.tsx'
import { findExactly, search } from '../transactions/transaction-search.ts'

/** What can be chosen in the palette: a page to go to, a form to send, or a text to copy. */
export interface PaletteEntry {
  readonly group:
    | 'Payments'
    | 'Actions'
    | 'Clock'
    | 'Faults'
    | 'Outcomes'
    | 'State'
    | 'Go to'
    | 'Terminals'
    | 'Test cards'
    | 'Docs'
  readonly text: string
  /** A note beside it: a key, or what it is about. */
  readonly note?: string
  /** Words that find it, beside those of its text. */
  readonly also?: string
  /** True for one that is offered while nothing is typed. */
  readonly isUsual?: boolean
  readonly leads?: { readonly to: string; readonly opensDrawer?: boolean }
  /** The form that does it. */
  readonly post?: { readonly path: string; readonly fields?: Readonly<Record<string, string>> }
  readonly copies?: string
}

/** Entries of one group at most, while something is typed. */
const mostOfGroup = 6

/** What fits the typed text, the best group first; what is usual while nothing is typed. `at`: path of the page below. */
export async function paletteEntries(
  context: PagesContext,
  typed: string,
  at: string,
): Promise<readonly PaletteEntry[]> {
  const text = typed.trim()
  const lasting = [...actions, ...clockEntries(context), ...faultEntries(context), ...stateEntries, ...places]
  if (text === '') return lasting.filter(({ isUsual }) => isUsual)
  const all = [
    ...lasting,
    ...outcomeEntries(context, at),
    ...(await snapshotEntries(context)),
    ...terminalEntries(context),
    ...cardEntries(context),
  ]
  const fitting = (offered: readonly PaletteEntry[]) =>
    bestMatches(text, offered, ({ text: shown, also }) => [shown, also])
  const entries = [...fitting(all), ...fitting(docEntries())]
  const groups = [...new Set(entries.map(({ group }) => group))]
  return [
    ...typedEntries(context, text),
    ...(await paymentEntries(context, text)),
    ...amountEntries(text),
    ...recordEntries(context, text),
    ...groups.flatMap((group) => entries.filter((each) => each.group === group).slice(0, mostOfGroup)),
  ]
}

const actions: readonly PaletteEntry[] = [
  ...beginnings.map(
    ([operation, label], index): PaletteEntry => ({
      group: 'Actions',
      text: index === 0 ? 'New payment' : `New payment: ${label}`,
      also: `pay start ${operation} ${label}`,
      ...(index === 0 && { note: 'n', isUsual: true }),
      leads: { to: `/payments/new?operation=${operation}`, opensDrawer: true },
    }),
  ),
  {
    group: 'Actions',
    text: 'Close and settle all batches',
    note: 'g b, c',
    also: 'settlement end of day',
    isUsual: true,
    leads: { to: '/batches/close' },
  },
  {
    group: 'Actions',
    text: 'Show the keys',
    note: '?',
    also: 'keyboard shortcuts help',
    isUsual: true,
    leads: { to: '/keys', opensDrawer: true },
  },
  {
    group: 'Actions',
    text: 'Download the transactions as CSV',
    also: 'export',
    leads: { to: '/transactions.csv' },
  },
  {
    group: 'Actions',
    text: 'Download the transactions as JSON',
    also: 'export',
    leads: { to: '/transactions.json' },
  },
]

const places: readonly PaletteEntry[] = [
  ...Object.entries(goTo).map(
    ([key, [path, name]]): PaletteEntry => ({
      group: 'Go to',
      text: name,
      note: `g ${key}`,
      isUsual: name !== 'Home',
      leads: { to: path },
    }),
  ),
  { group: 'Go to', text: 'First steps', isUsual: true, leads: { to: '/start' } },
]

const clockEntries = (context: PagesContext): readonly PaletteEntry[] =>
  [...clockSteps, ...clockOrders(context)].map(({ order, text }) => ({
    group: 'Clock',
    text,
    also: 'time forward',
    isUsual: true,
    post: { path: '/clock', fields: { order } },
  }))

/** Minutes that a preset is on. */
const presetMinutes = '5'

/** Faults as their page and its menu inject and remove them. */
function faultEntries({ faults }: PagesContext): readonly PaletteEntry[] {
  const on = faultsThatHit(faults.list())
  const presets = faultPresets.map((preset): PaletteEntry => {
    const { name, title, summary } = preset
    const isOn = rulesOfPreset(preset, faults.list()).some(({ state }) => state === 'on')
    return {
      group: 'Faults',
      text: isOn ? `End ${title}` : `Start ${title} for ${presetMinutes} minutes`,
      also: `fault preset ${summary}`,
      post: {
        path: '/faults/presets',
        fields: { minutes: presetMinutes, [isOn ? 'end' : 'start']: name },
      },
    }
  })
  const removals = on.map(
    (fault): PaletteEntry => ({
      group: 'Faults',
      text: `Remove ${faultInWords(fault)}`,
      also: 'fault clear',
      post: { path: `/faults/${fault.id}/clear` },
    }),
  )
  const all: PaletteEntry = {
    group: 'Faults',
    text: 'Remove all faults',
    also: 'clear',
    isUsual: true,
    post: { path: '/faults/clear' },
  }
  const kinds = Object.values(faultKinds).flatMap(({ example, summary }) =>
    example.flatMap((written) => injecting(written, summary)),
  )
  return [...(on.length > 0 ? [all] : []), ...removals, ...kinds, ...presets]
}

/** Injects a fault as often as the menu offers; one that applies until cleared has no times. */
function injecting(written: string, summary: string): readonly PaletteEntry[] {
  const read = readFault(written)
  const times = isFault(read) && isEndless(read) ? faultTimes.slice(-1) : faultTimes
  return times.map(([sent, words]) => ({
    group: 'Faults',
    text: `Inject ${written}, ${words}`,
    also: `fault error ${summary}`,
    post: { path: '/faults', fields: { kind: written, times: sent } },
  }))
}

const stateEntries: readonly PaletteEntry[] = [
  {
    group: 'State',
    text: 'Save a snapshot',
    also: 'state checkpoint',
    isUsual: true,
    leads: { to: '/snapshots' },
  },
  {
    group: 'State',
    text: 'Reset the sandbox…',
    also: 'state clear empty',
    isUsual: true,
    leads: { to: '/reset' },
  },
]

/** Readable snapshots, the latest first: each is compared, restored or deleted. None while their folder cannot be read. */
async function snapshotEntries(context: PagesContext): Promise<readonly PaletteEntry[]> {
  return (await readableSnapshots(context)).flatMap(({ name }): PaletteEntry[] => [
    {
      group: 'State',
      text: `Compare ${name} with now`,
      also: 'snapshot diff',
      leads: { to: `/snapshots?compare=${name}#differences-title` },
    },
    {
      group: 'State',
      text: `Restore ${name}`,
      also: 'snapshot',
      post: { path: `/snapshots/${name}/restore` },
    },
    {
      group: 'State',
      text: `Delete ${name}…`,
      also: 'snapshot remove',
      leads: { to: `/snapshots/${name}/delete` },
    },
  ])
}

async function readableSnapshots(context: PagesContext) {
  try {
    return latestFirst((await listSnapshots(context)).snapshots).filter(({ problem }) => problem === null)
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

/** Outcomes by name, code or words: for the next payment of the terminal of the page, or the first one, or a new payment. */
function outcomeEntries(context: PagesContext, at: string): readonly PaletteEntry[] {
  const terminals = [...context.engine.state.ledgers.values()].flatMap((each) => [...each.terminals.keys()])
  const terminalSn = terminals.find((each) => terminalPath(each) === at) ?? terminals[0] ?? ''
  const queued = queuedAt(context)
  const clearing = (serial: string): PaletteEntry => ({
    group: 'Outcomes',
    text: serial === '' ? 'Clear all queued outcomes' : `Clear the queue of ${serial}`,
    post: { path: '/outcomes/clear', fields: { terminalSn: serial } },
  })
  return [
    ...context.catalogue.outcomes.flatMap(({ name, code, message = '' }): PaletteEntry[] => [
      {
        group: 'Outcomes',
        text: `New payment with ${name}`,
        note: `${code} ${message}`,
        also: `outcome ${code} ${message} decline`,
        leads: { to: `/payments/new?outcome=${name}`, opensDrawer: true },
      },
      {
        group: 'Outcomes',
        text: `Queue ${name} at ${terminalSn}`,
        note: `${code} ${message}`,
        also: `outcome ${code} ${message} decline`,
        post: { path: '/outcomes', fields: { terminalSn, outcome: name, times: '1' } },
      },
    ]),
    ...(queued.length > 1 ? [clearing('')] : []),
    ...queued.map((each) => clearing(each.terminalSn)),
  ]
}

const terminalEntries = ({ engine }: PagesContext): readonly PaletteEntry[] =>
  [...engine.state.ledgers.values()].flatMap(({ terminals }) =>
    [...terminals.values()].map(
      ({ terminalSn, profile }): PaletteEntry => ({
        group: 'Terminals',
        text: terminalSn,
        note: profile.label ?? '',
        also: `${profile.label ?? ''} ${profile.mode}`,
        leads: { to: terminalPath(terminalSn) },
      }),
    ),
  )

const cardEntries = ({ catalogue }: PagesContext): readonly PaletteEntry[] =>
  catalogue.cards.flatMap(({ name, number, outcome = '' }): PaletteEntry[] => {
    if (number === undefined) return []
    const code = catalogue.outcomes.find((each) => each.name === outcome)?.code ?? ''
    const also = `${name} test card ${outcome} ${code}`
    return [{ group: 'Test cards', text: `Copy ${number}`, note: name, also, copies: number }]
  })

const docEntries = (): readonly PaletteEntry[] => [
  ...documentedOperations().map(
    ({ id, path, operation }): PaletteEntry => ({
      group: 'Docs',
      text: operation.summary,
      note: id,
      also: `docs ${id} ${path ?? 'webhook'}`,
      leads: { to: `/docs/${id}` },
    }),
  ),
  ...guides().map(
    ({ id, title }): PaletteEntry => ({
      group: 'Docs',
      text: title,
      note: 'guide',
      also: `docs guide ${id}`,
      leads: { to: `/docs/guides/${id}` },
    }),
  ),
]

/** What the text itself is: a time of the clock, a fault as it is written, the name of a new snapshot. */
function typedEntries({ clock }: PagesContext, typed: string): readonly PaletteEntry[] {
  const time = typedTime(typed.replace(/^clock /i, ''), clock.now())
  const fault = /^\d{3}$/.test(typed) ? `http-${typed}` : typed.toLowerCase()
  const isKnown = Object.values(faultKinds).some(({ example }) =>
    (example as readonly string[]).includes(fault),
  )
  const [, name] = /^(?:save|snapshot) (?:as )?([\w.-]{1,64})$/i.exec(typed) ?? []
  return [
    ...(time === undefined ? [] : [advancingTo(time)]),
    ...(!isKnown && isFault(readFault(fault)) ? injecting(fault, '') : []),
    ...(name === undefined ? [] : [saving(name)]),
  ]
}

const advancingTo = (time: number): PaletteEntry => ({
  group: 'Clock',
  text: `Advance the clock to ${formatDateTime(time, 'UTC')} UTC`,
  post: { path: '/clock', fields: { order: new Date(time).toISOString() } },
})

const saving = (name: string): PaletteEntry => ({
  group: 'State',
  text: `Save the state as ${name}`,
  post: { path: '/snapshots', fields: { name } },
})

/** An amount begins a payment, after the payments that have it. */
function amountEntries(typed: string): readonly PaletteEntry[] {
  const [, amount] = /^(?:(?:pay|sale|new payment) )?(\d{1,9}[.,]\d{2,3})$/i.exec(typed) ?? []
  if (amount === undefined) return []
  const to = `/payments/new?amount=${encodeURIComponent(amount)}`
  return [{ group: 'Actions', text: `New payment of ${amount}`, leads: { to, opensDrawer: true } }]
}

/** Actions that a typed word begins: `refund 4242`. */
const actionsIn = (words: readonly string[]): readonly FollowUp[] =>
  followUps.filter(({ label }) => words.some((word) => isBeginning(word, label)))

const isBeginning = (word: string, label: string): boolean =>
  word.length > 2 && label.toLowerCase().startsWith(word.toLowerCase())

/** The newest payments that fit; with a word that begins an action, what it does with them. */
async function paymentEntries(context: PagesContext, typed: string): Promise<readonly PaletteEntry[]> {
  const words = typed.split(/\s+/)
  const chosen = actionsIn(words)
  const rest = words.filter((word) => !chosen.some(({ label }) => isBeginning(word, label))).join(' ')
  const acting =
    chosen.length === 0 || rest === ''
      ? []
      : (await newestLike(context, rest)).flatMap(({ ledger, transaction }) =>
          possibleActions(ledger, transaction, context.clock.now())
            .filter((each) => chosen.includes(each))
            .map(
              ({ path, label }): PaletteEntry => ({
                ...entryOf(transaction),
                text: `${label}: ${nameOf(transaction)}`,
                leads: { to: `/transactions/${transaction.id}/${path}`, opensDrawer: true },
              }),
            ),
        )
  return [...acting, ...(await newestLike(context, typed)).map(({ transaction }) => entryOf(transaction))]
}

type Transaction = CountedTransaction['transaction']

const nameOf = (transaction: Transaction): string =>
  `${typeNames[transaction.type]} ${money(amountOf(transaction), transaction.currency)} · ${transaction.orderId ?? transaction.id}`

const entryOf = (transaction: Transaction): PaletteEntry => ({
  group: 'Payments',
  text: nameOf(transaction),
  note: statusInWords(transaction),
  leads: { to: `/transactions/${transaction.id}` },
})

/** The newest transactions that have the text; one with exactly that id or order however old it is. */
async function newestLike(
  { engine, statistics }: PagesContext,
  text: string,
): Promise<readonly CountedTransaction[]> {
  const register = statistics.current
  const exact = findExactly(engine.state.ledgers.values(), register, text)
  const start = { before: null, after: null }
  const { rows } = await search(exact ?? register, exact ? () => true : textMatcher(text), start, mostOfGroup)
  return rows.slice(0, mostOfGroup)
}

/** The request with that trace id, and the notification with that id. */
function recordEntries({ log, engine }: PagesContext, id: string): readonly PaletteEntry[] {
  const found: readonly (readonly [name: string, path: string, isKnown: boolean])[] = [
    ['Request', '/requests', log.find(id) !== undefined],
    ['Webhook', '/webhooks', notificationIn(engine.state, id) !== undefined],
  ]
  return found
    .filter(([, , isKnown]) => isKnown)
    .map(([name, path]) => ({ group: 'Go to', text: `${name} ${id}`, leads: { to: `${path}/${id}` } }))
}
