import type { Access } from '../access/access.ts'
import type { Dialect } from '../contract/records.ts'
import type { Connection } from '../contract/sandbox/control-answers.ts'
import type { ProductionSettings } from '../contract/sandbox/presets.ts'
import { type Retries, retriesFrom } from '../contract/sandbox/retries.ts'
import { firstSpace } from '../contract/sandbox/spaces/space-name.ts'
import {
  type SignatureEncoding,
  type SignatureScheme,
  usualConcurrency,
  type WebhookOrder,
} from '../contract/sandbox/webhooks.ts'
import type { Spaces } from '../control/context/known-spaces.ts'
import { type RuleSettings, usualRules } from '../domain/model/ledger.ts'
import type { DuplicateMode } from '../domain/rules/duplicates.ts'
import { builtIn, type Catalogue } from '../fixtures.ts'
import type { HttpStatusMode } from '../http/envelope.ts'
import type { LoggedRequest } from '../request-log/logged-request.ts'
import type { LostState } from '../store/lost-state.ts'
import { wallTime } from '../timers.ts'
import type { RequestTransaction } from './request-transaction.ts'

/** How a sandbox behaves. Every default is an assumption of docs/assumptions.md. */
export interface SandboxOptions extends RuleSettings, ProductionSettings {
  /** State folder. */
  readonly state: string
  /** Tokens and audit log of the server, for every space but the first. Left out: those of the state folder. */
  readonly access?: Access
  /** Of this start, a UUID. */
  readonly id: string
  readonly apiKey?: string
  /** Who may call, the cards and the outcomes. */
  readonly catalogue: Catalogue
  readonly strict: boolean
  /** Sets what is not given of ProductionSettings as the real service is known to be. assumption: like-production */
  readonly likeProduction: boolean
  /** Content-Type is required on GET as well. */
  readonly strictContentType: boolean
  readonly duplicates: DuplicateMode
  readonly httpStatus: HttpStatusMode
  readonly dialect: Dialect
  /** Where every notification is sent on to, as by the command listen; null: nowhere. */
  readonly forwardTo: string | null
  /** Delays between the attempts of a webhook, in milliseconds of the sandbox clock. */
  readonly retries: Retries
  /** In which order webhooks go to one URL; null: as it was set on the running sandbox, or relaxed. */
  readonly webhookOrder: WebhookOrder | null
  /** Attempts to one URL at once with the concurrent order. */
  readonly webhookConcurrency: number
  readonly signature: SignatureScheme
  readonly signatureEncoding: SignatureEncoding
  /** Hosts beyond this machine that webhooks may go to. */
  readonly webhookHosts: readonly string[]
  /** Wall clock in milliseconds. */
  readonly wall: () => number
  /** Something that a person should know: one line, and the error that it is of. */
  readonly report: (message: string, error?: Error) => void
  /** Called for each handled request; the transaction that it is about is read when it is asked for. */
  readonly onRequest: ((entry: LoggedRequest, transaction: () => RequestTransaction | null) => void) | null
  /** What the control interface and the pages want, from anywhere; null: they answer to this machine alone. */
  readonly token: string | null
  /** Name of the space that it is. assumption: spaces */
  readonly spaceName: string
  /** The spaces of the server; null for a sandbox that no server runs. */
  readonly spaces: Spaces | null
  /** Told the API keys whenever they change. */
  readonly keysChanged: (keys: readonly string[]) => void
  /** Origin at which a reverse proxy serves the sandbox; null: there is none. assumption: public-url */
  readonly publicUrl: string | null
  /** Path below which it is served, without a slash at its end: empty for the first space. assumption: space-paths */
  readonly basePath: string
  /** Why the lock of the state folder is not ours any more; undefined while it is. Left out: there is no lock. */
  readonly lockLost?: () => string | undefined
  /** The state folder is not this sandbox's any more: nothing is acknowledged from now on. */
  readonly lost: (error: LostState) => void
  /** How it runs, for `connection` to tell. */
  readonly runs: Connection['runs']
  /** Where its log is written, for `connection` to tell; null: it has none. */
  readonly logFile: string | null
  /** Bytes from which a journal is folded into the snapshot. */
  readonly journalLimit?: number
  /** Events from which those of a database are folded into the snapshot. */
  readonly foldAfter?: number
}

/** What is not given. */
export const defaults = {
  spaceName: firstSpace,
  ...usualRules,
  catalogue: builtIn,
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
  lost: () => undefined,
  runs: 'program',
  logFile: null,
} as const satisfies Omit<SandboxOptions, 'state' | 'id'>
