import { expect, test } from 'vitest'
import { SandboxClock } from '../../../src/sandbox/engine/identifiers.ts'
import { noon } from '../../support/domain/ledger.ts'
import { advanceClock, openService, sale, WallClock } from '../../support/service/service.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'
import { openAtNoon } from '../frozen-service.ts'

const minute = 60_000

test('assumption clock-speed: a minute takes a second, and advance, freeze, resume and set keep the speed', async () => {
  const wall = new WallClock(noon)
  const service = await openService({ wall: wall.read })
  const order = async (members: object) => (await service.control('POST', 'clock', members)).data
  const read = async () => (await service.control('GET', 'clock')).data
  expect(await order({ action: 'speed', speed: 60 })).toMatchObject({ offsetMs: 0, speed: 60, frozen: false })
  wall.pass(1_000)
  expect(await read()).toMatchObject({ now: new Date(noon + minute).toISOString(), offsetMs: 59_000 })
  await advanceClock(service, minute)
  wall.pass(1_000)
  expect((await read()).now).toBe(new Date(noon + 3 * minute).toISOString())
  expect(await order({ action: 'freeze' })).toMatchObject({ frozen: true, speed: 60 })
  wall.pass(5_000)
  expect((await order({ action: 'resume' })).now).toBe(new Date(noon + 3 * minute).toISOString())
  wall.pass(1_000)
  expect((await read()).now).toBe(new Date(noon + 4 * minute).toISOString())
  await order({ action: 'set', time: new Date(noon).toISOString() })
  wall.pass(1_000)
  expect((await read()).now).toBe(new Date(noon + minute).toISOString())
  const now = new Date(noon + minute).toISOString()
  expect(await order({ action: 'speed', speed: 1 })).toMatchObject({ now, speed: 1 })
  expect(await order({ action: 'reset' })).toMatchObject({ offsetMs: 0, speed: 1 })
})

test('assumption clock-speed: the speed survives a restart, and the time in between counts', async () => {
  const wall = new WallClock(noon)
  const first = await openService({ wall: wall.read })
  await first.control('POST', 'clock', { action: 'speed', speed: 60 })
  wall.pass(1_000)
  await first.close()
  wall.pass(1_000)
  const { control } = await openService({ wall: wall.read, state: first.folder })
  const now = new Date(noon + 2 * minute).toISOString()
  expect((await control('GET', 'clock')).data).toMatchObject({ now, speed: 60 })
})

test('assumption clock-speed: timers of payments and retries of webhooks come as much sooner', async () => {
  const receiver = await openReceiver((_, response) =>
    response.writeHead(receiver.arrivals.length > 1 ? 200 : 500).end(),
  )
  const service = await openService({ retries: [30 * minute] })
  await service.control('POST', 'clock', { action: 'speed', speed: 3_600 })
  const late = sale(1000, { notifyUrl: receiver.url })
  const { data } = await service.call('sale', late, { 'X-Sandbox-Outcome': 'late-approval' }) // takes a minute
  await receiver.got(2)
  await service.sandbox.courier.idle()
  const story = (await service.control('GET', `transactions/${data.transactionId}?attempts=true`)).data
  expect(story.status).toBe('SUCCESS')
  const [one, two] = story.deliveries[0].tries
  expect(two.at - one.at).toBeGreaterThanOrEqual(30 * minute)
})

test.each([0, 3_601, 1.5, '60x', undefined])('the speed %j is refused', async (speed) => {
  const { control } = await openAtNoon()
  const answer = await control('POST', 'clock', { action: 'speed', speed })
  expect(answer).toMatchObject({ code: 'C17', field: 'speed' })
})

test('a fast clock stops at the last year with four digits', () => {
  let wall = noon
  const clock = new SandboxClock(() => wall)
  clock.set(Date.UTC(9998, 11, 31))
  clock.run(3_600)
  wall += 365 * 24 * 3_600_000
  expect(new Date(clock.now()).toISOString()).toBe('9999-12-31T00:00:00.000Z')
})
