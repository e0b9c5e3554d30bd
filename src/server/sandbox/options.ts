import type { Connection } from '../../contract/control/control-answers.ts'
import type { RequestTransaction } from '../../contract/control/request-log-answers.ts'
import { retriesFrom } from '../../contract/control/retries.ts'
import type { accessOptions, Behaviour, OptionValues } from '../../contract/control/sandbox-options.ts'
import { firstSpace } from '../../contract/control/spaces.ts'
import { usualConcurrency, type WebhookOrder } from '../../contract/control/webhook-delivery.ts'
import type { RecordedClaim } from '../../contract/evidence/recorded.ts'
import { isFinal } from '../../contract/statuses.ts'
import { builtIn, type Catalogue } from '../../domain/fixtures.ts'
import { type RuleSettings, usualRules } from '../../domain/model/ledger.ts'
import { amountOf } from '../../domain/model/transaction.ts'
import { waitsFor } from '../../domain/screen-flow.ts'
import type { Access } from '../../sandbox/access/access.ts'
import type { Spaces } from '../../sandbox/control/control-context.ts'
import type { AskOrders } from '../../sandbox/coverage/coverage.ts'
import type { EngineReader } from '../../sandbox/engine/engine.ts'
import type { LoggedRequest } from '../../sandbox/request-log/request-log.ts'
import { requestTransactionIds } from '../../sandbox/request-log/request-views.ts'
import { transactionIn } from '../../sandbox/views/transaction-text.ts'
import type { LostState } from '../../shared/files/store-errors.ts'
import { wallTime } from '../../shared/timers.ts'

/** Options that the server has read, or that have a form of their own within. */
type GivenBehaviour = Omit<Behaviour, 'fixtures' | 'triggerAmounts' | 'webhookOrder' | keyof RuleSettings>

/** How a sandbox behaves. Every default is an assumption of docs/assumptions.md. */
export interface SandboxOptions
  extends RuleSettings,
    GivenBehaviour,
    Pick<OptionValues<typeof accessOptions>, 'webhookHosts'> {
  /** State folder. */
  readonly state: string
  /** Tokens and audit log of the server, for every space but the first. Absent: those of the state folder. */
  readonly access?: Access
  /** Port that its server listens on or is told to; 0: not known yet. No webhook is sent there. */
  readonly port: number
  /** Identifies this start. A UUID. */
  readonly id: string
  readonly apiKey?: string
  /** Who may call, the cards and the outcomes. */
  readonly catalogue: Catalogue
  /** What the service does otherwise, as the project accepted it. */
  readonly recorded: readonly RecordedClaim[]
  /** URL that every notification is also forwarded to, as the command `listen` does; null: none. */
  readonly forwardTo: string | null
  /** Order of webhooks to one URL; null: as set on the running sandbox, or relaxed. */
  readonly webhookOrder: WebhookOrder | null
  /** Wall clock in milliseconds. */
  readonly wall: () => number
  /** Reports a fact that a person should know, in one line, with the error that caused it, if any. */
  readonly report: (message: string, error?: Error) => void
  /** Called for each handled request; `transaction` reads the request's transaction when called. */
  readonly onRequest: ((entry: LoggedRequest, transaction: () => RequestTransaction | null) => void) | null
  /** Asks the merchant for its orders, for coverage; absent: requests alone are judged. */
  readonly askOrders?: AskOrders
  /** Token that the control interface and the pages require; null: only this machine may use them. */
  readonly token: string | null
  /** Name of this sandbox's space. assumption: spaces */
  readonly spaceName: string
  /** Id of the token that made the space; null for none. assumption: token-scopes */
  readonly spaceMadeBy: string | null
  /** The spaces of the server; null for a sandbox that no server runs. */
  readonly spaces: Spaces | null
  /** Called with the API keys whenever they change. */
  readonly keysChanged: (keys: readonly string[]) => void
  /** Origin at which a reverse proxy serves the sandbox; null: there is none. assumption: public-url */
  readonly publicUrl: string | null
  /** True when other machines reach the sandbox: webhooks then go to this machine only when allowed. */
  readonly isShared: boolean
  /** URLs of the other nodes of its database. assumption: webhook-targets */
  readonly nodeUrls: () => readonly string[]
  /** Path prefix of the sandbox, without a slash at its end: empty for the first space. assumption: spaces */
  readonly basePath: string
  /** Why the lock of the state folder is no longer ours; undefined while it is. Absent: there is no lock. */
  readonly lockLost?: () => string | undefined
  /** Called when another sandbox has taken the state folder: nothing is acknowledged from then on. */
  readonly lost: (error: LostState) => void
  /** How the sandbox runs, for the answer of `connection`. */
  readonly runs: Connection['runs']
  /** Path of its log, for the answer of `connection`; null: there is none. */
  readonly logFile: string | null
}

/** Defaults of absent options. */
export const defaults = {
  port: 0,
  spaceName: firstSpace,
  spaceMadeBy: null,
  ...usualRules,
  catalogue: builtIn,
  recorded: [],
  strict: false,
  likeProduction: false,
  terminals: 'known',
  appIds: 'any',
  requestIds: 'any',
  charset: 'note',
  extras: true,
  strictContentType: false,
  duplicates: 'reject',
  httpStatus: 'sdk',
  dialect: 'auto',
  forwardTo: null,
  retries: retriesFrom('default') ?? [],
  webhookOrder: null,
  webhookConcurrency: usualConcurrency,
  signature: 'hmac',
  signatureEncoding: 'hex',
  webhookHosts: [],
  wall: wallTime,
  report: () => undefined,
  onRequest: null,
  token: null,
  basePath: '',
  spaces: null,
  keysChanged: () => undefined,
  publicUrl: null,
  isShared: false,
  nodeUrls: () => [],
  lost: () => undefined,
  runs: 'program',
  logFile: null,
} as const satisfies Omit<SandboxOptions, 'state' | 'id'>

/** Reads the transaction of a request from memory; null for a refused request, or one without any. */
export function requestTransaction(
  source: { readonly engine: Pick<EngineReader, 'state'> },
  entry: LoggedRequest,
): RequestTransaction | null {
  if (entry.code !== '0') return null
  const [id] = requestTransactionIds(source, entry)
  const found = id === undefined ? undefined : transactionIn(source.engine.state.ledgers, id)
  if (found === undefined) return null
  const { ledger, transaction } = found
  const { status, currency, resultCode, resultMsg } = transaction
  const result = status === 'FAIL' ? [resultCode, resultMsg].filter(Boolean).join(' ') : ''
  return {
    transactionId: transaction.id,
    amount: amountOf(transaction),
    currency,
    status,
    why: isFinal(status) ? result : (waitsFor(ledger, transaction) ?? ''),
  }
}
