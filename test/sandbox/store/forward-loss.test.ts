import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { isFinal, parseStatus } from '../../../src/contract/statuses.ts'
import { startSandbox } from '../../../src/server/server.ts'
import type { Acknowledged } from '../../support/load/acknowledged.ts'
import type { Findings } from '../../support/load/figures.ts'
import { startLoad } from '../../support/load/mixed-load.ts'
import { Random } from '../../support/load/random.ts'
import { times } from '../../support/runner/counts.ts'
import { askIn } from '../../support/service/ask.ts'
import { signingSecret } from '../../support/service/service.ts'
import { useTestDisk } from '../../support/store/disk.ts'
import type { DiskImage } from '../../support/store/disk-image.ts'
import { DiskRecord } from '../../support/store/disk-record.ts'
import { storedIn } from '../../support/store/stored.ts'
import { openTally, type Tally, tallied, untilSent } from '../../support/webhooks/tally.ts'
import {
  changeText,
  imagesOf,
  loseInRuns,
  type PowerLossOptions,
  recordWork,
  writeImage,
} from './power-loss.ts'

/**
 * Loses the power at the points of a run with `--forward-to`, and looks whether the result of every acknowledged payment
 * arrives: before the loss, or after the next start.
 */
async function loseForwarding({
  seed,
  operations,
  losses,
  variants,
  keep,
}: PowerLossOptions): Promise<Findings> {
  const random = new Random(seed)
  const record = new DiskRecord()
  const cameAt = new Map<string, number>()
  const tally = await openTally(signingSecret, {
    note: (key) => {
      if (!cameAt.has(key)) cameAt.set(key, record.position)
    },
  })
  const run = await recordForwarding(record, tally.url, random.fork(), operations)
  const before = new Map(cameAt)
  const figures = { 'power losses': 0, 'notifications due': 0 }
  const problems: string[] = []
  for (const { point, image, promised } of imagesOf(run, random, losses, variants)) {
    tally.came.clear()
    const hasArrived = (key: string) =>
      tally.came.has(key) || (before.get(key) ?? Number.POSITIVE_INFINITY) <= point
    const { due, wrong } = await arrivesFrom(image, tally, promised.copy(), hasArrived)
    figures['power losses'] += 1
    figures['notifications due'] += due
    if (wrong === null) continue
    problems.push(`seed ${seed}, after change ${point} (${changeText(run, point)}): ${wrong}`)
    if (keep !== undefined) writeImage(image, join(keep, `forward-${seed}-${point}-${problems.length}`))
  }
  return { figures, problems: [...problems, ...tally.problems] }
}

const recordForwarding = (record: DiskRecord, forwardTo: string, random: Random, most: number) =>
  recordWork(record, async (state, acknowledged) => {
    for (let start = 0; start < 2; start++) {
      const running = await startSandbox({ state, forwardTo })
      const load = { ask: askIn(running.sandbox), acknowledged, notifyUrl: null, connections: 4, most }
      await startLoad({ ...load, random: random.fork() }).done
      if (start === 0) await sleep(150) // longer than the place is kept back
      await running.close()
    }
  })

/** Opens what is left and waits until nothing is to be sent on any more. */
async function arrivesFrom(
  image: DiskImage,
  tally: Tally,
  promised: Acknowledged,
  came: (key: string) => boolean,
): Promise<{ due: number; wrong: string | null }> {
  const state = mkdtempSync(join(tmpdir(), 'tillbox-forward-'))
  writeImage(image, state)
  const running = await startSandbox({ state, forwardTo: tally.url }).catch((error: Error) => error)
  try {
    if (running instanceof Error)
      return { due: 0, wrong: `does not open: ${running.message.replaceAll(state, '…')}` }
    const ask = askIn(running.sandbox)
    await untilSent(ask, 10_000)
    const due: string[] = []
    for (const { requestId } of promised.transactions.values()) {
      const story = await storedIn(running.sandbox).story(requestId)
      if (story !== undefined && isFinal(parseStatus(story.record.transactionStatus) ?? 'INITIAL'))
        due.push(tallied('/hook', story.record.transactionId, null))
    }
    await untilSent(ask, 10_000) // a payment at a slow terminal may have ended meanwhile
    const missing = due.filter((key) => !came(key))
    const wrong = missing.length === 0 ? null : `${missing.length} of ${due.length} never came: ${missing[0]}`
    return { due: due.length, wrong }
  } finally {
    if (!(running instanceof Error)) await running.close()
    rmSync(state, { recursive: true, force: true })
  }
}

beforeEach(useTestDisk)

test('a power loss during --forward-to loses no notification: each arrives before it or after the next start', async () => {
  const counts = {
    runs: times(1, 5),
    operations: times(25, 40),
    losses: times(25, 400),
    variants: times(2, 4),
  }
  const figures = await loseInRuns('power loss with --forward-to', loseForwarding, counts)
  expect(figures['notifications due']).toBeGreaterThan(0)
})
