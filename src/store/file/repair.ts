import { constants, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { lockFileName } from '../../contract/sandbox/state-folder/lock-file.ts'
import type { LeftOut, StateRepair } from '../../contract/sandbox/state-folder/state-verdict.ts'
import { lastJournalOrderOf } from '../../domain/model/timeline.ts'
import { noSettings, type Settings } from '../../domain/settings.ts'
import { countTransactions, createState, type JournalEntry, type State } from '../../domain/state.ts'
import { NewerFormat } from '../../files/checked-json.ts'
import { openState, syncFile, syncFolder, unfinishedSuffix } from '../../files/files.ts'
import { builtIn, type Catalogue } from '../../fixtures.ts'
import { acquireLock } from '../lock.ts'
import { journalsIn, readFolder, stateFileName, writeFolder } from './file-store.ts'
import { type JournalLine, journalNumber } from './journal.ts'
import { JournalReader } from './journal-reader.ts'
import { DamagedLine, decodeLine, elementsOf, linesOf, wrongChecksum } from './lines.ts'
import { type FormatLine, requireFormat, type SnapshotLine, SnapshotReader } from './snapshot.ts'
import { headOf, readCheckpoint, type StateFacts, settingsOf } from './state-file.ts'
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
    const folders = [folder, ...spacesIn(folder)].filter((each) => isDamaged(each, empty))
    const backup = backUp(folder, now)
    const leftOut = folders.flatMap((each) =>
      repairFolder(each, empty).map((out) => ({ ...out, file: relative(folder, join(each, out.file)) })),
    )
    for (const each of [folder, ...spacesIn(folder)]) leftOut.push(...dropUnreadable(folder, each, empty))
    const { state } = readFolder(folder, empty).stored
    const used = [...state.ledgers.values()].filter(({ sequence }) => sequence > 0)
    return {
      folder,
      status: 'repaired',
      backup,
      merchants: used.length,
      transactions: countTransactions(state),
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
  copyFiles(folder, beside)
  renameSync(beside, backup)
  syncFolder(join(folder, '..'))
  return backup
}

function copyFiles(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const copy = join(to, entry.name)
    if (entry.isDirectory()) copyFiles(join(from, entry.name), copy)
    if (!entry.isFile() || entry.name === lockFileName) continue
    copyFileSync(join(from, entry.name), copy, constants.COPYFILE_EXCL)
    syncFile(openState(copy, 'append'))
  }
  syncFolder(to)
}

/** Keeps every sound line of the snapshot, and the lines of the journal before the first that does not fit. */
function repairFolder(folder: string, empty: () => State): readonly LeftOut[] {
  const state = empty()
  const leftOut: LeftOut[] = []
  const facts = takeSnapshot(join(folder, stateFileName), state, leftOut)
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

/** The kinds of records that belong to the ledger before them. */
const owned = /^\{"(transaction|delivery|close|usedId)":/

function takeSnapshot(path: string, state: State, leftOut: LeftOut[]): StateFacts | undefined {
  if (!existsSync(path)) {
    leftOut.push({ file: stateFileName, lines: null, why: 'it is missing', transactionIds: [] })
    return undefined
  }
  const reader = new SnapshotReader(path, state)
  let facts: StateFacts | undefined
  for (const { value, text, line, offset } of elementsOf<SnapshotLine | FormatLine>(path)) {
    const damaged = (why: string) => new DamagedLine(path, line, offset, why)
    try {
      if (value === undefined) throw damaged(wrongChecksum)
      if ('format' in value) facts = headOf(path, value, damaged).facts
      reader.take(value, damaged)
    } catch (error) {
      reader.skip(owned.test(text.toString('latin1', 0, 16)))
      leaveOut(leftOut, path, line, error as Error, value)
    }
  }
  return facts
}

function takeJournal(path: string, state: State, leftOut: LeftOut[]): Settings | null {
  if (!existsSync(path)) {
    leftOut.push({ file: basename(path), lines: null, why: 'it is missing', transactionIds: [] })
    return null
  }
  const reader = new JournalReader(path, state)
  let first: Error | undefined
  for (const { bytes, line, offset } of linesOf(path)) {
    const damaged = (why: string) => new DamagedLine(path, line, offset, why)
    const value = decodeLine<JournalLine>(bytes)
    try {
      if (first !== undefined) throw first
      if (value === undefined) throw damaged(wrongChecksum)
      if (line === 1) requireFormat(path, value, damaged)
      else reader.take(value, damaged)
    } catch (error) {
      first = error as Error
      leaveOut(leftOut, path, line, first, value)
    }
  }
  return reader.settings
}

/** Notes a line that is left out; consecutive lines are one entry. */
function leaveOut(leftOut: LeftOut[], path: string, line: number, error: Error, value: object | undefined) {
  const file = basename(path)
  const why = error instanceof DamagedLine ? error.why : error.message
  const ids = idsIn(value)
  const last = leftOut.at(-1)
  if (last?.file === file && last.lines?.[1] === line - 1)
    leftOut[leftOut.length - 1] = {
      ...last,
      lines: [last.lines[0], line],
      transactionIds: [...last.transactionIds, ...ids],
    }
  else leftOut.push({ file, lines: [line, line], why, transactionIds: ids })
}

/** Ids of the transactions that a line opens or contains. */
function idsIn(value: object = {}): string[] {
  if ('transaction' in value) return [(value.transaction as { readonly id: string }).id]
  const { events = [] } = value as Partial<JournalEntry>
  return events.flatMap((event) => (event.type === 'opened' ? [event.id] : []))
}

/** Removes small files and checkpoints that cannot be read: the copy has them. */
function dropUnreadable(root: string, folder: string, empty: () => State): LeftOut[] {
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
      return [{ file: relative(root, path), lines: null, why: (error as Error).message, transactionIds: [] }]
    }
  })
}
