import type { TerminalsAnswer } from '../contract/operations/look-ups.ts'
import type { OperationName, operations, ServiceAnswer } from '../contract/operations.ts'
import type { TransactionRecord } from '../contract/records.ts'
import type { Connection, Story } from '../contract/sandbox/control-answers.ts'
import type { AnsweredControl, ControlAnswer } from '../contract/sandbox/controls/controls.ts'
import type { RequestSummary } from '../contract/sandbox/request-log-answers.ts'
import type { StartRecord, StateRepair, StateVerdict } from '../contract/sandbox/state-folder.ts'
import type { StreamedNotification } from '../contract/sandbox/webhooks.ts'
import type { statusRows, TransactionType } from '../contract/statuses.ts'
import type { Done } from '../scenario/steps/run-context.ts'
import type { Verdict } from '../signature/verify-webhook.ts'
import type { AttackReport } from './attack/report-attack.ts'
import type { Diagnosis } from './doctor/doctor.ts'
import type { Failure } from './errors/failure.ts'
import type { helpDocument, sessionStateRows } from './help/pages.ts'
import type { FileState } from './init/project.ts'
import type { DetachedSandbox, StartedSandbox } from './lifecycle/detach.ts'
import type { Stopped } from './lifecycle/stop.ts'
import type { ReadySandbox } from './lifecycle/wait-for-sandbox.ts'
import type { ProfileView } from './profile/profiles.ts'
import type { Whoami } from './profile/whoami.ts'
import type { ScenarioReport } from './scenario/machine-reporters.ts'
import type { Forwarded, ListenedAttempt } from './webhook/listen/render-listen.ts'

/**
 * What each command prints with --json, by the command as it is typed. `npm run docs` writes fixtures/answers.schema.json
 * from these types and their comments; a number that is a time there is text in ISO 8601 when it is printed, and a duration
 * is whole (`readableTimes`).
 */

/** Any command that fails. */
export interface ErrorAnswer {
  readonly error: Failure
}

/** Webhooks were not delivered: the sandbox keeps its transactions. */
interface SkippedReset {
  readonly status: 'kept'
  /** How many the sandbox has. */
  readonly transactions: number
}

/** With `--dry-run`: the request, which was not sent. Secrets are hidden. */
interface RequestDraft {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** As it would be sent; null for a request without one. */
  readonly body: unknown
}

/** With `--curl`: the request as a command, which was not sent. */
interface CurlDraft {
  readonly curl: string
}

type OperationRow<N extends OperationName> = (typeof operations)[N]

/** The record that the command waits for; `never` for an operation that opens a page, or no transaction. */
type Final<N extends OperationName> =
  OperationRow<N> extends { readonly opensPage: true }
    ? never
    : OperationRow<N> extends { readonly opens: TransactionType }
      ? TransactionRecord
      : never

/** Commands of operations, by the command. */
type OperationCommandAnswers = {
  readonly [N in OperationName as OperationRow<N>['command']]:
    | ServiceAnswer<N>
    | Final<N>
    | RequestDraft
    | CurlDraft
}

/** Commands that print what a control operation answers. */
interface ControlCommands {
  readonly audit: 'audit'
  readonly cards: 'cards'
  readonly 'checkout cancel': 'cancel-session'
  readonly 'checkout list': 'sessions'
  readonly 'checkout pay': 'pay-session'
  readonly 'checkout show': 'session'
  readonly list: 'transactions'
  readonly 'logs show': 'request'
  readonly 'merchant add': 'add-merchant'
  readonly 'merchant list': 'merchants'
  readonly outcomes: 'outcomes'
  readonly 'sandbox snapshot diff': 'diff-snapshot'
  readonly 'sandbox snapshot list': 'snapshots'
  readonly 'sandbox snapshot save': 'save-snapshot'
  readonly 'sandbox clock': 'clock'
  readonly 'sandbox fault': 'faults' | 'add-fault'
  readonly 'sandbox key allow-ip': 'allow-list'
  readonly 'sandbox key list': 'keys'
  readonly 'terminal add': 'add-terminal'
  readonly 'terminal cancel': 'cancel-at-terminal'
  readonly 'terminal list': 'terminals'
  readonly 'terminal offline': 'set-terminal'
  readonly 'space create': 'create-space'
  readonly 'space list': 'spaces'
  readonly 'space show': 'space'
  readonly 'terminal online': 'set-terminal'
  readonly 'terminal pair': 'pair-terminal'
  readonly 'terminal pin': 'enter-pin'
  readonly 'terminal present': 'present-card'
  readonly 'terminal queue': 'queue-outcome'
  readonly 'terminal remove': 'remove-terminal'
  readonly 'terminal rename': 'set-terminal'
  readonly 'terminal set': 'set-terminal'
  readonly 'terminal show': 'screen'
  readonly 'terminal sign': 'sign'
  readonly 'terminal tip': 'choose-tip'
  readonly 'terminal unpair': 'unpair-terminal'
  readonly 'token create': 'create-token'
  readonly 'token list': 'tokens'
  readonly 'webhook fault': 'webhook-faults'
  readonly 'webhook hold': 'webhook-hold'
  readonly 'webhook list': 'webhooks'
  readonly 'webhook order': 'webhook-schedule'
  readonly 'webhook release': 'release-webhooks'
  /** The attempt with `--body`. */
  readonly 'webhook resend': 'resend-webhooks' | 'send-webhook-body'
  readonly 'webhook send': 'send-webhook'
  readonly 'webhook show': 'webhook'
  readonly 'webhook wait': 'wait-for-webhooks'
}

