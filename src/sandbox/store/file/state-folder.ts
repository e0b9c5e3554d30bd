import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Low } from 'lowdb'
import { noSettings, type Settings, sandboxTimeAt } from '../../../domain/settings.ts'
import { countTransactions, type State } from '../../../domain/state.ts'
import { DamagedFile } from '../../../shared/files/checked-json.ts'
import { syncFolder, unfinishedSuffix, writeBesideInTurns } from '../../../shared/files/files.ts'
import { wallTime } from '../../../shared/timers.ts'
import { Journal, type JournalName, journalNamed, journalNumber } from './journal.ts'
import { type JournalEnd, journalLines, readJournal, soundIn } from './journal-reader.ts'
import { readFileLines } from './lines.ts'
import {
  factsFromSettings,
  readHead,
  readStateFile,
  settingsFrom,
  settingsFromFacts,
  stateText,
} from './state-file.ts'

/** A state folder at rest: state.json, and the journal that it names. */

/** Name of the state file in a state folder. */
export const stateFileName = 'state.json'

/** What a state folder holds. */
export interface StoredState {
  readonly state: State
  readonly settings: Settings
  /** The journal that follows; null in a new folder. */
  readonly journal: JournalName | null
}

interface StateFolder {
  readonly folder: string
  readonly empty: () => State
  /** Wall clock; by default that of this machine. */
  readonly wall?: () => number
}

interface ReplaceHooks {
  /**
   * Called when the new state.json is written, to put it in the place of the old one by `replace`, which
   * takes one turn.
   */
  readonly swap: (replace: () => void) => Promise<void>
  /** Reports an error that does not affect the stored state. */
  readonly report: (message: string) => void
}

const ignore = () => {}

/** state.json of a folder as a database of lowdb, with an empty state. */
export function stateFile(
  { folder, empty, wall = wallTime }: StateFolder,
  hooks: ReplaceHooks = { swap: async (replace) => replace(), report: ignore },
): Low<StoredState> {
  const path = join(folder, stateFileName)
  const write = ({ state, settings, journal }: StoredState): Promise<void> => {
    const now = wall()
    const facts = {
      name: null,
      savedAt: new Date(now).toISOString(),
      sandboxTime: new Date(sandboxTimeAt(settings.clock, now)).toISOString(),
      transactions: countTransactions(state),
      ...factsFromSettings(settings),
      ...(journal && { journal }),
    }
    return replaceState(path, stateText(state, facts), hooks)
  }
  const read = async () => readStored(path, empty)
  return new Low({ read, write }, { state: empty(), settings: noSettings(), journal: null })
}

/** What state.json holds; null where there is none. */
function readStored(path: string, empty: () => State): StoredState | null {
  if (!existsSync(path)) return null
  const state = empty()
  const facts = readStateFile(path, state)?.facts
  if (facts?.journal === undefined) throw new DamagedFile(path, 'it names no journal: it is an export')
  return { state, settings: settingsFromFacts(facts), journal: facts.journal }
}

/** A file was replaced, and its folder is perhaps not durable: after a power loss it is either one. */
export class UncertainFile extends Error {
  override readonly name = 'UncertainFile'
  /** `putBack` brings the old file back, durably; as long as that fails, the new one may be there. */
  constructor(
    path: string,
    cause: Error,
    readonly putBack: () => void,
  ) {
    super(`${path} could not be replaced, because its folder could not be written: ${cause.message}`, {
      cause,
    })
  }
}

/**
 * Replaces state.json, durably, in as many turns of the event loop as it takes. Errors: UncertainFile when it
 * was replaced, but maybe not durably; those of `swap`, another Error of the file system: the old one stays.
 */
async function replaceState(
  path: string,
  text: Iterable<string>,
  { swap, report }: ReplaceHooks,
): Promise<void> {
  const beside = await writeBesideInTurns(path, text)
  const before = `${beside}.before${unfinishedSuffix}`
  try {
    await swap(() => moveDurably(beside, path, before))
  } catch (error) {
    if (!(error instanceof UncertainFile)) for (const each of [beside, before]) rmSync(each, { force: true })
    throw error
  }
  removeUnneeded(before, report)
}

/** Moves a file to `path`; the old one is then at `before` as well. */
function moveDurably(beside: string, path: string, before: string): void {
  const isThere = existsSync(path)
  if (isThere) linkSync(path, before)
  renameSync(beside, path)
  const folder = join(path, '..')
  try {
    syncFolder(folder)
  } catch (error) {
    let isBack = !isThere
    throw new UncertainFile(path, error as Error, () => {
      if (!isBack) renameSync(before, path)
      isBack = true
      syncFolder(folder)
    })
  }
}

