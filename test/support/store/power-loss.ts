import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { type RunningSandbox, type ServerOptions, startSandbox } from '../../../src/server/server.ts'
import { Acknowledged } from '../load/acknowledged.ts'
import { AcknowledgedLog } from '../load/acknowledged-log.ts'
import { addFigures, type Findings } from '../load/figures.ts'
import { startLoad } from '../load/mixed-load.ts'
import { Random } from '../load/random.ts'
import { askIn } from '../service/ask.ts'
import { temporaryFolder } from '../service/service.ts'
import { disk } from './disk.ts'
import { Disk, type DiskImage } from './disk-image.ts'
import { DiskRecord } from './disk-record.ts'
import { storedIn } from './stored.ts'

export interface PowerLossOptions {
  readonly seed: number
  /** Operations of each of the three starts of a run. */
  readonly operations: number
  /** Power losses that are tried at most, spread over all points of the run, and at each point. */
  readonly losses: number
  readonly variants: number
  /** Where a copy of an image that failed is put. */
  readonly keep?: string | undefined
}

/** A run on a watched folder, with what was promised at which point. */
export interface Run {
  readonly folder: string
  readonly record: DiskRecord
  readonly log: AcknowledgedLog
  /** What was promised before, and the first change that the run made. */
  readonly known: Acknowledged
  readonly from: number
}

const options = (state: string): ServerOptions => ({
  state,
  retries: Array(50).fill(20),
  notifyUrl: null,
})

/** Loses the power at every point of a run, and in some of the starts after that, and opens what is left. */
export async function losePower(given: PowerLossOptions): Promise<Findings> {
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

/** Records what is done to a new folder, or to one with what a power loss left. */
export async function recordWork(
  record: DiskRecord,
  act: (folder: string, acknowledged: Acknowledged) => Promise<void>,
  { image, known }: Again = { image: new Map(), known: new Acknowledged() },
): Promise<Run> {
  const folder = temporaryFolder()
  writeImage(image, folder)
  record.begin(new Map([...image].flatMap(([path, bytes]) => (bytes ? [[join(folder, path), bytes]] : []))))
  const from = record.position
  const log = new AcknowledgedLog(() => record.position, known.copy())
  disk.watcher = { folder, record }
  try {
    await act(folder, log.acknowledged)
  } finally {
    disk.watcher = null
  }
  return { folder, record, log, known, from }
}

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

/** A power loss that was opened well, to be tried once more. */
interface Again {
  readonly image: DiskImage
  /** What was promised before it; what was in doubt was learned when it was opened. */
  readonly known: Acknowledged
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

/** What a power loss leaves, point after point. Points are left out, evenly, where there would be more losses than wanted. */
export function* imagesOf(
  { record, log, known, folder, from }: Run,
  random: Random,
  losses: number,
  variants: number,
) {
  const { changes } = record
  const points = Array.from({ length: changes.length - from }, (_, index) => from + index)
  const chosen = new Set(random.spread(points, Math.ceil(losses / variants)))
  const before = known.copy()
  const disk = new Disk()
  const tell = log.replay(before)
  for (const [number, change] of changes.entries()) {
    disk.apply(change)
    tell(number + 1)
    if (!chosen.has(number) || !disk.isDirty) continue
    const promised = before.copy()
    for (let variant = 0; variant < variants; variant++)
      yield { point: number, image: within(disk.imageAt(random), folder), promised, isFirst: variant === 0 }
  }
}

/** The image with paths within the folder. */
const within = (image: DiskImage, folder: string): DiskImage =>
  new Map([...image].map(([path, bytes]) => [relative(folder, path), bytes]))

/** The change at that point, for a person. */
export function changeText({ record: { changes }, folder }: Run, point: number): string {
  const change = changes[point]
  if (change === undefined) return 'none'
  if ('path' in change) return `${change.kind} ${relative(folder, change.path)}`
  const begun = changes.find((each) => each.kind === 'create' && each.file === change.file)
  return `${change.kind} of ${begun && 'path' in begun ? relative(folder, begun.path) : change.file}`
}

/** Writes an image into a folder. */
export function writeImage(image: DiskImage, folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const [path, bytes] of image)
    if (bytes === null) mkdirSync(join(folder, path), { recursive: true })
    else writeFileSync(join(folder, path), bytes, { mode: 0o600 })
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
