import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect } from 'vitest'
import { Acknowledged } from '../../support/load/acknowledged.ts'
import { addFigures, type Findings, printFigures } from '../../support/load/figures.ts'
import { fromEnvironment, Random, seedFromEnvironment } from '../../support/load/random.ts'
import { temporaryFolder } from '../../support/service/service.ts'
import { disk } from '../../support/store/disk.ts'
import { Disk, type DiskImage } from '../../support/store/disk-image.ts'
import type { DiskRecord } from '../../support/store/disk-record.ts'
import { AcknowledgedLog } from './acknowledged-log.ts'

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

/** A power loss that was opened well, to be tried once more. */
export interface Again {
  readonly image: DiskImage
  /** What was promised before it; what was in doubt was learned when it was opened. */
  readonly known: Acknowledged
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

/** How much is done: runs, each with a seed of its own; operations of each part of one, and its power losses. */
type Counts = Pick<PowerLossOptions, 'operations' | 'losses' | 'variants'> & { readonly runs: number }

/**
 * Loses power in many runs, and fails the test by what is wrong then. Returns the figures of all. The environment may say:
 * TILLBOX_RUNS, TILLBOX_OPERATIONS, TILLBOX_LOSSES, TILLBOX_SEED (of a run before), TILLBOX_KEEP (a folder for what failed).
 */
export async function loseInRuns(
  title: string,
  lose: (options: PowerLossOptions) => Promise<Findings>,
  { runs, operations, losses, variants }: Counts,
): Promise<Findings['figures']> {
  const seed = seedFromEnvironment()
  const random = new Random(seed)
  const [figures, problems] = [{} as Record<string, number>, [] as string[]]
  for (let run = 0; run < fromEnvironment('TILLBOX_RUNS', runs); run++) {
    const result = await lose({
      seed: run === 0 ? seed : random.whole(2 ** 31),
      operations: fromEnvironment('TILLBOX_OPERATIONS', operations),
      losses: fromEnvironment('TILLBOX_LOSSES', losses),
      variants,
      keep: process.env.TILLBOX_KEEP,
    })
    addFigures(figures, { runs: 1, ...result.figures })
    problems.push(...result.problems)
  }
  printFigures(title, { ...figures, problems: problems.length, seed })
  expect(problems.join('\n'), `TILLBOX_SEED=${seed}`).toBe('')
  return figures
}
