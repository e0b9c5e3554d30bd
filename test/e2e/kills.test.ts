import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { keepAlive, spawnSandbox } from '../support/commands/running-sandbox.ts'
import { scratchFolder } from '../support/commands/scratch.ts'
import { killMany } from '../support/load/kills.ts'
import { Random } from '../support/load/random.ts'
import { makeFolderStorage } from '../support/load/sandbox-storage.ts'
import { times } from '../support/runner/counts.ts'
import { askOver, dataOf } from '../support/service/ask.ts'
import { newId } from '../support/service/new-id.ts'
import { sale } from '../support/service/service.ts'

test('kill -9 under load, at the start, in compaction, stop and reset loses nothing acknowledged', async () => {
  let acknowledged = 0
  for (let run = 0; run < 5 && acknowledged <= 15; run++) {
    // A busy machine does less in the time that is left to it, and is given more.
    const seed = (Date.now() + run) % 2 ** 31
    const { figures, problems } = await killMany({
      rounds: 6,
      lanes: 2,
      seed,
      makeStorage: makeFolderStorage,
    })
    expect(problems.join('\n'), `TILLBOX_SEED=${seed}`).toBe('')
    expect(figures.kills).toBe(6)
    acknowledged += figures['operations acknowledged'] ?? 0
  }
  expect(acknowledged).toBeGreaterThan(15)
})

test('a sandbox that is killed while it restores starts with the old state or the restored one', async () => {
  const seed = Date.now() % 2 ** 31
  const random = new Random(seed)
  const cwd = scratchFolder()
  let sandbox = await spawnSandbox([], { cwd })
  let ask = askOver(sandbox, keepAlive(16))
  const get = async (path: string) => dataOf(await ask('GET', `/_sandbox/${path}`), path)
  const sell = (count: number) =>
    Promise.all(
      Array.from({ length: count }, () =>
        ask('POST', '/v1/semi-integration/transaction/sale', sale(100, { transactionRequestId: newId() })),
      ),
    )
  await sell(100)
  await ask('POST', '/_sandbox/clock', { action: 'freeze' })
  await ask('PUT', '/_sandbox/snapshots/base', {})
  const { now: frozen } = await get('clock')
  for (let round = 0; round < times(2, 60); round++) {
    await sell(20)
    await ask('POST', '/_sandbox/clock', { action: 'resume' })
    const { transactions } = await get('state')
    const restored = ask('POST', '/_sandbox/snapshots/base/restore')
    await sleep(random.whole(30))
    await sandbox.stop('SIGKILL')
    const answer = await restored
    sandbox = await spawnSandbox([], { cwd })
    ask = askOver(sandbox, keepAlive(16))
    const found = (await get('state')).transactions
    const clock = await get('clock')
    const where = `seed ${seed}, round ${round}: ${answer?.code}`
    if (answer?.code === '0') expect(found, where).toBe(100)
    else expect([100, transactions], where).toContain(found)
    expect([clock.frozen, clock.frozen && clock.now], where).toEqual(
      found === 100 ? [true, frozen] : [false, false],
    )
  }
  await sandbox.stop('SIGTERM')
})
