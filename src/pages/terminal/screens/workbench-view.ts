import {
  resultTime,
  type ScreenName,
  type ScreenView,
  type ShownTransaction,
  terminalPath,
} from '../../../contract/control/screens.ts'
import { addressed } from '../../../contract/presentation/copy-as.ts'
import { money } from '../../../contract/presentation/money.ts'
import { isFinal } from '../../../contract/statuses.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import { merchantProfileOf } from '../../../domain/state.ts'
import { unpairedNamed } from '../../../domain/unpaired-terminals.ts'
import { screenNamed, terminalNamed } from '../../../sandbox/control/terminals.ts'
import { baseUrlOf, type Call, sharedBaseUrlOf } from '../../../sandbox/http/call.ts'
import { receiptOf } from '../../../sandbox/records/receipt.ts'
import { actingFor } from '../../../sandbox/request-log/hide-secrets.ts'
import { terminalSummary } from '../../../sandbox/views/status-in-words.ts'
import type { OwnedTransaction } from '../../../sandbox/views/transaction-text.ts'
import { story } from '../../../sandbox/views/views.ts'
import { shellQuote } from '../../../shared/text/shell-quote.ts'
import type { PagesContext } from '../../frame/page-view.tsx'

/** The latest transactions of a terminal, the newest first, and the sandbox time in milliseconds. */
export interface LatestTransactions {
  readonly rows: readonly OwnedTransaction[]
  readonly now: number
}

/** Content of a terminal's page. */
export type WorkbenchView = Readonly<ReturnType<typeof workbenchView>>

/** The content of a terminal's page now: its screen, and the last receipt. */
export function workbenchView(context: PagesContext, terminalSn: string, call: Call) {
  const { state } = context.engine
  const baseUrl = baseUrlOf(call)
  const screen = screenNamed(context, terminalSn)
  const common = { screen, catalogue: context.catalogue, deviceUrl: deviceUrlOf(call, terminalSn) }
  const waiting = unpairedNamed(state.ledgers, terminalSn)
  if (waiting !== undefined) {
    const { code, profile } = waiting.unpaired
    const command = addressed(`tillbox terminal pair ${code}`, baseUrl)
    const nothing = { before: null, isCardIn: false, latest: null, story: null, receipt: null }
    const merchants = merchantOptions(context)
    return { ...common, ...nothing, merchants, command, currencies: [], summary: profile.summary }
  }
  const { ledger, terminal } = terminalNamed(context, terminalSn)
  const profile = merchantProfileOf(state, ledger.settings.merchantId)
  const last = ledger.transactions.get(terminal.last ?? '')
  const running = ledger.transactions.get(terminal.line[0] ?? '')
  const told = running ?? last
  const quoted = shellQuote(terminalSn)
  const sale = `tillbox sale --amount 12.50 --terminal ${quoted}`
  const cutShort = (running?.createdAt ?? Number.POSITIVE_INFINITY) - (last?.completedAt ?? 0) < resultTime
  const command = screen.online
    ? actingFor(context.directory, ledger.settings, sale)
    : `tillbox terminal online ${quoted}`
  const isPrinted = last !== undefined && isFinal(last.status)
  return {
    ...common,
    /** With which one that is not paired can be. */
    merchants: [],
    /** What starts a payment here, brings the terminal online, or pairs it. */
    command: addressed(command, baseUrl),
    /** Currencies in which a sale can be typed here; first the one used last. */
    currencies: offeredCurrencies(ledger.settings.currencies, screen.last?.currency),
    /** The previous transaction, if the next in line replaced its result too soon; null: it was shown. */
    before: cutShort ? screen.last : null,
    /** Null where the terminal is not paired. */
    latest: { rows: latestAt(ledger, terminalSn), now: context.clock.now() },
    /** What happened to the payment that is taken, or was last; null before one. */
    story: told === undefined ? null : story(context, told.id),
    /** True while the card of the payment is in the chip reader; a card that was tapped or swiped is not. */
    isCardIn: running !== undefined && running.cardRead?.entryMode === 'CONTACT',
    /** Receipt of the last transaction; null before one. */
    receipt: isPrinted ? receiptOf(ledger, last, profile) : null,
    /** Default behaviour of the terminal, in words. */
    summary: terminalSummary(terminal),
  }
}

