import type {
  ClockReading,
  Connection,
  Health,
  PastStory,
  StateSummary,
  TerminalView,
  TransactionTree,
} from '../../contract/control/control-answers.ts'
import { type ProductionSettings, presetText } from '../../contract/control/presets.ts'
import { reject } from '../../contract/errors.ts'
import { isFinal } from '../../contract/statuses.ts'
import type { Ledger, UnpairedTerminal } from '../../domain/model/ledger.ts'
import { localDateTime, offsetDateTime } from '../../domain/model/local-time.ts'
import {
  authorisedAmount,
  authorisedUntil,
  leftToCapture,
  leftToRefund,
  totalOrZero,
} from '../../domain/model/parts.ts'
import { momentsOf } from '../../domain/model/timeline.ts'
import { batchStatusOf } from '../../domain/model/totals.ts'
import { amountOf, type Transaction } from '../../domain/model/transaction.ts'
import { relatedStatusOf } from '../../domain/original-effects.ts'
import { orderLookUp } from '../../domain/rules/originals.ts'
import { countedBatches } from '../../domain/rules/settlement.ts'
import { outcomeStands, waitingReason, waitsFor } from '../../domain/screen-flow.ts'
import { countTransactions } from '../../domain/state.ts'
import { packageVersion } from '../../shared/package-root.ts'
import { portOf } from '../../shared/text/http-url.ts'
import type { Directory } from '../engine/directory.ts'
import type { EngineReader } from '../engine/engine.ts'
import type { SandboxClock } from '../engine/identifiers.ts'
import { terminalStatus } from '../records/screen-view.ts'
import { specRecord } from '../records/transaction-record.ts'
import {
  countByState,
  type DeliveryLog,
  deliveriesInFull,
  everyDelivery,
  transactionDeliveries,
} from '../webhooks/deliveries.ts'
import { settingsInWords, terminalSummary } from './status-in-words.ts'
import { type Ledgers, type OwnedTransaction, transactionIn } from './transaction-text.ts'

/** What the control interface shows of the sandbox. It reads, and changes nothing. */

/** What the answer of `connection` is made from. */
export interface ConnectionContext {
  readonly directory: Directory
  readonly engine: Pick<EngineReader, 'state'>
  readonly options: ProductionSettings & {
    readonly likeProduction: boolean
    readonly id: string
    readonly state: string
    readonly notifyUrl: string | null
    readonly forwardTo: string | null
    readonly publicUrl: string | null
    readonly basePath: string
    readonly runs: Connection['runs']
    readonly logFile: string | null
  }
}

/** What a client uses that names nothing: the first application, its first merchant, its terminals. */
export function defaultAccess({ directory, engine }: Pick<ConnectionContext, 'directory' | 'engine'>) {
  const application = directory.defaultApplication
  const merchantId = application.merchants[0]?.merchantId ?? ''
  return {
    apiKey: directory.currentKey(application) ?? '',
    appId: application.appId,
    merchantId,
    terminals: [...(engine.state.ledgers.get(merchantId)?.terminals.keys() ?? [])],
  }
}

/** What a client uses that acts as a merchant: the current key of its application, and its terminals. */
export function merchantAccess(
  { directory }: Pick<ConnectionContext, 'directory'>,
  { settings: { appId, merchantId }, terminals }: Ledger,
) {
  const application = directory.applicationNamed(appId)
  const apiKey = (application && directory.currentKey(application)) ?? ''
  return { apiKey, appId, merchantId, terminals: [...terminals.keys()] }
}

/** How a client connects. `url`: of the sandbox. */
export function sandboxConnection(sandbox: ConnectionContext, url: string): Connection {
  const { options } = sandbox
  return {
    url,
    id: options.id,
    port: portOf(new URL(url)),
    pid: process.pid,
    ...defaultAccess(sandbox),
    state: options.state,
    notifyUrl: options.notifyUrl,
    forwardTo: options.forwardTo,
    publicUrl: options.publicUrl && options.publicUrl + options.basePath,
    preset: presetText(options),
    runs: options.runs,
    logFile: options.logFile,
  }
}

/** The process that answers. `id`: of this start; `uptimeMs`: below zero after a wall clock was set back. */
export const processHealth = (id: string, uptimeMs: number): Health => ({
  status: 'ok',
  version: packageVersion(),
  id,
  pid: process.pid,
  uptimeMs: Math.max(uptimeMs, 0),
})

/** The state that is counted. */
export interface CountedState {
  readonly engine: Pick<EngineReader, 'state'>
}

/** Counts. */
export function summary({ engine }: CountedState): StateSummary {
  const ledgers = [...engine.state.ledgers.values()]
  const byStatus: Record<string, number> = {}
  for (const { transactions } of ledgers)
    for (const [status, count] of transactions.countByStatus())
      if (count > 0) byStatus[status] = (byStatus[status] ?? 0) + count
  return {
    merchants: ledgers.length,
    transactions: countTransactions(engine.state),
    byStatus,
    openBatches: ledgers.reduce((sum, ledger) => sum + countedBatches(ledger, {}).length, 0),
    webhooks: countByState(everyDelivery({ engine })),
    memoryBytes: process.memoryUsage().heapUsed,
  }
}

