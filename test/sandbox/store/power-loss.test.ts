import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { type RunningSandbox, type ServerOptions, startSandbox } from '../../../src/server/server.ts'
import type { Acknowledged } from '../../support/load/acknowledged.ts'
import { addFigures, type Findings } from '../../support/load/figures.ts'
import { startLoad } from '../../support/load/mixed-load.ts'
import { Random } from '../../support/load/random.ts'
import { times } from '../../support/runner/counts.ts'
import { askIn } from '../../support/service/ask.ts'
import { useTestDisk } from '../../support/store/disk.ts'
import type { DiskImage } from '../../support/store/disk-image.ts'
import { DiskRecord } from '../../support/store/disk-record.ts'
import { storedIn } from '../../support/store/stored.ts'
import {
  type Again,
  changeText,
  imagesOf,
  loseInRuns,
  type PowerLossOptions,
  type Run,
  recordWork,
  writeImage,
} from './power-loss.ts'

const options = (state: string): ServerOptions => ({
  state,
  retries: Array(50).fill(20),
  notifyUrl: null,
})

/** Loses the power at every point of a run, and in some of the starts after that, and opens what is left. */
async function losePower(given: PowerLossOptions): Promise<Findings> {
  const random = new Random(given.seed)
  const run = await recordRun(random.fork(), given.operations)
  const first = await tryAll(run, given, random.fork())
  const figures = { 'writes and renames': run.record.position, ...first.figures }
  const problems = [...run.log.acknowledged.problems, ...first.problems]
  for (const left of first.again) {
    const start = await recordStart(random.fork(), left)
    const losses = Math.ceil(given.losses / 40)
    const second = await tryAll(start, { ...given, losses, variants: 2 }, random.fork())
    addFigures(figures, { ...second.figures, 'starts cut by another loss': 1 })
    const found = [...start.log.acknowledged.problems, ...second.problems]
    problems.push(...found.map((problem) => `in the start after it: ${problem}`))
  }
  return { figures, problems }
}

/** Three starts on one folder, two of which end as they should; a reset in the second. */
const recordRun = (random: Random, operations: number): Promise<Run> =>
  recordWork(new DiskRecord(), async (folder, acknowledged) => {
    for (const start of [1, 2, 3]) {
      const running = await startSandbox(options(folder))
      await work(running, random.fork(), acknowledged, operations)
      if (start === 2) {
        await reset(running, acknowledged)
        await work(running, random.fork(), acknowledged, operations)
      }
      await running.close()
    }
  })

/** A start on what a power loss left, with a little work after it. */
const recordStart = (random: Random, left: Again): Promise<Run> =>
  recordWork(
    new DiskRecord(),
    async (folder, acknowledged) => {
      const running = await startSandbox(options(folder))
      await work(running, random, acknowledged, 10)
      await running.close()
    },
    left,
  )

function work(
  { sandbox }: RunningSandbox,
  random: Random,
  acknowledged: Acknowledged,
  most: number,
): Promise<void> {
  const connections = random.between(2, 16) // a group of many is longer than a page
  return startLoad({ ask: askIn(sandbox), random, acknowledged, notifyUrl: null, connections, most }).done
}

async function reset({ sandbox }: RunningSandbox, acknowledged: Acknowledged): Promise<void> {
  acknowledged.beginReset()
  const answer = await askIn(sandbox)('POST', '/_sandbox/reset')
  if (answer?.code !== '0') throw new Error(`the reset was answered ${answer?.code}`)
  acknowledged.reset()
}

/** Images that are opened at the same time: a stop waits for its last answers to leave. */
const lanes = 24

async function tryAll(
  run: Run,
  { losses, variants, keep, seed }: PowerLossOptions,
  random: Random,
): Promise<Findings & { readonly again: readonly Again[] }> {
  const [figures, problems, again] = [{ points: 0, 'power losses': 0 }, [] as string[], [] as Again[]]
  const images = imagesOf(run, random, losses, variants)
  const lane = async () => {
    for (const { point, image, promised, isFirst } of images) {
      figures['power losses'] += 1
      if (isFirst) figures.points += 1
      const known = promised.copy()
      const wrong = await tryImage(image, known, random.happens(0.25))
      if (wrong === null) {
        if (random.happens(0.01) && again.length < 5) again.push({ image, known })
        continue
      }
      problems.push(`seed ${seed}, after change ${point} (${changeText(run, point)}): ${wrong}`)
      if (keep !== undefined) writeImage(image, join(keep, `${seed}-${point}-${problems.length}`))
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return { figures, problems, again }
}

/** Opens what is left, and once more when `twice`; null, or what is wrong with it. */
async function tryImage(image: DiskImage, promised: Acknowledged, twice: boolean): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'tillbox-power-'))
  try {
    writeImage(image, folder)
    const wrong = await openAndCheck(folder, promised, 'does not open')
    return wrong ?? (twice ? await openAndCheck(folder, promised, 'does not open once more') : null)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function openAndCheck(folder: string, promised: Acknowledged, what: string): Promise<string | null> {
  const running = await startSandbox(options(folder)).catch((error: Error) => error)
  if (running instanceof Error) return `${what}: ${running.message.replaceAll(folder, '…')}`
  try {
    const { problems } = await promised.check(storedIn(running.sandbox))
    return problems.length === 0 ? null : problems.slice(0, 5).join('; ')
  } finally {
    await running.close()
  }
}

beforeEach(useTestDisk)

test('a power loss after a change of the disk takes nothing that was acknowledged', async () => {
  const counts = {
    runs: times(1, 20),
    operations: times(25, 60),
    losses: times(50, 1_500),
    variants: times(2, 4),
  }
  const figures = await loseInRuns('power loss', losePower, counts)
  expect(figures['power losses']).toBeGreaterThan(20)
})
