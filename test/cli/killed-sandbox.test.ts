import { expect, test } from 'vitest'
import { launchBinary } from '../support/commands/binary.ts'
import { type Launched, parseNdjson, untilStderr } from '../support/commands/launched.ts'
import { spawnSandbox, startAgain } from '../support/commands/running-sandbox.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'
import { listening } from './listening.ts'

const sale = 'sale --amount 10.00'

test('listen misses nothing and repeats nothing over kill -9 and a stop, not even what a receiver that was down did not take', async () => {
  const [target, gone] = [await openReceiver(), await openReceiver()]
  await gone.close()
  const sandbox = await spawnSandbox()
  const listen = (url: string) => listening(sandbox, url, '--events', 'payment')
  const waiting = await listen(gone.url)
  const listeners = [await listen(target.url), waiting]
  const sold = [await sandbox.json(sale), await sandbox.json(sale)]
  await target.got(2)
  await untilStderr(waiting, /nothing listens there/)
  await sandbox.stop('SIGKILL')
  for (const listener of listeners) await untilStderr(listener, /The sandbox is gone/)
  const second = await startAgain(sandbox)
  sold.push(await sandbox.json(sale))
  const back = await openReceiver(200, gone.port)
  for (const receiver of [target, back]) await receiver.got(3)
  await second.stop('SIGTERM')
  await startAgain(sandbox)
  sold.push(await sandbox.json(sale))
  for (const receiver of [target, back]) {
    await receiver.got(4)
    const told = sold.map(({ transactionId }) => ({ json: { transactionId } }))
    expect(receiver.arrivals).toMatchObject(told)
  }
  for (const listener of listeners)
    expect(await listener.stop('SIGINT')).toMatchObject({ code: 0, signal: null })
})

test('listen and logs tail that showed nothing before kill -9 miss nothing after it', async () => {
  const sandbox = await spawnSandbox()
  const [listener, following] = ['listen --events payment --json', 'logs tail --json'].map((line) =>
    launchBinary(line, { cwd: sandbox.cwd }),
  ) as [Launched, Launched]
  await untilStderr(listener, /Listening to/)
  await untilStderr(following, /Requests of/)
  await sandbox.stop('SIGKILL')
  for (const each of [listener, following]) {
    await untilStderr(each, /The sandbox is gone/)
    each.stop('SIGSTOP')
  }
  await startAgain(sandbox)
  const { transactionId } = await sandbox.json(sale)
  for (const { pid } of [listener, following]) process.kill(pid, 'SIGCONT')
  await listener.until(/"payment"/)
  expect(parseNdjson(listener.output().stdout)).toMatchObject([{ kind: 'payment', transactionId }])
  await following.until(new RegExp(transactionId))
})
