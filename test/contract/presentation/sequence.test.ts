import { describe, expect, test } from 'vitest'
import { type Sequence, sequenceOf } from '../../../src/contract/presentation/sequence.ts'
import { newId } from '../../support/service/new-id.ts'
import { openService, type Service, sale, storyOf, WallClock } from '../../support/service/service.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

/** With every attempt of its deliveries. */
const fullStoryOf = (service: Service, id: string) => storyOf(service, id, '?attempts=true')
const open = async (service: Service, members: object = {}, outcome: string | null = null): Promise<string> =>
  (await service.call('sale', sale(1000, members), { 'X-Sandbox-Outcome': outcome })).data.transactionId
const follow = async ({ call }: Service, name: 'refund' | 'void' | 'post-auth', id: string, members = {}) => {
  const request = { originalTransactionId: id, transactionRequestId: newId(), ...members }
  return (await call(name, request)).data.transactionId as string
}
const linesOf = ({ steps }: Sequence) =>
  steps.map(({ from, to, text, note }) => `${from} ${to}: ${text}${note === null ? '' : ` (${note})`}`)

describe('the sequence of a transaction', () => {
  test('an approval passes client, service, terminal and host, and names the rule that decided', async () => {
    const service = await openService()
    const sequence = sequenceOf(await fullStoryOf(service, await open(service)))
    expect(linesOf(sequence)).toEqual([
      'client service: Sale of 10.00 USD',
      'service terminal: sent to TBX-AUTO-001',
      'terminal service: card visa-contactless',
      'service host: asked for approval (approve, as no rule applied)',
      'host service: 000 Approved',
    ])
    expect(sequence.lanes.map(({ label }) => label)).toEqual(['client', 'service', 'terminal', 'host'])
    expect(sequence.steps.at(-1)).toMatchObject({ tone: 'good', time: expect.stringMatching(/^2\d{3}-.*T/) })
  })

  test('steps keep their order when the clock is set back, and a step says that it was', async () => {
    const wall = new WallClock()
    const service = await openService({ wall: wall.read })
    const id = await open(service, { terminalSn: 'TBX-LATE-001' })
    await service.control('POST', 'clock', { action: 'advance', milliseconds: 10_000 })
    await open(service)
    await service.control('POST', 'clock', { action: 'reset' })
    await service.call('abort', { originalTransactionId: id, terminalSn: 'TBX-LATE-001', description: 'x' })
    const last = ['service service: clock set back by 10 s', 'client service: abort, too late']
    expect(linesOf(sequenceOf(await fullStoryOf(service, id))).slice(-2)).toEqual(last)
  })

  test('steps lead to the records that they are about', async () => {
    const receiver = await openReceiver()
    const service = await openService({ notifyUrl: receiver.url })
    const id = await open(service)
    const refund = await follow(service, 'refund', id, { amount: 400, pushToTerminal: false })
    await receiver.got(2)
    await service.sandbox.courier.idle()
    const { steps } = sequenceOf(await fullStoryOf(service, id))
    const about = { what: 'transaction', id: refund }
    expect(steps.find(({ text }) => text === 'Refunded')?.about).toEqual(about)
    const delivery = steps.find(({ to }) => to === 'receiver')
    expect(delivery?.about).toEqual({ what: 'webhook', id: expect.stringMatching(/^[\da-f-]{36}$/) })
    expect(steps[0]?.about).toBeNull()
  })

  test('a delivery whose attempts are no longer kept is shown by its last one', async () => {
    const receiver = await openReceiver()
    const service = await openService({ notifyUrl: receiver.url })
    const story = await fullStoryOf(service, await open(service))
    await receiver.got(1)
    await service.sandbox.courier.idle()
    const [delivery] = (await fullStoryOf(service, story.record.transactionId)).deliveries
    const untried = { ...(delivery as NonNullable<typeof delivery>), tries: [] }
    const { steps } = sequenceOf({ ...story, deliveries: [untried] })
    expect(steps.at(-1)).toMatchObject({ to: 'receiver', text: 'result → 200', tone: 'good' })
  })

  test('a decline has the tone of bad news and names its rule', async () => {
    const service = await openService()
    const { steps } = sequenceOf(await fullStoryOf(service, await open(service, {}, 'expired-card')))
    expect(steps.at(-2)).toMatchObject({
      note: 'expired-card, which its request asked for (X-Sandbox-Outcome)',
    })
    expect(steps.at(-1)).toMatchObject({ from: 'host', text: '054 Expired card', tone: 'bad' })
  })

  test('a closed payment says who closed it', async () => {
    const service = await openService()
    const cancelled = await open(service, { terminalSn: 'TBX-CANCEL-001' })
    const last = 'terminal service: cancelled on the device'
    expect(linesOf(sequenceOf(await fullStoryOf(service, cancelled))).at(-1)).toBe(last)
    const waiting = await open(service, { terminalSn: 'TBX-ATTENDED-001' })
    await service.call('abort', { originalTransactionId: waiting })
    expect(linesOf(sequenceOf(await fullStoryOf(service, waiting))).at(-1)).toBe('client service: aborted')
    const expired = await open(service, { terminalSn: 'TBX-OFFLINE-001' })
    await service.control('POST', 'clock', { action: 'advance', milliseconds: 2 * 86_400_000 })
    const end = { from: 'service', to: 'service', tone: 'bad', since: expect.any(Number) }
    expect(sequenceOf(await fullStoryOf(service, expired)).steps.at(-1)).toMatchObject(end)
  })

  test.each([
    ['TBX-ATTENDED-001', 'terminal service: waits for a person at TBX-ATTENDED-001'],
    ['TBX-LATE-001', expect.stringMatching(/^host service: waits for the host, until \d/)],
  ])('the step that %s waits for can be drawn, between all participants', async (terminalSn, awaited) => {
    const service = await openService()
    const story = await fullStoryOf(service, await open(service, { terminalSn }))
    const sequence = sequenceOf(story, true)
    expect(linesOf(sequence).at(-1)).toEqual(awaited)
    expect(sequence.steps.at(-1)).toMatchObject({ tone: 'open', isAwaited: true })
    const lanes = ['client', 'service', 'terminal', 'host', 'webhook']
    expect(sequence.lanes.map(({ label }) => label)).toEqual(lanes)
    const onPage = sequence.steps.slice(0, -1)
    expect(onPage[0]?.text).toBe('Sale of $10.00')
    expect(onPage.slice(1)).toEqual(sequenceOf(story).steps.slice(1))
  })

  test('the times of steps count from the first step', async () => {
    const wall = new WallClock(Date.UTC(2026, 10, 20, 12))
    const service = await openService({ wall: wall.read })
    const id = await open(service, {}, 'late-approval')
    await service.control('POST', 'clock', { action: 'advance', milliseconds: 60_000 })
    const { steps } = sequenceOf(await fullStoryOf(service, id))
    expect(steps.map(({ since }) => since)).toEqual([0, 0, 0, 0, 60_000])
  })

  test('attempts have the sandbox time at which they were made, also when the clock is moved between them', async () => {
    const wall = new WallClock(Date.UTC(2026, 10, 20, 12))
    const receiver = await openReceiver(503)
    const service = await openService({ wall: wall.read, notifyUrl: receiver.url, retries: [60_000] })
    await service.control('POST', 'clock', { action: 'freeze' })
    const id = await open(service)
    await receiver.got(1)
    await service.sandbox.courier.idle()
    await service.control('POST', 'clock', { action: 'advance', milliseconds: 60_000 })
    await receiver.got(2)
    await service.sandbox.courier.idle()
    const { steps } = sequenceOf(await fullStoryOf(service, id))
    expect(steps.filter(({ to }) => to === 'receiver').map(({ since }) => since)).toEqual([0, 60_000])
  })

  test('a payment in the cloud has no terminal, and an online one has a page in its place', async () => {
    const service = await openService()
    const id = await open(service)
    const refund = await follow(service, 'refund', id, { amount: 1, pushToTerminal: false })
    const lanes = ['client', 'service', 'host']
    expect(sequenceOf(await fullStoryOf(service, refund)).lanes.map(({ name }) => name)).toEqual(lanes)
    const { sessionId } = (await service.call('create-session', sale(500))).data
    const paid = await service.control('POST', `sessions/${sessionId}/pay`, { card: 'visa-contactless' })
    const online = sequenceOf(await fullStoryOf(service, paid.data.transactionId))
    const labels = online.lanes.map(({ label }) => label)
    expect(labels).toContain('page')
    expect(labels).not.toContain('terminal')
    const whole = { originalTransactionId: paid.data.transactionId, transactionRequestId: newId() }
    const back = await service.call('online-refund', whole)
    const direct = sequenceOf(await fullStoryOf(service, back.data.transactionId))
    expect(direct.lanes.map(({ name }) => name)).toEqual(['client', 'service', 'host'])
  })

  test('every attempt of a webhook is a step with its status', async () => {
    const receiver = await openReceiver(503)
    const service = await openService({ retries: [1] })
    const id = await open(service, { notifyUrl: receiver.url })
    await receiver.got(2)
    await expect.poll(async () => (await fullStoryOf(service, id)).deliveries[0]?.state).toBe('failed')
    const story = await fullStoryOf(service, id)
    const tries = [{ status: 503 }, { status: 503, at: expect.any(Number) }]
    expect(story.deliveries).toMatchObject([{ event: null, attempts: 2, last: 503, tries }])
    const last = ['service receiver: result → 503', 'service receiver: result → 503 (attempt 2)']
    expect(linesOf(sequenceOf(story)).slice(-2)).toEqual(last)
    const brief = await storyOf(service, id)
    expect(brief.deliveries[0]).not.toHaveProperty('tries')
    expect(linesOf(sequenceOf(brief)).at(-1)).toBe('service receiver: result → 503 (2 attempts)')
  })

  test('a webhook that waits for its next attempt is an open step', async () => {
    const receiver = await openReceiver(503)
    const service = await openService({ retries: [3_600_000] })
    const id = await open(service, { notifyUrl: receiver.url })
    await expect.poll(async () => (await fullStoryOf(service, id)).deliveries[0]?.attempts).toBe(1)
    const { steps } = sequenceOf(await fullStoryOf(service, id))
    expect(steps.slice(-2)).toMatchObject([
      { text: 'result → 503', tone: 'bad' },
      { text: 'result waits for its next attempt', tone: 'open' },
    ])
  })
})