/** Removes a file that state.json no longer needs; where that fails, the next start does it. */
function removeUnneeded(path: string, report: (message: string) => void): void {
  try {
    rmSync(path, { force: true })
  } catch (error) {
    report((error as Error).message)
  }
}

/**
 * Reads a state folder; changes nothing. `bytes`: the durable ones of the journal, if known. Errors:
 * DamagedLine, DamagedFile, NewerFormat; an Error of the file system.
 */
export async function readFolder(
  folder: string,
  empty: () => State,
  bytes?: number,
): Promise<{ readonly stored: StoredState; readonly end: JournalEnd | null }> {
  const file = stateFile({ folder, empty })
  await file.read()
  const { state, settings, journal } = file.data
  if (journal === null) {
    refuseWithoutState(folder)
    return { stored: file.data, end: null }
  }
  const end = readJournal(join(folder, journal.name), journal, state, bytes)
  return { stored: { state, settings: end.settings ?? settings, journal }, end }
}

/** Makes this the state of a folder that nobody else uses. */
export async function writeFolder(folder: string, state: State, settings: Settings): Promise<void> {
  const hooks = { confirm: ignore, failed: ignore, report: ignore }
  const journal = new Journal(folder, journalNamed(nextNumber(folder)), hooks)
  journal.close()
  const file = stateFile({ folder, empty: () => state })
  file.data = { state, settings, journal: journal.named }
  await file.write()
  removeOthers(folder, journal.named)
}

/** Names of the journals in a folder, the newest first. */
export const journalsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => journalNumber(name) > 0)
    .sort((one, other) => journalNumber(other) - journalNumber(one))

/** Greater than the number of every journal in a folder. */
export const nextNumber = (folder: string): number => journalNumber(journalsIn(folder)[0] ?? '') + 1

/** Errors: DamagedFile for journals without state.json; a first start that crashed leaves an empty one. */
function refuseWithoutState(folder: string): void {
  const hasLines = (name: string) => [...readFileLines(join(folder, name))].length > 1
  const name = journalsIn(folder).find((each) => journalNumber(each) > 1 || hasLines(each))
  if (name !== undefined)
    throw new DamagedFile(join(folder, stateFileName), `it is missing, and ${name} follows it`)
}

/** Removes what a crash left behind: the folder is ours, and state.json names its journal. */
export function removeOthers(folder: string, { name }: JournalName): void {
  for (const each of readdirSync(folder))
    if (
      journalNumber(each) > 0
        ? each !== name
        : /^(state|secret|spaces|tokens|journal-\d+)\.jsonl?\..*\.new$/.test(each)
    )
      rmSync(join(folder, each), { force: true })
}

/** True for a folder without a state. */
export const isNewFolder = (folder: string): boolean =>
  !existsSync(folder) || (!existsSync(join(folder, stateFileName)) && journalsIn(folder).length === 0)

/**
 * The settings of a state folder, without the state; null without one. Errors: DamagedLine, DamagedFile,
 * NewerFormat; an Error of the file system.
 */
export function readSettings(folder: string): Settings | null {
  const path = join(folder, stateFileName)
  if (!existsSync(path)) return null
  const { facts } = readHead(path)
  let settings = settingsFromFacts(facts)
  for (const line of journalLines(join(folder, facts.journal?.name ?? ''))) {
    const value = soundIn(line)
    if (value === undefined) break // damaged, or left by a crash: a start of the sandbox says which
    if ('settings' in value) settings = settingsFrom(line.path, value.settings)
  }
  return settings
}

/** Permissions of other users in the mode of a folder. */
const [group, others, sticky] = [0o020, 0o002, 0o1000]

/**
 * The access that a folder's mode gives to other users, as a sentence; undefined for none. Windows has no
 * such modes.
 */
export function whoElseMayWrite(folder: string): string | undefined {
  const { mode } = statSync(folder)
  if (process.platform === 'win32' || (mode & (group | others)) === 0) return undefined
  const who = mode & others ? 'every user of this machine' : 'the group that owns it'
  return `${folder} may be written to by ${who}; make it yours alone: chmod 700 ${folder}`
}

/** Errors: OpenToAll for a folder where every user may replace every file. */
export function refuseOpenFolder(folder: string): void {
  const { mode } = statSync(folder)
  if (process.platform !== 'win32' && mode & others && !(mode & sticky)) throw new OpenToAll(folder)
}

/** Every user of the machine may remove and replace the files of the state folder. */
class OpenToAll extends Error {
  override readonly name = 'OpenToAll'
  constructor(readonly folder: string) {
    super(`Every user of this machine may replace the files in ${folder}`)
  }
}
