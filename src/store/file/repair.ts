import { cpSync, existsSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { type LeftOut, lockFileName, type StateRepair } from '../../contract/sandbox/state-folder.ts'
import { lastJournalOrderOf } from '../../domain/model/timeline.ts'
import { noSettings, type Settings } from '../../domain/settings.ts'
import { createState, type JournalEntry, type State } from '../../domain/state.ts'
import { NewerFormat } from '../../files/checked-json.ts'
import { openState, syncFile, syncFolder, unfinishedSuffix } from '../../files/files.ts'
import { builtIn, type Catalogue } from '../../fixtures.ts'
import { acquireLock } from '../lock.ts'
import { type JournalLine, journalNumber } from './journal.ts'
import { JournalReader } from './journal-reader.ts'
import { DamagedLine, damagedAt, type FoundObject, objectsOf, soundValue } from './lines.ts'
import { requireFormat } from './snapshot.ts'
import { readCheckpoint, settingsOf, takeStateFile } from './state-file.ts'
import { journalsIn, readFolder, stateFileName, writeFolder } from './state-folder.ts'
import { checkpointsIn, smallFiles, spacesIn, verifyState } from './verify.ts'

/**
 * Keeps the sound part of a damaged state folder, and of its spaces: first copies the folder, then writes what is sound
 * as a new state. `now`: milliseconds, for the name of the copy. `catalogue`: of the sandbox that owns the state. A
 * sound state is not changed. Errors: LockedState while a sandbox uses it; NewerFormat; an Error of the file system.
 */
export async function repairState(
  folder: string,
  now: number,
  catalogue: Catalogue = builtIn,
): Promise<StateRepair> {
  const lock = acquireLock(folder)
  try {
    const { sound, merchants, transactions } = await verifyState(folder)
    if (sound) return { folder, status: 'sound', backup: null, merchants, transactions, leftOut: [] }
    const empty = () => createState(catalogue)
    const all = [folder, ...spacesIn(folder)]
    const damaged = all.filter((each) => isDamaged(each, empty))
    const backup = backUp(folder, now)
    const leftOut = [
      ...damaged.flatMap((each) => repairFolder(each, empty)),
      ...all.flatMap((each) => dropUnreadable(each, empty)),
    ].map((out) => ({ ...out, file: relative(folder, out.file) }))
    const repaired = await verifyState(folder)
    return {
      folder,
      status: 'repaired',
      backup,
      merchants: repaired.merchants,
      transactions: repaired.transactions,
      leftOut,
    }
  } finally {
    lock.release()
  }
}

/** Errors: NewerFormat: such a state is not damaged, and only the version that wrote it can read it. */
function isDamaged(folder: string, empty: () => State): boolean {
  try {
    readFolder(folder, empty)
    return false
  } catch (error) {
    if (error instanceof NewerFormat) throw error
    return true
  }
}

/**
 * Copies every file of a state folder to a folder beside it, completely or not at all; the copy is durable when this
 * returns. Links are not followed: a state has none. Returns its path.
 */
function backUp(folder: string, now: number): string {
  const stamp = new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  const backup = `${folder}.backup-${stamp}`
  if (existsSync(backup)) throw new Error(`${backup} exists`)
  const beside = `${backup}.${process.pid}${unfinishedSuffix}`
  cpSync(folder, beside, {
    recursive: true,
    filter: (path) =>
      basename(path) !== lockFileName && (lstatSync(path).isFile() || lstatSync(path).isDirectory()),
  })
  for (const entry of readdirSync(beside, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) syncFile(openState(path, 'append'))
    else syncFolder(path)
  }
  syncFolder(beside)
  renameSync(beside, backup)
  syncFolder(join(folder, '..'))
  return backup
}

/** Keeps every sound line of the snapshot, and the lines of the journal before the first that does not fit. */
function repairFolder(folder: string, empty: () => State): readonly LeftOut[] {
  const state = empty()
  const leftOut: LeftOut[] = []
  const path = join(folder, stateFileName)
  const facts = isThere(path, leftOut) ? takeStateFile(path, state, noting(path, leftOut))?.facts : undefined
  const [newest] = journalsIn(folder).sort((one, other) => journalNumber(other) - journalNumber(one))
  const journal = facts?.journal?.name ?? newest
  const settings = journal === undefined ? null : takeJournal(join(folder, journal), state, leftOut)
  for (const { transactions } of state.ledgers.values())
    for (const transaction of transactions) {
      // The line with the order may be lost.
      state.journalOrder.latest = Math.max(state.journalOrder.latest, lastJournalOrderOf(transaction))
      state.journalOrder.setBack = Math.max(state.journalOrder.setBack, transaction.setBack ?? 0)
    }
  writeFolder(folder, state, settings ?? (facts === undefined ? noSettings() : settingsOf(facts)))
  return leftOut
}

function isThere(path: string, leftOut: LeftOut[]): boolean {
  if (existsSync(path)) return true
  leftOut.push({ file: path, lines: null, why: 'it is missing', transactionIds: [] })
  return false
}

function takeJournal(path: string, state: State, leftOut: LeftOut[]): Settings | null {
  if (!isThere(path, leftOut)) return null
  const reader = new JournalReader(path, state)
  const note = noting(path, leftOut)
  let first: Error | undefined
  for (const found of objectsOf<JournalLine>(path))
    try {
      if (first !== undefined) throw first
      const value = soundValue(path, found)
      const damaged = damagedAt(path, found)
      if (found.line === 1) requireFormat(path, value, damaged)
      else reader.take(value, damaged)
    } catch (error) {
      first = error as Error
      note(first, found)
    }
  return reader.settings
}

/** Notes lines that are left out; consecutive lines are one entry. */
const noting =
  (file: string, leftOut: LeftOut[]) =>
  (error: Error, { value, line }: FoundObject<object>): void => {
    const why = error instanceof DamagedLine ? error.why : error.message
    const last = leftOut.at(-1)
    const goesOn = last?.file === file && last.lines?.[1] === line - 1
    const { lines, transactionIds } = (goesOn ? leftOut.pop() : undefined) ?? {
      lines: [line, line],
      transactionIds: [],
    }
    leftOut.push({
      file,
      lines: [lines?.[0] ?? line, line],
      why: goesOn ? last.why : why,
      transactionIds: [...transactionIds, ...idsIn(value)],
    })
  }

/** Ids of the transactions that a line opens or contains. */
function idsIn(value: object = {}): string[] {
  if ('transaction' in value) return [(value.transaction as { readonly id: string }).id]
  const { events = [] } = value as Partial<JournalEntry>
  return events.flatMap((event) => (event.type === 'opened' ? [event.id] : []))
}

/** Removes small files and checkpoints that cannot be read: the copy has them. */
function dropUnreadable(folder: string, empty: () => State): LeftOut[] {
  const small = Object.entries(smallFiles).map(
    ([name, { read }]) => [join(folder, name), () => read(folder)] as const,
  )
  const checkpoints = checkpointsIn(folder).map((path) => [path, () => readCheckpoint(path, empty)] as const)
  return [...small, ...checkpoints].flatMap(([path, read]) => {
    try {
      read()
      return []
    } catch (error) {
      rmSync(path, { force: true, recursive: true })
      return [{ file: path, lines: null, why: (error as Error).message, transactionIds: [] }]
    }
  })
}
