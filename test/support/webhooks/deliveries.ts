import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import type { DeliveryView } from '../../../src/contract/control/webhooks.ts'
import type { Delivery } from '../../../src/domain/model/outbox.ts'
import { type Service, sale, signingSecret } from '../service/service.ts'

/** A sale whose webhooks go to that URL, null: to where those of the sandbox go. Returns its id. */
export const sellNotifying = async (
  { call }: Pick<Service, 'call'>,
  notifyUrl: string | null,
  more: object = {},
): Promise<string> =>
  (await call('sale', sale(1000, { ...(notifyUrl && { notifyUrl }), ...more }))).data.transactionId

/** Makes `count` of them, one after the other. Returns their ids. */
export async function sellManyNotifying(
  service: Pick<Service, 'call'>,
  notifyUrl: string,
  count: number,
): Promise<string[]> {
  const ids: string[] = []
  for (let each = 0; each < count; each++) ids.push(await sellNotifying(service, notifyUrl))
  return ids
}

/** Makes one, and waits until its webhooks were attempted. Returns its id. */
export async function sellAttempted(service: Service, ...sold: [notifyUrl: string | null, more?: object]) {
  const transactionId = await sellNotifying(service, ...sold)
  await service.sandbox.courier.idle()
  return transactionId
}

/** A delivery that waits for its first attempt. */
export const deliveryOf = (number: number, more: Partial<Delivery> = {}): Delivery => ({
  ...{ number, transactionId: '1', event: null, url: 'http://a/', createdAt: 0, status: 'SUCCESS', tip: 0 },
  ...{ attempts: 0, nextAt: 0, last: null, fault: null, delivered: false, ...more },
})

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

/** Replaces the injected faults. */
export async function setFaults({ control }: Pick<Service, 'control'>, ...faults: readonly object[]) {
  await control('DELETE', 'faults')
  for (const fault of faults) expect((await control('POST', 'faults', fault)).code).toBe('0')
}
