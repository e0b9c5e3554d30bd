import { expect, test } from 'vitest'
import { sequenceOf } from '../../../src/contract/presentation/sequence.ts'
import { following, openService, openSold, sale, storyOf } from '../../support/service/service.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('assumption trace-context: the trace of a request is in the timeline, and in its webhooks after a restart too', async () => {
  const receiver = await openReceiver()
  const first = await openService()
  const urls = { notifyUrl: receiver.url, terminalEventNotifyUrl: receiver.url }
  const request = sale(1000, { ...urls, terminalSn: 'TBX-ATTENDED-001' })
  const { data } = await first.call('sale', request, { traceparent })
  await first.close()
  const { state } = first.sandbox.options
  const service = await openService({ state })
  await service.control('POST', 'terminals/TBX-ATTENDED-001/present', { card: 'visa-contactless' })
  const arrivals = await receiver.got(5)
  expect(arrivals.map(({ headers }) => headers.traceparent)).toEqual(arrivals.map(() => traceparent))
  const story = (await service.control('GET', `transactions/${data.transactionId}`)).data
  expect(story.timeline[0]).toMatchObject({ what: 'opened', detail: traceparent })
  const note = 'trace 0af7651916cd43dd8448eb211c80319c'
  expect(sequenceOf(story).steps[0]).toMatchObject({ from: 'client', note })
})

test.each([
  ['a malformed header', {}, { traceparent: traceparent.toUpperCase() }],
  ['no header', {}, {}],
  ['a sandbox without extras', { extras: false }, { traceparent }],
])('assumption trace-context: %s is no trace', async (_, options, headers) => {
  const receiver = await openReceiver()
  const service = await openService(options)
  const { code, data } = await service.call('sale', sale(1000, { notifyUrl: receiver.url }), headers)
  expect(code).toBe('0')
  const [arrival] = await receiver.got(1)
  expect(arrival?.headers.traceparent).toBeUndefined()
  expect((await storyOf(service, data.transactionId)).timeline[0]).not.toHaveProperty('detail')
})

test('assumption trace-context: a follow-up has the trace of its own request', async () => {
  const receiver = await openReceiver()
  const { call, transactionId } = await openSold()
  const own = traceparent.replace('0af7', '0bf7')
  const members = { amount: 100, description: 'x', notifyUrl: receiver.url }
  await call('refund', following(transactionId, members), { traceparent: own })
  expect((await receiver.got(1))[0]?.headers.traceparent).toBe(own)
})
