import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { fileStorage, openSandbox } from '../../src/sandbox/sandbox.ts'
import type { NumberedAttempt, Storage } from '../../src/store/storage.ts'
import { askIn } from '../support/service/ask.ts'
import { newId } from '../support/service/new-id.ts'
import { salePath } from '../support/service/requests.ts'
import { sale, temporaryFolder } from '../support/service/service.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'

/** The same storage, from which attempts are read slowly, as from a database that is far away. */
const slowStorage = (storage: Storage): Storage => ({
  ...storage,
  open: async (needs) => {
    const opened = await storage.open(needs)
    return {
      ...opened,
      attempts: <T extends NumberedAttempt>() => {
        const record = opened.attempts<T>()
        const all = record.all.bind(record)
        record.all = async function* () {
          await sleep(300)
          yield* all()
        }
        return record
      },
    }
  },
})

/** Opens a sandbox whose clock is so far ahead, in milliseconds. */
async function open(folder: string, forwardTo: string, ahead: number) {
  const storage = slowStorage(fileStorage({ folder }))
  const sandbox = await openSandbox({ storage, forwardTo, wall: () => Date.now() + ahead })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= sandbox.close()
    return closing
  }
  onTestFinished(close)
  return { sandbox, close, ask: askIn(sandbox) }
}

test('--forward-to gets a payment that falls due between a stop and the next start, however slow the start', async () => {
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
