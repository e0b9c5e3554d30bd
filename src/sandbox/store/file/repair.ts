import { cpSync, existsSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { type LeftOut, lockFileName, type StateRepair } from '../../../contract/control/state-folder.ts'
import { builtIn, type Catalogue } from '../../../domain/fixtures.ts'
import { lastJournalOrderOf } from '../../../domain/model/timeline.ts'
import { noSettings, type Settings } from '../../../domain/settings.ts'
import { createState, type JournalEntry, type State } from '../../../domain/state.ts'
import { NewerFormat } from '../../../shared/files/checked-json.ts'
import { openState, syncFile, syncFolder, unfinishedSuffix } from '../../../shared/files/files.ts'
import { requireOwnState } from '../../../shared/files/state-ownership.ts'
import { acquireLock } from '../lock.ts'
import { JournalReader, soundIn } from './journal-reader.ts'
import { DamagedLine, decodeLine, type FileLine, readFileLines, wrongChecksum } from './lines.ts'
import { readStateFile, requireFormat, settingsFromFacts } from './state-file.ts'
import { journalsIn, readFolder, stateFileName, writeFolder } from './state-folder.ts'
import { fileReaders, spacesIn, verifyState } from './verify.ts'

/**
 * Keeps the sound part of a damaged state folder, and of its spaces: first copies the folder, then writes
 * what is sound as a new state. `now`: milliseconds, for the name of the copy. `catalogue`: of the sandbox
 * that owns the state. A sound state is not changed. Errors: ForeignState; LockedState while a sandbox uses
 * it; NewerFormat; an Error of the file system.
 */
export async function repairState(
  folder: string,
  now: number,
  catalogue: Catalogue = builtIn,
): Promise<StateRepair> {
  requireOwnState(folder)
  const lock = acquireLock(folder)
  try {
    const { sound, merchants, transactions } = await verifyState(folder)
    if (sound) return { folder, status: 'sound', backup: null, merchants, transactions, leftOut: [] }
    const empty = () => createState(catalogue)
    const all = [folder, ...spacesIn(folder)]
    const damaged: string[] = []
    const unreadable: LeftOut[] = []
    for (const each of all) {
      if ((await damageIn(() => readFolder(each, empty))) !== undefined) damaged.push(each)
      unreadable.push(...(await unreadableIn(each, empty)))
    }
    const backup = backUp(folder, now)
    const unsound: LeftOut[] = []
    for (const each of damaged) unsound.push(...(await repairFolder(each, empty)))
    for (const { file } of unreadable) rmSync(file, { force: true, recursive: true }) // the copy has it
    const leftOut = [...unsound, ...unreadable].map((out) => ({ ...out, file: relative(folder, out.file) }))
    const repaired = await verifyState(folder)
    return {
      folder,
      status: 'repaired',
      backup,
      leftOut,
      merchants: repaired.merchants,
      transactions: repaired.transactions,
    }
  } finally {
    lock.release()
  }
}

/** Why it cannot be read; undefined when it can. Errors: NewerFormat: no damage, a newer version reads it. */
async function damageIn(read: () => unknown): Promise<string | undefined> {
  try {
    await read()
    return undefined
  } catch (error) {
    if (error instanceof NewerFormat) throw error
    return (error as Error).message
  }
}

/**
 * Copies every file of a state folder to a folder beside it, completely or not at all; the copy is durable
 * when this returns. Links are not followed: a state has none. Returns its path.
 */
export function backUp(folder: string, now: number): string {
  const stamp = new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  const backup = `${folder}.backup-${stamp}`
  if (existsSync(backup)) throw new Error(`${backup} exists`)
  const beside = `${backup}.${process.pid}${unfinishedSuffix}`
  const isCopied = (path: string) => {
    const found = lstatSync(path)
    return basename(path) !== lockFileName && (found.isFile() || found.isDirectory())
  }
  try {
    cpSync(folder, beside, { recursive: true, filter: isCopied })
    for (const entry of readdirSync(beside, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile()) syncFile(openState(path, 'append'))
      else syncFolder(path)
    }
    syncFolder(beside)
    renameSync(beside, backup)
  } catch (error) {
    rmSync(beside, { recursive: true, force: true })
    throw error
  }
  syncFolder(join(folder, '..'))
  return backup
}

async function repairFolder(folder: string, empty: () => State): Promise<readonly LeftOut[]> {
  const { state, settings, leftOut } = readSoundParts(folder, empty)
  await writeFolder(folder, state, settings)
  return leftOut
}

/** What is sound in a state folder, and what is not. */
export interface FoundState {
  readonly state: State
  readonly settings: Settings
  readonly leftOut: readonly LeftOut[]
}

/** Every sound line of the state file, and the journal's lines before the first that does not fit. */
export function readSoundParts(folder: string, empty: () => State): FoundState {
  const state = empty()
  const leftOut: NotedPart[] = []
  const path = join(folder, stateFileName)
  const leaveOut = noting(leftOut)
  const facts = isThere(path, leftOut) ? readStateFile(path, state, leaveOut)?.facts : undefined
  const journal = facts?.journal?.name ?? journalsIn(folder)[0]
  const settings = journal === undefined ? null : takeJournal(join(folder, journal), state, leftOut)
  const { journalOrder } = state
  for (const { transactions } of state.ledgers.values())
    for (const transaction of transactions) {
      // The line with the order may be lost.
      journalOrder.latest = Math.max(journalOrder.latest, lastJournalOrderOf(transaction))
      journalOrder.setBack = Math.max(journalOrder.setBack, transaction.setBack ?? 0)
    }
  return {
    state,
    settings: settings ?? (facts === undefined ? noSettings() : settingsFromFacts(facts)),
    leftOut,
  }
}

function isThere(file: string, leftOut: LeftOut[]): boolean {
  if (existsSync(file)) return true
  leftOut.push({ file, lines: null, why: 'it is missing', transactionIds: [] })
  return false
}

/** Returns the last settings in it; null without any. */
function takeJournal(path: string, state: State, leftOut: NotedPart[]): Settings | null {
  if (!isThere(path, leftOut)) return null
  const reader = new JournalReader(path, state)
  const note = noting(leftOut)
  let first: Error | undefined
  for (const line of readFileLines(path))
    try {
      if (first !== undefined) throw first
      const value = soundIn(line)
      if (value === undefined) throw line.damaged(wrongChecksum)
      if (line.line === 1) requireFormat(value, line)
      else reader.take(value, (why) => line.damaged(why))
    } catch (error) {
      first = error as Error
      note(first, line)
    }
  return reader.settings
}

/** A part that is left out, to which the next line may be added. */
type NotedPart = LeftOut & { readonly lines: [number, number] | null; readonly transactionIds: string[] }

/** Notes lines that are left out; consecutive lines are one entry. */
const noting =
  (leftOut: NotedPart[]) =>
  (error: Error, { path, line, bytes }: FileLine): void => {
    const why = error instanceof DamagedLine ? error.why : error.message
    const last = leftOut.at(-1)
    if (last?.lines != null && last.file === path && last.lines[1] === line - 1) {
      last.lines[1] = line
      last.transactionIds.push(...idsIn(bytes))
    } else leftOut.push({ file: path, lines: [line, line], why, transactionIds: idsIn(bytes) })
  }

/** Ids of the transactions that a sound line opens or contains. */
function idsIn(bytes: Buffer): string[] {
  const { transaction, events = [] } =
    decodeLine<Partial<JournalEntry> & { readonly transaction?: { readonly id: string } }>(bytes) ?? {}
  if (transaction !== undefined) return [transaction.id]
  return events.flatMap((event) => (event.type === 'opened' ? [event.id] : []))
}

/** Small files and snapshots that cannot be read. Errors: NewerFormat. */
async function unreadableIn(folder: string, empty: () => State): Promise<LeftOut[]> {
  const found: LeftOut[] = []
  for (const { path, read } of fileReaders(folder, empty)) {
    const why = await damageIn(read)
    if (why !== undefined) found.push({ file: path, lines: null, why, transactionIds: [] })
  }
  return found
}
