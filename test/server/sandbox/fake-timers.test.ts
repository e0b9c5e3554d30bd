import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { operations } from '../../../src/contract/operations.ts'
import { startSandbox } from '../../../src/server/server.ts'
import { exchange } from '../../support/network/exchange.ts'
import { liveOf } from '../../support/service/live.ts'
import { apiHeaders, apiKey, sale, temporaryFolder } from '../../support/service/service.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

/** Everything that a test framework fakes; process.nextTick is Node's own, which stops without it. */
const toFake = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'Date',
  'performance',
  'queueMicrotask',
  'hrtime',
] as const

function fakeTimers(): void {
  vi.useFakeTimers({ toFake: [...toFake], now: 0 })
  onTestFinished(() => void vi.useRealTimers())
}

const realNow = Date.now

/** One request; Node's own client uses no global timer. */
const ask = (url: string, method = 'GET', text?: string) =>
  exchange(url, { method, headers: apiHeaders(apiKey, realNow()), text })

describe('assumption clocks: a sandbox with fake timers of a test framework', () => {
  test.each(['before', 'after'] as const)('fake timers set %s the start change nothing', async (when) => {
    const { url, got } = await openReceiver()
    if (when === 'before') fakeTimers()
    const reports: string[] = []
    const report = (message: string) => reports.push(message)
    const running = await startSandbox({ state: temporaryFolder(), retries: [1], report })
    if (when === 'after') fakeTimers()
    expect(Date.now()).toBe(0)
    const { connection, sandbox, close } = running
    const body = JSON.stringify(sale(1000, { notifyUrl: url }))
    const sold = JSON.parse((await ask(`${connection.url}${operations.sale.path}`, 'POST', body)).text)
    expect(sold).toMatchObject({ code: '0', data: { transactionStatus: 'I' } })
    const { transactionId } = sold.data
    for (let state = ''; state !== 'delivered'; )
      state = JSON.parse((await ask(`${connection.url}/_sandbox/webhooks`)).text).data.deliveries[0]?.state
    const queried = await ask(`${connection.url}${operations.query.path}?transactionId=${transactionId}`)
    expect(JSON.parse(queried.text)).toMatchObject({ code: '0', data: { transactionStatus: 'S' } })
    for (const page of ['/', '/requests', `/transactions/${transactionId}`])
      expect((await ask(`${connection.url}${page}`)).status).toBe(200)
    expect(sandbox.clock.now()).toBeGreaterThan(Date.UTC(2020))
    await close()
    expect(await got(1)).toHaveLength(1)
    expect(reports).toEqual([])
  })

  test('with fake timers a slow terminal is done once the clock is advanced', async () => {
    fakeTimers()
    const { connection, close } = await startSandbox({ state: temporaryFolder(), pace: 20 })
    const body = JSON.stringify(sale(1000))
    const sold = JSON.parse((await ask(`${connection.url}${operations.sale.path}`, 'POST', body)).text)
    const moved = JSON.stringify({ action: 'advance', milliseconds: 600_000 })
    expect((await ask(`${connection.url}/_sandbox/clock`, 'POST', moved)).status).toBe(200)
    const { text } = await ask(
      `${connection.url}${operations.query.path}?transactionId=${sold.data.transactionId}`,
    )
    expect(JSON.parse(text).data.transactionStatus).toBe('S')
    await close()
  })

  test('with fake timers live pages are still updated', async () => {
    fakeTimers()
    const { connection, sandbox, close } = await startSandbox({ state: temporaryFolder() })
    const live = await liveOf(`${connection.url}/live`)
    await live.next()
    await ask(`${connection.url}${operations.sale.path}`, 'POST', JSON.stringify(sale(1000)))
    while (live.pushes.filter((push) => push.includes('event: fragments')).length < 2) await live.next()
    await close()
    expect(sandbox.streams.size).toBe(0)
  })
})
