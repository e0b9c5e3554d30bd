import { expect, onTestFinished, test } from 'vitest'
import { openSandbox } from '../../../src/server/sandbox/sandbox.ts'
import { askIn } from '../../support/service/ask.ts'
import { newId } from '../../support/service/new-id.ts'
import { salePath } from '../../support/service/requests.ts'
import { sale, temporaryFolder } from '../../support/service/service.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

/** Opens a sandbox whose clock is so far ahead, in milliseconds. */
async function open(folder: string, forwardTo: string, ahead: number) {
  const sandbox = await openSandbox({ state: folder, forwardTo, wall: () => Date.now() + ahead })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= sandbox.close()
    return closing
  }
  onTestFinished(close)
  return { sandbox, close, ask: askIn(sandbox) }
}

test('--forward-to gets a payment that falls due between a stop and the next start', async () => {
  const [folder, receiver] = [temporaryFolder(), await openReceiver()]
  /** Transactions whose result arrived, terminal events left out. */
  const results = () =>
    receiver.arrivals.flatMap(({ json }) => (json.eventType === undefined ? [json.transactionId] : []))
  const first = await open(folder, receiver.url, 0)
  const members = { terminalSn: 'TBX-SLOW-001', transactionRequestId: newId() }
  const { data } = (await first.ask('POST', salePath, sale(100, members))) ?? {}
  await first.ask('POST', '/_sandbox/clock', { action: 'advance', milliseconds: 2_500 }) // to its last screen
  await first.close()
  expect(results()).toEqual([])
  const second = await open(folder, receiver.url, 60_000)
  await expect.poll(results).toEqual([data.transactionId])
  await second.close()
})
