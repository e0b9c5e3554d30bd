import type { Receipt } from '../../../contract/sandbox/receipts.ts'
import { resultTime, type ScreenView, type ShownTransaction } from '../../../contract/sandbox/screens.ts'
import { isFinal } from '../../../contract/statuses.ts'
import { screenNamed, terminalNamed } from '../../../control/terminals.ts'
import { cardReadOf } from '../../../domain/model/cards.ts'
import { merchantProfileOf } from '../../../domain/state.ts'
import { unpairedNamed } from '../../../domain/unpaired-terminals.ts'
import type { Catalogue } from '../../../fixtures.ts'
import { addressed } from '../../../presentation/copy-as.ts'
import { receiptOf } from '../../../records/receipt.ts'
import { actingFor } from '../../../request-log/acting-for.ts'
import { shellQuote } from '../../../text/shell-quote.ts'
import { terminalSummary } from '../../../views/terminal-summary.ts'
import type { PagesContext } from '../../frame/pages-context.ts'

/** Content of a terminal's page: its screen, and the printed receipt. */
export interface WorkbenchView {
  readonly screen: ScreenView
  /** The cards and outcomes that the sandbox knows. */
  readonly catalogue: Catalogue
  /** What starts a payment here, or pairs it. */
  readonly command: string
  /** Receipt of the last transaction; null when nothing was printed. */
  readonly receipt: Receipt | null
  /** Default behaviour of the terminal, in words. */
  readonly summary: string
  /** The previous transaction, if the next one in line replaced its result too soon; null when the result was shown. */
  readonly before: ShownTransaction | null
  /** True while the card of the payment is in the chip reader; a card that was tapped or swiped is not. */
  readonly isCardIn: boolean
}

/** The content of a terminal's page now; `baseUrl`: of the sandbox in the browser. Errors: SBX_UNREGISTERED. */
export function workbenchViewOf(
  context: Pick<PagesContext, 'catalogue' | 'clock' | 'directory' | 'engine'>,
  terminalSn: string,
  baseUrl: string,
): WorkbenchView {
  const { state } = context.engine
  const waiting = unpairedNamed(state.ledgers, terminalSn)
  if (waiting !== undefined)
    return {
      screen: screenNamed(context, terminalSn),
      catalogue: context.catalogue,
      command: addressed(`tillbox terminal pair ${waiting.unpaired.code}`, baseUrl),
      before: null,
      isCardIn: false,
      receipt: null,
      summary: waiting.unpaired.profile.summary,
    }
  const { ledger, terminal } = terminalNamed(context, terminalSn)
  const profile = merchantProfileOf(state, ledger.settings.merchantId)
  const last = ledger.transactions.get(terminal.last ?? '')
  const running = ledger.transactions.get(terminal.line[0] ?? '')
  const screen = screenNamed(context, terminalSn)
  const sale = `tillbox sale --amount 12.50 --terminal ${shellQuote(terminalSn)}`
  const cutShort = (running?.createdAt ?? Number.POSITIVE_INFINITY) - (last?.completedAt ?? 0) < resultTime
  return {
    screen,
    catalogue: context.catalogue,
    command: addressed(actingFor(context.directory, ledger.settings, sale), baseUrl),
    before: cutShort ? screen.last : null,
    isCardIn: running !== undefined && cardReadOf(ledger, running)?.entryMode === 'CONTACT',
    receipt: last !== undefined && isFinal(last.status) ? receiptOf(ledger, last, profile) : null,
    summary: terminalSummary(terminal),
  }
}

/** A text for ids and selectors, unique for each serial number. */
export const workbenchId = (terminalSn: string): string =>
  terminalSn.replace(/[^A-Za-z0-9-]/g, (sign) => `_${sign.charCodeAt(0).toString(16)}_`)
