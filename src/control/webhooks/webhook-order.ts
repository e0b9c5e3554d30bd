import type { ControlInput } from '../../contract/sandbox/controls/controls.ts'
import { usualConcurrency, type WebhookSchedule } from '../../contract/sandbox/webhooks.ts'
import type { ControlContext } from '../context/control-context.ts'
import { saveSettings } from '../context/save-settings.ts'

/** The retry schedule, and the order of deliveries to one URL. */
export const scheduleOf = ({
  options: { retries },
  webhookOrder,
}: Pick<ControlContext, 'options' | 'webhookOrder'>): WebhookSchedule => ({
  retries,
  ...webhookOrder.current,
})

/**
 * Sets the order of deliveries to one URL, from the next attempt on. Errors: SBX_STORE_FAIL. assumption: webhook-order
 */
export async function setOrder(
  context: Pick<
    ControlContext,
    'changes' | 'courier' | 'directory' | 'options' | 'settings' | 'webhookOrder'
  >,
  { order, concurrency }: ControlInput<'set-webhook-schedule'>,
): Promise<WebhookSchedule> {
  await saveSettings(context, () => {
    context.settings.data.webhookOrder = { order, concurrency: concurrency ?? usualConcurrency }
  })
  context.webhookOrder.wasSet()
  context.courier.rearm()
  context.changes.tell('webhooks')
  return scheduleOf(context)
}
