import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { createChecked, DamagedFile, NewerFormat, readChecked } from '../../../files/checked-json.ts'
import { syncFolder, unfinishedSuffix } from '../../../files/files.ts'

/**
 * The manifest names every file of the state. Each change of the files makes a new manifest with the next number, and
 * the greatest number is valid. A manifest is never replaced. So a sandbox whose folder was taken over can no longer
 * change the state: its next number already exists.
 */

/**
 * Format of manifest, journal and snapshot. Format 1 had no manifest, ids or groups. Format 2 had other names for some
 * members. Format 3 kept sums of follow-ups instead of their parts, and announced an order when it was opened. Format 4
 * had one record a line in snapshots too.
 */
export const stateFormat = 5

/** Format of checkpoints and exports: one record a line, with the current members. */
export const recordFormat = 4

const readable: readonly unknown[] = [2, 3, recordFormat, stateFormat]

/** True for a format whose manifests and files this tillbox reads. */
export const isReadable = (format: unknown): boolean => readable.includes(format)

/** True for a format whose events and records have the current members. */
export const hasTodaysRecords = (format: number | undefined): boolean =>
  format !== undefined && format >= recordFormat

/** A file that is no longer written to. Null members: files of format 1 lack them. */
export interface SealedFile {
  readonly name: string
  /** Id of the file, a UUID, from its first line. */
  readonly id: string | null
  /** Number of valid bytes; any bytes after them were never acknowledged. */
  readonly bytes: number
  /** Number of the last entry of each ledger at its end, for the ledgers that it changes. */
  readonly sequences: Readonly<Record<string, number>> | null
}

/** The journal that is being written. */
export interface OpenFile {
  readonly name: string
  readonly id: string | null
}

/** The files of the state: a snapshot, the sealed journals after it in order, and the open journal. */
export interface Files {
  readonly snapshot: SealedFile | null
  readonly journals: readonly SealedFile[]
  /** Null after a clean stop. */
  readonly open: OpenFile | null
}

/** The files, and the number of the manifest that names them; 0 when there is none yet. */
export interface Manifest extends Files {
  readonly number: number
  /** Format of the manifest; a start on an older one makes a new one. */
  readonly format: number
  /** Greatest number of a journal so far: each one up to it is in a manifest, or folded into the snapshot. */
  readonly lastJournal: number
}

const name = (kind: string) =>
  v.pipe(v.string(), v.regex(new RegExp(`^${kind}(-\\d{6,}(-[0-9a-f]{8})?)?\\.jsonl$`)))
const id = v.nullable(v.pipe(v.string(), v.uuid()))
const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const sealed = (kind: string) =>
  v.strictObject({
    name: name(kind),
    id,
    bytes: count,
    sequences: v.nullable(v.record(v.string(), count)),
  })
const schema = v.strictObject({
  format: v.custom<number>(isReadable),
  snapshot: v.nullable(sealed('snapshot')),
  journals: v.array(sealed('journal')),
  open: v.nullable(v.strictObject({ name: name('journal'), id })),
  lastJournal: count,
})

const pattern = /^(manifest|journal|snapshot)-(\d{6,})(?:-[0-9a-f]{8})?\.jsonl?$/

/** Name of a manifest. Numbers beyond six digits get longer. */
export const manifestName = (number: number): string => `manifest-${padded(number)}.json`

/**
 * Name of a new journal or snapshot, with the beginning of its id: names are never reused, so the process that made a
 * file may remove it by name at any time.
 */
export const dataName = (kind: 'journal' | 'snapshot', number: number, id: string): string =>
  `${kind}-${padded(number)}-${id.slice(0, 8)}.jsonl`

const padded = (number: number): string => String(number).padStart(6, '0')

/** Number in the name of a file; 0 for a name without one. */
export const fileNumberOf = (fileName: string): number => Number(pattern.exec(fileName)?.[2] ?? 0)

/** Names of one kind of file in a folder, by number. */
export const filesOf = (folder: string, kind: 'manifest' | 'journal' | 'snapshot'): string[] =>
  readdirSync(folder)
    .filter((each) => (each === 'snapshot.jsonl' ? kind === 'snapshot' : pattern.exec(each)?.[1] === kind))
    .sort((one, other) => fileNumberOf(one) - fileNumberOf(other))

export const manifestPath = (folder: string, number: number): string => join(folder, manifestName(number))

/** The valid manifest; undefined when there is none. Errors: DamagedFile, NewerFormat; an Error of the file system. */
export function readManifest(folder: string): Manifest | undefined {
  const newest = filesOf(folder, 'manifest').at(-1)
  if (newest === undefined) return undefined
  const path = join(folder, newest)
  const { data, version } = readChecked(path) ?? { data: undefined, version: null }
  const format = (data as { readonly format?: unknown } | undefined)?.format
  if (!isReadable(format)) throw new NewerFormat(path, version ?? '', format, stateFormat)
  const parsed = v.safeParse(schema, data)
  if (parsed.success) return { number: fileNumberOf(newest), ...parsed.output }
  const [issue] = parsed.issues
  throw new DamagedFile(path, `${v.getDotPath(issue) ?? 'it'}: ${issue.message}`)
}

/**
 * Makes the next manifest, which is valid at once; undefined when another sandbox has made one with that number and
 * thereby taken the folder. Errors: an Error of the file system; the previous manifest stays valid.
 */
export function commitManifest(folder: string, before: Manifest, files: Files): Manifest | undefined {
  const number = before.number + 1
  const { snapshot, journals, open } = files
  const lastJournal = Math.max(before.lastJournal, fileNumberOf(open?.name ?? ''))
  const made = { snapshot, journals, open, lastJournal }
  const whole = { format: stateFormat, ...made }
  return createChecked(manifestPath(folder, number), whole) ? { number, ...whole } : undefined
}

/** Names of the files that a manifest names. */
export const namesIn = ({ snapshot, journals, open }: Files): string[] =>
  [snapshot, ...journals, open].flatMap((file) => file?.name ?? [])

/** Removes the files that a manifest named and the next one does not. Errors: an Error of the file system. */
export function removeReplaced(folder: string, before: Files, now: Manifest): void {
  const named = new Set(namesIn(now))
  for (const each of namesIn(before)) if (!named.has(each)) rmSync(join(folder, each), { force: true })
  for (const each of filesOf(folder, 'manifest'))
    if (fileNumberOf(each) < now.number) rmSync(join(folder, each), { force: true })
  syncFolder(folder)
}

/** Age after which an unfinished file is considered abandoned: a live process finishes sooner. Milliseconds. */
const unfinishedFor = 60_000

/** State files left by a crash: those that the manifest does not name, and old unfinished ones. */
export function leftOvers(folder: string, manifest: Manifest, now: number): string[] {
  const named = new Set([...namesIn(manifest), manifestName(manifest.number)])
  const isOld = (each: string) =>
    now - (statSync(join(folder, each), { throwIfNoEntry: false })?.mtimeMs ?? now) > unfinishedFor
  return readdirSync(folder).filter(
    (each) => isStateFile(each) && !named.has(each) && (!each.endsWith(unfinishedSuffix) || isOld(each)),
  )
}

/** True for manifests, journals, snapshots, and files that a crash left unfinished. */
export const isStateFile = (fileName: string): boolean =>
  fileName === 'snapshot.jsonl' || pattern.test(fileName) || fileName.endsWith(unfinishedSuffix)

/** Size of a file of the folder in bytes; undefined when it does not exist. */
export const sizeIn = (folder: string, fileName: string): number | undefined =>
  statSync(join(folder, fileName), { throwIfNoEntry: false })?.size
