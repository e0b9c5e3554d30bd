import { randomUUID } from 'node:crypto'
import { lstatSync, rmdirSync, rmSync, type Stats, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { command } from '../text/commands.ts'
import { shellQuote } from '../text/shell-quote.ts'
import {
  makeRealFolder,
  openState,
  ownerOnly,
  pathsIn,
  refuseLink,
  syncFile,
  unfinishedSuffix,
} from './files.ts'
import { isTracked } from './git-index.ts'
import { MendableError } from './store-errors.ts'

/**
 * Whose a state folder is, decided once, before anything in it is read, sent or written. assumption:
 * state-ownership
 */

/** Folder of the spaces' folders in a state folder. */
const spacesFolder = 'spaces'

/** Names that a sandbox gives its files and folders, and what a crash leaves of them. */
const madeNames =
  /^((state|secret|spaces|tokens|lock)\.json|journal-\d+\.jsonl|(attempts|audit|audit-refused)\.jsonl(\.old)?|tls-(cert|key)\.pem|snapshots|spaces)(\..+\.new|\.evicting)?$|^sandbox\.log(\.old)?$/

/** A folder whose files others wrote, or could have written: nothing in it is trusted. */
export class ForeignState extends MendableError {
  override readonly name = 'ForeignState'
  constructor(
    readonly folder: string,
    /** True when Git tracks files of it: they come with the repository. */
    readonly isTracked: boolean,
    why: string,
  ) {
    super(
      `${folder} may be another's: ${why}`,
      waysOut(folder, isTracked, command(`${takeOver} --state`, folder)),
    )
  }
}

/** The command that makes a folder this user's. */
export const takeOver = 'sandbox repair --take-over'

/** What to do about another's folder; `takingOver`: the command for this folder. */
export const waysOut = (folder: string, isTracked: boolean, takingOver: string): string =>
  `Nothing was changed. Name another folder with --state; or take it over, with new secrets: ${takingOver}` +
  (isTracked ? `, and then ${untrack(folder)}` : '')

/** How Git stops tracking a folder. */
export const untrack = (folder: string): string => `git rm -r --cached ${shellQuote(folder)}`

/**
 * Makes sure that a state folder is this user's, and reaches nothing through a link; there may be none.
 * Errors: ForeignState; an Error with the code ELOOP for a link.
 */
export function requireOwnState(path: string, keepsModes = keepsModesIn): void {
  const folder = resolve(path)
  const files = requireOwnPaths(folder)
  const refuse = (why: string, isGit = false): never => {
    throw new ForeignState(folder, isGit, why)
  }
  if (isTracked(folder)) refuse('Git tracks files in it, so everybody who commits can write them', true)
  const open = files.find(([each, stats]) => isOpen(each, stats, othersOf(folder)))
  if (open !== undefined && keepsModes(folder))
    refuse(`other users can open ${open[0]}; a sandbox writes its files with the mode 0600`)
}

/** As `requireOwnState`, of links alone; returns what a sandbox keeps in the folder. */
export function requireOwnPaths(folder: string) {
  const files = [...stateFiles(folder)]
  for (const [path, stats] of files) refuseLink(path, stats)
  return files
}

/**
 * The permissions of other users that a file must not give. A folder that gives its group to its files
 * (setgid: a volume of Kubernetes with fsGroup) is open to that group by intention.
 */
function othersOf(folder: string): number {
  const { mode = 0 } = statSync(folder, { throwIfNoEntry: false }) ?? {}
  return (mode & 0o2020) === 0o2020 ? 0o006 : 0o066
}

const isOpen = (path: string, stats: Stats, others: number): boolean =>
  stats.isFile() && (stats.mode & others) !== 0 && !isLog(path)

/** Only people read it. */
const isLog = (path: string): boolean => basename(path).startsWith('sandbox.log')

/**
 * False on Windows, and on a file system that gives a file other modes than those asked for. A folder that
 * cannot be written to is judged by the modes that it shows.
 */
function keepsModesIn(folder: string): boolean {
  if (process.platform === 'win32') return false
  const probe = join(folder, `state.json.${randomUUID()}${unfinishedSuffix}`) // a crash may leave it behind
  try {
    syncFile(openState(probe, 'begin'))
    return (statSync(probe).mode & 0o777) === ownerOnly
  } catch (error) {
    return !['EPERM', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')
  } finally {
    rmSync(probe, { force: true })
  }
}

/** What a sandbox keeps in a folder, in its snapshots, and in the folders of its spaces. */
function* stateFiles(folder: string): Generator<readonly [path: string, stats: Stats]> {
  for (const path of pathsIn(folder)) {
    const name = basename(path)
    const stats = isMade(path) ? lstatSync(path, { throwIfNoEntry: false }) : undefined
    if (stats === undefined) continue // not ours, or gone meanwhile
    yield [path, stats]
    if (!stats.isDirectory()) continue
    for (const each of name === 'snapshots' || name === spacesFolder ? pathsIn(path) : []) {
      const found = lstatSync(each, { throwIfNoEntry: false })
      if (found === undefined) continue
      yield [each, found]
      if (name === spacesFolder && found.isDirectory()) yield* stateFiles(each)
    }
  }
}

/** The folder of a space in that of its server; there are no links on its way. Errors: ELOOP. */
export function realSpaceFolder(state: string, name: string): string {
  const above = join(state, spacesFolder)
  for (const folder of [above, join(above, name)]) makeRealFolder(folder)
  return join(above, name)
}

/**
 * Removes the folder of a space: what a sandbox made in it, never through a link. Returns the folder when it
 * stays, because it has something else. Errors: ELOOP; an Error of the file system.
 */
export function removeSpaceFolder(state: string, name: string): string | undefined {
  const above = join(state, spacesFolder)
  const folder = join(above, name)
  const paths = pathsIn(above).includes(folder) ? pathsIn(folder) : undefined
  if (paths === undefined) return undefined
  const [made, others] = [paths.filter(isMade), paths.filter((path) => !isMade(path))]
  for (const path of made) rmSync(path, { recursive: true, force: true }) // of a link, the link
  if (others.length > 0) return folder
  rmdirSync(folder)
  return undefined
}

const isMade = (path: string): boolean => madeNames.test(basename(path))