describe('the tree of follow-ups of a transaction', () => {
  test('the tree has type, amount, status and what is left, at every depth', async () => {
    const service = await openService()
    const id = await open(service)
    const refund = await follow(service, 'refund', id, { amount: 400 })
    const voided = await follow(service, 'void', refund)
    const second = await follow(service, 'refund', id, { amount: 300 })
    const { tree } = await fullStoryOf(service, id)
    expect(tree).toMatchObject({ transactionId: id, type: 'SALE', amount: 1000, leftToRefund: 700 })
    const first = {
      transactionId: refund,
      type: 'REFUND',
      amount: 400,
      status: 'SUCCESS',
      leftToRefund: null,
    }
    expect(tree.followUps).toMatchObject([
      { ...first, followUps: [{ transactionId: voided, type: 'VOID' }] },
      { transactionId: second, amount: 300, followUps: [] },
    ])
  })

  test('an authorisation shows what is left to capture, until it is captured', async () => {
    const service = await openService()
    const { transactionId } = (await service.call('auth', sale(1000))).data
    const left = { leftToCapture: 1000, leftToRefund: null }
    expect((await fullStoryOf(service, transactionId)).tree).toMatchObject(left)
    await follow(service, 'post-auth', transactionId, { amount: 900 })
    const { tree } = await fullStoryOf(service, transactionId)
    expect(tree).toMatchObject({ leftToCapture: null, followUps: [{ type: 'POST_AUTH', leftToRefund: 900 }] })
  })

  test('a failed or voided payment has nothing left to refund', async () => {
    const service = await openService()
    const failed = await open(service, {}, 'expired-card')
    expect((await fullStoryOf(service, failed)).tree).toMatchObject({ resultCode: '054', leftToRefund: null })
    const voided = await open(service)
    await follow(service, 'void', voided)
    expect((await fullStoryOf(service, voided)).tree.leftToRefund).toBeNull()
  })
})