type ControlCommandAnswers = {
  readonly [C in keyof ControlCommands]: ControlAnswer<Extract<ControlCommands[C], AnsweredControl>>
}

/** A sandbox that runs in the background. */
interface BackgroundSandbox extends DetachedSandbox {
  /** URL of its dashboard. */
  readonly dashboard: string
}

/** With `--include`: the answer with its status and headers. */
interface IncludedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** The parsed JSON, or the text if the body is not JSON. */
  readonly body: unknown
}

/** Commands that print what they made themselves. */
interface Own {
  /** The body that the service answered, as it is: an envelope, or whatever the path answers. */
  readonly api: object | IncludedAnswer | RequestDraft | CurlDraft
  readonly attack: AttackReport
  readonly 'checkout wallet-payload': {
    readonly paymentMethod: 'GOOGLE_PAY' | 'APPLE_PAY'
    readonly cardEncryptedData: string
  }
  readonly completion: { readonly shell: 'bash' | 'zsh' | 'fish'; readonly script: string }
  readonly doctor: Diagnosis
  /** A page with its text, or what is found. */
  readonly docs: {
    readonly passages: readonly {
      /** Address of the page, or of a part of it. */
      readonly path: string
      readonly title?: string
      readonly where?: string
      readonly text?: string
    }[]
  }
  readonly openapi: {
    /** Version of OpenAPI. */
    readonly openapi: string
    /** Title, version and licence. */
    readonly info: object
    /** Where it is served. */
    readonly servers: readonly { readonly url: string; readonly description?: string }[]
    /** Groups of operations. */
    readonly tags: readonly { readonly name: string; readonly description: string }[]
    /** Operations by path and method; absent with `--webhooks` alone. */
    readonly paths?: Readonly<Record<string, object>>
    /** Absent without `--webhooks`, where other parts are chosen. */
    readonly webhooks?: Readonly<Record<string, object>>
    /** Schemas, headers and refusals by name. */
    readonly components: Readonly<Record<string, object>>
  }
  /** Of a command, of a topic or of all; of exit codes, flags, rules of JSON, or statuses. */
  readonly help:
    | NonNullable<ReturnType<typeof helpDocument>>
    | { readonly codes: readonly { readonly code: number; readonly meaning: string }[] }
    | { readonly flags: readonly { readonly flag: string; readonly meaning: string }[] }
    | { readonly rules: readonly { readonly about: string; readonly rule: string }[] }
    | {
        readonly statuses: ReturnType<typeof statusRows>
        readonly sessions: ReturnType<typeof sessionStateRows>
      }
  readonly init: {
    /** Folder of the project. */
    readonly folder: string
    /** False for a dry run. */
    readonly written: boolean
    readonly files: readonly { readonly path: string; readonly state: FileState }[]
  }
  /** A line for each notification; `forwarded` with `--forward-to`. */
  readonly listen: StreamedNotification & { readonly forwarded?: ListenedAttempt }
  /** A line for each request. */
  readonly 'logs tail': RequestSummary
  readonly 'logs export': { readonly status: 'exported'; readonly file: string; readonly requests: number }
  /** Of all pages. */
  readonly 'merchant terminals':
    | Exclude<OperationCommandAnswers['merchant terminals'], TerminalsAnswer>
    | Omit<TerminalsAnswer, 'nextToken'>
  readonly 'profile list': { readonly profiles: readonly ProfileView[] }
  readonly 'profile remove': { readonly status: 'removed'; readonly name: string }
  readonly 'profile set': {
    readonly status: 'saved'
    readonly name: string
    /** Path of the file that keeps it. */
    readonly file: string
    /** True for the default: it is used unless another one is named. */
    readonly current: boolean
  }
  readonly 'profile show': ProfileView
  readonly 'profile use': { /** Null with `--none`. */ readonly current: string | null }
  /** With `--timeline` a story, with `--reference-order-id` a list. */
  readonly query: OperationCommandAnswers['query'] | Story | ControlAnswer<'transactions'>
  readonly 'sandbox snapshot remove': ControlAnswer<'remove-snapshot'> & {
    readonly status: 'removed'
    readonly name: string
  }
  readonly 'sandbox snapshot restore': Omit<ControlAnswer<'restore-snapshot'>, 'kept'> & {
    readonly status: 'restored'
  }
  readonly 'sandbox export': {
    readonly status: 'exported'
    readonly file: string
    /** True when keys, webhook secrets and allow-lists are in the file. */
    readonly withSecrets: boolean
    readonly baseUrl: string
  }
  readonly 'sandbox import': ControlAnswer<'import'> & { readonly status: 'imported'; readonly file: string }
  readonly 'sandbox key rotate': ControlAnswer<'regenerate-key'>
  /** Values of variables by name. */
  readonly 'sandbox env': Readonly<Record<string, string>>
  readonly 'sandbox open': {
    readonly url: string
    /** False where no browser could be started. */
    readonly opened: boolean
  }
  readonly 'sandbox repair': StateRepair
  readonly 'sandbox reset': SkippedReset | { readonly status: 'reset'; readonly transactions: number }
  readonly 'sandbox restart': BackgroundSandbox & { readonly stopped: Stopped }
  /** `dashboard` and `logFile` with `--detach`. */
  readonly 'sandbox start': StartedSandbox | BackgroundSandbox
  readonly 'sandbox status': Omit<Connection, 'terminals'> & {
    readonly health: ControlAnswer<'health'>
    readonly stored: ControlAnswer<'state'>
    readonly clock: ControlAnswer<'clock'>
    /** Injected webhook faults. */
    readonly faults: ControlAnswer<'webhook-faults'>
    /** Injected faults of answers and webhooks. */
    readonly injected: ControlAnswer<'faults'>['faults']
    readonly terminals: ControlAnswer<'terminals'>['terminals']
    /** The flags of its start, without secrets; absent when they are unknown. */
    readonly start?: StartRecord
    /** With `--show-key`, where the sandbox has one. */
    readonly token?: string
  }
  readonly 'sandbox stop': Stopped
  readonly 'sandbox verify': StateVerdict
  readonly 'sandbox wait': ReadySandbox
  /** `scenario` without `--file`, `file` with it. */
  readonly 'scenario record': {
    readonly steps: number
    /** Requests that became no step. */
    readonly leftOut: number
    readonly scenario?: string
    readonly file?: string
  }
  readonly 'terminal receipt': Pick<ControlAnswer<'receipt'>, 'transactionId'> &
    Partial<ControlAnswer<'receipt'>>
  readonly test: ScenarioReport
  readonly 'space remove': ControlAnswer<'remove-space'> & {
    readonly status: 'removed'
    readonly name: string
  }
  readonly 'token revoke': ControlAnswer<'revoke-token'> & {
    readonly status: 'revoked'
    readonly name: string
  }
  readonly trigger:
    | { readonly trigger: string; readonly steps: readonly Done[] }
    | { readonly triggers: readonly { readonly name: string; readonly summary: string }[] }
  readonly trust: { readonly file: string; readonly approved: boolean }
  /** Of a recording a line for each notification. */
  readonly 'webhook replay':
    | ControlAnswer<'resend-webhooks'>
    | { readonly id: string; readonly forwarded: Forwarded }
  readonly 'webhook secret': { readonly secret: string }
  /** Headers by name. */
  readonly 'webhook sign': Readonly<Record<string, string>>
  /** The first line says where it receives; then a line for each webhook. */
  readonly 'webhook receive':
    | { readonly url: string }
    | {
        readonly at: string
        readonly path: string
        readonly headers: Readonly<Record<string, string | undefined>>
        readonly body: string
        /** HTTP status that was answered. */
        readonly status: number
        readonly verdict: Verdict
      }
  readonly 'webhook verify': Verdict
  readonly whoami: Whoami
}

/** What each command prints with --json. */
export type CommandAnswers = Omit<OperationCommandAnswers, keyof Own> & ControlCommandAnswers & Own
