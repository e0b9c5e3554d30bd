import type { WebhookFaults } from '../../contract/webhooks.ts'
import type { resendWebhooks } from '../../control/resend.ts'
import type { cancelSession, paySession, sessionNamed } from '../../control/sessions.ts'
import type { screenNamed, terminalHandlers, terminalNamed } from '../../control/terminals.ts'
import type { SandboxClock } from '../../engine/clock.ts'
import type { Directory } from '../../engine/directory.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Identifiers } from '../../engine/identifiers.ts'
import type { refusalOf } from '../../http/envelope.ts'
import type { streamLatest } from '../../http/live-stream.ts'
import type { hiderOf } from '../../request-log/hiding.ts'
import type { logRequest } from '../../request-log/log-request.ts'
import type { RequestLog } from '../../request-log/request-log.ts'
import type { requestNamed } from '../../request-log/request-views.ts'
import type { Statistics } from '../../views/statistics/statistics.ts'
import type { defaultApplication } from '../../views/views.ts'
import type { AttemptLog } from '../../webhooks/attempt-log.ts'
import type { showWebhook } from '../../webhooks/deliveries.ts'

/** What pages read by themselves. */
interface ReadModel {
  /** The state, and the one way to send a command. */
  readonly engine: Pick<Engine, 'book' | 'ready' | 'run'>
  readonly clock: Pick<SandboxClock, 'now' | 'wall' | 'frozen' | 'state'>
  readonly statistics: Pick<Statistics, 'current'>
  readonly log: Pick<RequestLog, 'list' | 'total' | 'capacity'>
  readonly attempts: Pick<AttemptLog, 'latest'>
  readonly directory: Pick<Directory, 'applications'>
  readonly settings: { readonly data: { readonly faults: WebhookFaults } }
  readonly identifiers: Pick<Identifiers, 'traceId'>
  /** Requests that are being handled. */
  running: number
}

type Needs<F extends (...args: never[]) => unknown> = Parameters<F>[0]

/** What the commands and the views that pages share with the control interface need. */
type Shared = Needs<typeof resendWebhooks> &
  Needs<typeof cancelSession> &
  Needs<typeof paySession> &
  Needs<typeof sessionNamed> &
  Needs<typeof screenNamed> &
  Needs<typeof terminalNamed> &
  Needs<(typeof terminalHandlers)[keyof typeof terminalHandlers]> &
  Needs<typeof streamLatest> &
  Needs<typeof hiderOf> &
  Needs<typeof logRequest> &
  Needs<typeof requestNamed> &
  Needs<typeof defaultApplication> &
  Needs<typeof showWebhook>

/** What pages get of a sandbox: what they read, and what the commands take that they may send. The store is not in it. */
export type PagesContext = ReadModel & Shared & Parameters<typeof refusalOf>[1]
