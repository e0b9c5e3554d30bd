import type { OperationName, ServiceAnswer } from '../contract/operations.ts'
import type { Envelope, SpecRecord } from '../contract/records.ts'
import type { AnsweredControl, ControlAnswer } from '../contract/sandbox/controls/controls.ts'
import type { TerminalEvent } from '../contract/sandbox/webhooks.ts'

/** `data` of each operation of the service, as it goes over the wire. `npm run docs` reads the OpenAPI document from it. */
export type ServiceAnswers = { readonly [N in OperationName]: ServiceAnswer<N> }

/** `data` of each operation of the control interface. */
export type ControlAnswers = { readonly [N in AnsweredControl]: ControlAnswer<N> }

/** Bodies of webhooks. */
export interface WebhookBodies {
  readonly 'payment-result': SpecRecord
  readonly 'terminal-event': TerminalEvent
}

/** The envelope of a refused request. */
export interface RefusedEnvelope extends Omit<Envelope, 'data'> {}