/** Every merchant, by its id and name. */
export const merchantOptions = ({ engine: { state } }: Pick<PagesContext, 'engine'>) =>
  [...state.ledgers.keys()].map(
    (id) => [id, `${merchantProfileOf(state, id).details.dbaName} · ${id}`] as const,
  )

/** Transactions of a terminal that its page lists, and the merchant's among which it looks. */
const [mostListed, mostLookedAt] = [8, 1_000]

function latestAt(ledger: Ledger, terminalSn: string): readonly OwnedTransaction[] {
  const found: OwnedTransaction[] = []
  let looked = 0
  for (const transaction of ledger.transactions.newest()) {
    if (found.length === mostListed || looked++ === mostLookedAt) break
    if (transaction.terminalSn === terminalSn) found.push({ ledger, transaction })
  }
  return found
}

/** The query of a page that shows a device alone. */
export const deviceView = '?view=device'

/** The address of the terminal alone, as other devices may reach it. */
export const deviceUrlOf = (call: Call, terminalSn: string): string =>
  `${sharedBaseUrlOf(call)}${terminalPath(terminalSn)}${deviceView}`

/** Those of a merchant that takes all: with two decimals, with none, with three. assumption: page-requests */
const usualCurrencies = ['USD', 'EUR', 'JPY', 'KWD']

/** The currencies of a merchant, null for all; the one used last comes first. */
const offeredCurrencies = (taken: readonly string[] | null, last: string | undefined): readonly string[] => {
  const isOffered = last !== undefined && (taken ?? [last]).includes(last)
  return [...new Set([...(isOffered ? [last] : []), ...(taken ?? usualCurrencies)])]
}

/** True while a sale can be typed at the terminal. */
export const takesSale = ({ screen }: ScreenView): boolean => screen === 'idle' || screen === 'result'

/** A text for ids and selectors, unique for each serial number. */
export const workbenchId = (terminalSn: string): string =>
  terminalSn.replace(/[^A-Za-z0-9-]/g, (sign) => `_${sign.charCodeAt(0).toString(16)}_`)

/** What every screen is drawn from. */
export interface ScreenProps {
  readonly view: ScreenView
  readonly transaction: ShownTransaction
  readonly isCardIn: boolean
}

/** The screen in a sentence, to be read out when it comes. */
export function screenAnnouncement(view: ScreenView): string {
  const { screen, transaction, pinTriesLeft, merchantName } = view
  if (screen === 'pairing')
    return `Not paired. The pairing code is ${[...(view.pairingCode ?? '')].join(' ')}`
  if (screen === 'offline') return 'The terminal is offline'
  if (transaction === null) return `${merchantName}: ready`
  const sum = money(transaction.transactionAmount, transaction.currency)
  const texts: Readonly<Record<Exclude<ScreenName, 'offline' | 'idle' | 'pairing'>, string>> = {
    'present-card': `${sum}. Present a card`,
    'insert-card': `${sum}. Above the contactless limit: insert the card`,
    tip: `${sum}. Choose a tip`,
    pin: `${sum}. Enter the PIN, then press Enter. Tries left: ${pinTriesLeft}`,
    processing: 'Please wait. Contacting the bank',
    signature: `${sum} approved. Sign, or press Cancel to skip the signature`,
    result:
      transaction.status === 'SUCCESS'
        ? `Approved, ${sum}`
        : [resultWord(transaction), transaction.resultCode, transaction.resultMsg].filter(Boolean).join(', '),
  }
  return texts[screen as keyof typeof texts]
}

const words: Readonly<Record<string, string>> = { SUCCESS: 'Approved', FAIL: 'Declined', CLOSED: 'Closed' }

/** How a transaction ended, in one word. */
export const resultWord = ({ status }: ShownTransaction): string => words[status] ?? status

/** How the payment before ended, in a line: `Before: Declined, $22.00, 005 Do not honor`. */
export function previousResult(before: ShownTransaction): string {
  const { status, transactionAmount, currency, resultCode, resultMsg } = before
  const reason = status === 'FAIL' ? [resultCode, resultMsg].filter(Boolean).join(' ') : ''
  return `Before: ${[resultWord(before), money(transactionAmount, currency), reason].filter(Boolean).join(', ')}`
}
