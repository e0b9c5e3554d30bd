import type { ControlInput } from '../../contract/sandbox/controls/controls.ts'
import { notificationNamed } from '../../webhooks/deliveries.ts'
import type { ControlContext } from '../context/control-context.ts'

/** Reports of listeners. */

/** Stores an attempt of a listener. Errors: SBX_WEBHOOK_NONE. assumption: listener-record */
export function noteListenerAttempt(
  context: Pick<ControlContext, 'engine' | 'listened' | 'statistics' | 'changes'>,
  reported: ControlInput<'report-attempt'>,
): object {
  const { ledger, notification } = notificationNamed(context, reported.id)
  const delivery = context.listened.note(ledger, notification, reported)
  context.statistics.noteListened({ ledger, delivery })
  context.changes.tell('webhooks')
  context.changes.tell(`transaction ${notification.transactionId}`)
  return { status: 'kept' }
}

/** Stores the position of a listener. */
export function notePosition(
  { listeners, changes }: Pick<ControlContext, 'listeners' | 'changes'>,
  { listener, id }: ControlInput<'report-position'>,
): object {
  listeners.reached(listener, id)
  changes.tell('webhooks')
  return { status: 'kept' }
}
