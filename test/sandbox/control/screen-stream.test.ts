import { expect, onTestFinished, test } from 'vitest'
import { readScreens } from '../../../src/client/server-sent-events.ts'
import { resultTime, type ScreenView } from '../../../src/contract/control/screens.ts'
import { openRawSandbox } from '../../support/service/raw.ts'

const terminalSn = 'TBX-ATTENDED-001'
const head = { merchantId: 'M1000000001', terminalSn }

/** A sandbox, what a reader of its terminal's screens has got, and a way to act. */
async function openTerminal() {
  const { connection, sandbox } = await openRawSandbox()
  const ledger = sandbox.engine.state.ledgers.get(head.merchantId)
  if (ledger === undefined) throw new Error('the fixture has no merchant')
  const run = (command: object) => sandbox.engine.run(ledger, command as never)
  const sell = (amount: number) => {
    const input = { ...head, transactionRequestId: crypto.randomUUID(), amount, priceCurrency: 'USD' }
    return run({ type: 'sale', input, fingerprint: 'x', outcome: null })
  }
  const reader = () => {
    const seen: ScreenView[] = []
    const ending = new AbortController()
    onTestFinished(() => ending.abort())
    const address = { baseUrl: connection.url }
    const ended = (async () => {
      for await (const view of readScreens(address, terminalSn, ending.signal)) seen.push(view)
    })().catch(() => undefined)
    const shows = (screen: string) => expect.poll(() => seen.at(-1)?.screen, { interval: 20 }).toBe(screen)
    return { seen, ended, shows, leave: () => ending.abort() }
  }
  return { sandbox, run, sell, reader }
}

test('two readers see each act, and the removal of the result', async () => {
  const { sandbox, run, sell, reader } = await openTerminal()
  const [one, other] = [reader(), reader()]
  await Promise.all([one.shows('idle'), other.shows('idle')])
  await sell(1000)
  await Promise.all([one.shows('present-card'), other.shows('present-card')])
  await run({ type: 'present-card', terminalSn, card: 'visa-contactless' })
  await Promise.all([one.shows('result'), other.shows('result')])
  sandbox.clock.set(sandbox.clock.now() + resultTime - 500)
  sandbox.changes.tellAll()
  await Promise.all([one.shows('idle'), other.shows('idle')])
})

test('a clock set far back removes the result, and the stream repeats nothing afterwards', async () => {
  const { sandbox, run, sell, reader } = await openTerminal()
  const { seen, shows } = reader()
  await shows('idle')
  await sell(1000)
  await run({ type: 'present-card', terminalSn, card: 'visa-contactless' })
  await shows('result')
  sandbox.clock.set(sandbox.clock.now() - 40 * 86_400_000)
  sandbox.changes.tellAll()
  await shows('idle')
  const { length } = seen
  await sell(1000)
  await shows('present-card')
  expect(seen).toHaveLength(length + 1)
})

test('the result is removed by the sandbox clock, and stays while the clock is frozen', async () => {
  const { sandbox, run, sell, reader } = await openTerminal()
  sandbox.clock.freeze()
  const { seen, shows } = reader()
  await shows('idle')
  await sell(1000)
  await run({ type: 'present-card', terminalSn, card: 'visa-contactless' })
  await shows('result')
  expect(seen.at(-1)?.transaction).toMatchObject({ status: 'SUCCESS', transactionAmount: 1000 })
  sandbox.clock.set(sandbox.clock.now() + 8_000)
  sandbox.changes.tellAll()
  await shows('idle')
})
