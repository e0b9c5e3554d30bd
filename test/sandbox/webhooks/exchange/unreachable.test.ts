import { expect, test } from 'vitest'
import type { WebhookStory } from '../../../../src/contract/control/webhooks.ts'
import { deadUrl } from '../../../support/network/ports.ts'
import { openRawSandbox } from '../../../support/service/raw.ts'
import { openService, type Service } from '../../../support/service/service.ts'
import { fetchDeliveries, sellNotifying } from '../../../support/webhooks/deliveries.ts'

/** The attempts of each delivery. */
const triesOf = async (service: Service) =>
  Promise.all(
    (await fetchDeliveries(service)).map(async ({ id }) => {
      const story: WebhookStory = (await service.control('GET', `webhooks/${id}`)).data
      return story.deliveries.flatMap(({ tries }) => tries)
    }),
  )

test.each(['relaxed', 'strict', 'concurrent'] as const)(
  'assumption webhook-delivery: each delivery to a dead URL has one attempt with the order %s',
  async (webhookOrder) => {
    const service = await openService({ webhookOrder, retries: [] })
    const url = await deadUrl()
    for (let each = 0; each < 20; each++) await sellNotifying(service, url)
    await service.sandbox.courier.idle()
    const failed = { state: 'failed', attempts: 1, last: 'nothing listens there' }
    expect(await fetchDeliveries(service)).toMatchObject(Array(20).fill(failed))
  },
)

test.each([
  ['to which TLS does not lead', {}, '127.0.0.1', 'it does not serve TLS; use http://'],
  [
    'that is self-signed',
    { https: true },
    'localhost',
    'its certificate is self-signed; trust it with NODE_EXTRA_CA_CERTS',
  ],
])('the attempt over https:// at a receiver %s says so, and what helps', async (_, options, host, error) => {
  const service = await openService()
  const { port } = await openRawSandbox(options)
  await sellNotifying(service, `https://${host}:${port}/hook`)
  const errors = async () => (await triesOf(service)).flat().map((attempt) => attempt.error)
  await expect.poll(errors).toContain(error)
})
