import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isFinal, parseStatus } from '../../../src/contract/statuses.ts'
import { applications } from '../../../src/fixtures.ts'
import { type ServerOptions, startSandbox } from '../../../src/server/server.ts'
import { Acknowledged } from '../load/acknowledged.ts'
import { AcknowledgedLog } from '../load/acknowledged-log.ts'
import type { Findings } from '../load/figures.ts'
import { startLoad } from '../load/mixed-load.ts'
import { Random } from '../load/random.ts'
import { type Ask, askIn, dataOf } from '../service/ask.ts'
import { temporaryFolder } from '../service/service.ts'
import { openTally, type Tally, tallied } from '../webhooks/tally.ts'
import { disk } from './disk.ts'
import type { DiskImage } from './disk-image.ts'
import { DiskRecord } from './disk-record.ts'
import { changeText, imagesOf, type PowerLossOptions, type Run, writeImage } from './power-loss.ts'
import { storedIn } from './stored.ts'

/**
 * Loses the power at the points of a run with `--forward-to`, and looks whether the result of every acknowledged payment
 * arrives: before the loss, or after the next start.
 */
export async function loseForwarding({
  seed,
  operations,
  losses,
  variants,
  keep,
}: PowerLossOptions): Promise<Findings> {
  const random = new Random(seed)
  const record = new DiskRecord()
  const cameAt = new Map<string, number>()
  const tally = await openTally(applications[0]?.webhookSecret as string, random.fork(), 0, (key) => {
    if (!cameAt.has(key)) cameAt.set(key, record.position)
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

const options = (state: string, forwardTo: string): ServerOptions => ({
  state,
  forwardTo,
})

async function recordForwarding(record: DiskRecord, url: string, random: Random, most: number): Promise<Run> {
  const folder = temporaryFolder()
  const log = new AcknowledgedLog(() => record.position)
  disk.watcher = { folder, record }
  try {
    for (let start = 0; start < 2; start++) {
      const running = await startSandbox(options(folder, url))
      const { acknowledged } = log
      const ask = askIn(running.sandbox)
      await startLoad({ ask, random: random.fork(), acknowledged, notifyUrl: null, connections: 4, most })
        .done
      if (start === 0) await sleep(150) // longer than the place is kept back
      await running.close()
    }
  } finally {
    disk.watcher = null
  }
  return { folder, record, log, known: new Acknowledged(), from: 0 }
}

/** Opens what is left and waits until nothing is to be sent on any more. */
async function arrivesFrom(
  image: DiskImage,
  tally: Tally,
  promised: Acknowledged,
  came: (key: string) => boolean,
): Promise<{ due: number; wrong: string | null }> {
  const folder = mkdtempSync(join(tmpdir(), 'tillbox-forward-'))
  writeImage(image, folder)
  const running = await startSandbox(options(folder, tally.url)).catch((error: Error) => error)
  try {
    if (running instanceof Error)
      return { due: 0, wrong: `does not open: ${running.message.replaceAll(folder, '…')}` }
    const ask = askIn(running.sandbox)
    await sentOn(ask)
    const due: string[] = []
    for (const { requestId } of promised.transactions.values()) {
      const story = await storedIn(running.sandbox).story(requestId)
      if (story !== undefined && isFinal(parseStatus(story.record.transactionStatus) ?? 'INITIAL'))
        due.push(tallied('/hook', story.record.transactionId, null))
    }
    await sentOn(ask) // a payment at a slow terminal may have ended meanwhile
    const missing = due.filter((key) => !came(key))
    const wrong = missing.length === 0 ? null : `${missing.length} of ${due.length} never came: ${missing[0]}`
    return { due: due.length, wrong }
  } finally {
    if (!(running instanceof Error)) await running.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function sentOn(ask: Ask): Promise<void> {
  const end = Date.now() + 10_000
  while (dataOf(await ask('GET', '/_sandbox/state'), 'state').webhooks.pending > 0 && Date.now() < end)
    await sleep(5)
}