/** The ledger's terminals at that time, or only one of them. */
export const terminalViews = (ledger: Ledger, now: number, only?: string): TerminalView[] =>
  [...ledger.terminals.values()]
    .filter(({ terminalSn }) => only === undefined || terminalSn === only)
    .map((terminal) => ({
      appId: ledger.settings.appId,
      merchantId: ledger.settings.merchantId,
      ...terminal.profile,
      summary: terminalSummary(terminal),
      ...terminalStatus(ledger, terminal, now),
      line: terminal.line,
      queue: terminal.queue,
    }))

/** An unpaired terminal in the list. */
export const unpairedView = ({ profile, code }: UnpairedTerminal): TerminalView => ({
  appId: null,
  merchantId: null,
  ...profile,
  summary: settingsInWords(profile),
  pairingCode: code,
  online: profile.online !== false,
  screen: 'pairing',
  waiting: 0,
  line: [],
  queue: [],
})

/** A transaction with everything that happened to it, in order. */
export function story({ engine }: Pick<DeliveryLog, 'engine'>, id: string): PastStory {
  const { ledger, transaction } = transactionNamed(engine.state.ledgers, id)
  return transactionStory(ledger, transaction, transactionDeliveries(ledger, transaction))
}

/** The story with every attempt to notify. */
export async function storyInFull(log: DeliveryLog, id: string): Promise<PastStory> {
  const { ledger, transaction } = transactionNamed(log.engine.state.ledgers, id)
  const deliveries = await deliveriesInFull(log, ledger, transaction)
  return transactionStory(ledger, transaction, deliveries)
}

/** A transaction and its ledger. */
export const transactionNamed = (ledgers: Ledgers, id: string, field = 'id'): OwnedTransaction =>
  transactionIn(ledgers, id) ??
  reject('SBX_TXN_UNKNOWN', { field, message: `There is no transaction ${id}`, remedy: orderLookUp(id) })

const transactionStory = (
  ledger: Ledger,
  transaction: Transaction,
  deliveries: PastStory['deliveries'],
): PastStory => ({
  record: specRecord(ledger, transaction),
  merchantId: ledger.settings.merchantId,
  status: transaction.status,
  screen: transaction.screen,
  inCloud: transaction.inCloud,
  sessionId: transaction.online?.sessionId ?? null,
  waitsFor: waitsFor(ledger, transaction),
  waiting: waitingReason(ledger, transaction),
  expiresAt:
    isFinal(transaction.status) || outcomeStands(transaction) || transaction.expiresAt === null
      ? null
      : offsetDateTime(transaction.expiresAt, ledger.settings.timeZone),
  ...decisionOf(transaction),
  originalTransactionId: transaction.originalId,
  relatedTransactionStatus: relatedStatusOf(transaction),
  transactionBatchStatus: batchStatusOf(ledger, transaction),
  ...(transaction.type === 'AUTH' && { authorisedAmount: authorisedAmount(transaction) }),
  ...(leftToCapture(transaction) !== null && {
    capturableUntil: offsetDateTime(authorisedUntil(ledger, transaction), ledger.settings.timeZone),
  }),
  refundedAmount: totalOrZero(transaction.followUps?.refunded),
  children: transaction.followUps?.children ?? [],
  tree: transactionTree(ledger, transaction),
  deliveries,
  timeZone: ledger.settings.timeZone,
  timeline: momentsOf(transaction).map(({ at, what, detail }) => ({
    time: localDateTime(at, ledger.settings.timeZone),
    at,
    what,
    ...(detail && { detail }),
  })),
})

/**
 * The outcome and its rule, once the host was asked or the service declined by itself. Before that, a chosen
 * outcome has decided nothing.
 */
export const decisionOf = (transaction: Transaction): Pick<Transaction, 'outcome' | 'rule'> => {
  const { outcome, rule } = transaction
  const decided = momentsOf(transaction).some(({ what }) => what === 'host-asked' || what === 'declined')
  return decided ? { outcome, rule } : { outcome: null, rule: null }
}

/** The state of the clock at one moment. */
export function reading({ clock }: { readonly clock: SandboxClock }): ClockReading {
  const wall = clock.wall()
  const now = clock.at(wall)
  return {
    now: new Date(now).toISOString(),
    wall: new Date(wall).toISOString(),
    offsetMs: now - wall,
    frozen: clock.frozen,
    speed: clock.speed,
  }
}

/** The transaction with everything that acts on it, and on that. */
const transactionTree = (ledger: Ledger, transaction: Transaction): TransactionTree => ({
  transactionId: transaction.id,
  type: transaction.type,
  amount: amountOf(transaction),
  currency: transaction.currency,
  status: transaction.status,
  resultCode: transaction.resultCode,
  leftToRefund: leftToRefund(transaction),
  leftToCapture: leftToCapture(transaction),
  followUps: (transaction.followUps?.children ?? []).flatMap((id) => {
    const followUp = ledger.transactions.get(id)
    return followUp === undefined ? [] : [transactionTree(ledger, followUp)]
  }),
})
