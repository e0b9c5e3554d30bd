import { createHmac } from 'node:crypto'
import { forEachShare } from '../../../src/contract/sandbox/fault-shares.ts'
import type { DeliveryView } from '../../../src/contract/sandbox/webhooks.ts'
import { type Service, sale, signingSecret } from '../service/service.ts'

/** A sale whose webhooks go to that URL, null: to where those of the sandbox go. Returns its id. */
export const sellNotifying = async (
  { call }: Pick<Service, 'call'>,
  notifyUrl: string | null,
  more: object = {},
): Promise<string> =>
  (await call('sale', sale(1000, { ...(notifyUrl && { notifyUrl }), ...more }))).data.transactionId

/** Makes `count` of them, one after the other. */
export async function sellManyNotifying(service: Service, notifyUrl: string, count: number): Promise<void> {
  for (let each = 0; each < count; each++) await sellNotifying(service, notifyUrl)
}

/** The deliveries that the sandbox lists. */
export const fetchDeliveries = async (
  { control }: Pick<Service, 'control'>,
  query = '',
): Promise<readonly DeliveryView[]> => (await control('GET', `webhooks${query}`)).data.deliveries

/** The deliveries of a notification, with their attempts. */
export const notificationDeliveries = async ({ control }: Pick<Service, 'control'>, id: string) =>
  (await control('GET', `webhooks/${id}`)).data.deliveries

/** The signature of a webhook, in hexadecimal digits. */
export const hmacOf = (body: string, key = signingSecret): string =>
  createHmac('sha256', key).update(body).digest('hex')

/** Webhook faults of which none happens. */
export const noWebhookFaults = {
  ...forEachShare(() => 0),
  delayMs: null,
  reorder: 1,
  seed: 1,
}
