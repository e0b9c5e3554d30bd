import { describe, expect, test } from 'vitest'
import { openService, type Service, sale, temporaryFolder, WallClock } from '../support/service.ts'

const minute = 60_000
const auto = 'TBX-AUTO-001'
const slow = 'TBX-SLOW-001'

const set = async ({ control }: Service, terminalSn: string, changes: object) =>
  (await control('PATCH', `terminals/${terminalSn}`, changes)).data

/** How long a sale takes on a terminal, by the sandbox clock; each of its two screens lasts as long as the pace says. */
async function timeOn(service: Service, terminalSn: string): Promise<number> {
  const { data } = await service.call('sale', sale(1000, { terminalSn }))
  await service.control('POST', 'clock', { action: 'advance', milliseconds: 60 * minute })
  const { status, timeline } = (await service.control('GET', `transactions/${data.transactionId}`)).data
  expect(status).toBe('SUCCESS')
  return timeline.at(-1).at - timeline[0].at
}

const open = (options: object = {}) => openService({ wall: new WallClock().read, ...options })

describe('a terminal that is set otherwise', () => {
  test('keeps its pace when the pace is not named', async () => {
    const service = await open()
    const before = await timeOn(service, slow)
    expect(before).toBeGreaterThan(0)
    for (const changes of [{ card: 'amex-chip' }, { card: null }, { busy: 'queue' }, {}])
      expect(await set(service, slow, changes)).toMatchObject({ pace: 2000 })
    expect(await timeOn(service, slow)).toBe(before)
  })

  test('has no pace of its own any more after null', async () => {
    const service = await open()
    await set(service, auto, { pace: 700 })
    expect(await timeOn(service, auto)).toBeGreaterThan(0)
    expect(await set(service, auto, { tipPercent: 5 })).toMatchObject({ pace: 700, tipPercent: 5 })
    const cleared = await set(service, auto, { pace: null })
    expect(cleared).not.toHaveProperty('pace')
    expect(cleared).toMatchObject({ tipPercent: 5 })
    expect(await timeOn(service, auto)).toBe(0)
    expect(await set(service, slow, { pace: null })).not.toHaveProperty('pace')
    expect(await timeOn(service, slow)).toBe(0)
  })

  test('after null it follows the pace that the sandbox was started with', async () => {
    const service = await open({ pace: 500 })
    const usual = await timeOn(service, auto)
    expect(usual).toBeGreaterThan(0)
    await set(service, auto, { pace: 0 })
    expect(await timeOn(service, auto)).toBe(0)
    await set(service, auto, { pace: null })
    expect(await timeOn(service, auto)).toBe(usual)
  })

  test('another setting does not tie it to that pace: a restart with another one changes it', async () => {
    const state = temporaryFolder()
    const first = await open({ state, pace: 500 })
    const usual = await timeOn(first, auto)
    await set(first, auto, { card: 'amex-chip' })
    await first.close()
    const service = await open({ state, pace: 1000 })
    expect(await timeOn(service, auto)).toBe(2 * usual)
  })

  test('null clears any setting, and leaves the others; over a restart too', async () => {
    const state = temporaryFolder()
    const first = await open({ state })
    const all = {
      online: false,
      busy: 'reject',
      pace: 5,
      tipPercent: 7,
      card: 'amex-chip',
      outcome: 'lost-card',
    }
    expect(await set(first, auto, all)).toMatchObject(all)
    const { outcome: _, ...others } = all
    const cleared = await set(first, auto, { outcome: null })
    expect(cleared).toMatchObject(others)
    expect(cleared).not.toHaveProperty('outcome')
    for (const name of Object.keys(others)) await set(first, auto, { [name]: null })
    await first.close()
    const { terminals } = (await (await open({ state })).control('GET', 'terminals')).data
    const terminal = terminals.find(({ terminalSn }: { terminalSn: string }) => terminalSn === auto)
    for (const name of Object.keys(all).filter((each) => each !== 'online'))
      expect(terminal).not.toHaveProperty(name)
    expect(terminal).toMatchObject({ mode: 'auto', online: true })
  })
})

test('a mode cannot be cleared', async () => {
  const { control } = await openService()
  const answer = await control('PATCH', 'terminals/TBX-AUTO-001', { mode: null })
  expect([answer.code, answer.field]).toEqual(['C17', 'mode'])
})
