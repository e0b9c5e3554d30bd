import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { StateVerdict } from '../../../contract/control/state-folder.ts'
import { builtIn } from '../../../domain/fixtures.ts'
import { createState, type State } from '../../../domain/state.ts'
import { pathsIn } from '../../../shared/files/files.ts'
import { ForeignState, requireOwnState } from '../../../shared/files/state-ownership.ts'
import { withoutPassword } from '../../../shared/text/http-url.ts'
import { readTokens, tokensFileName } from '../../access/file-tokens.ts'
import { readHolder } from '../lock.ts'
import { folderSecretFileName, readFolderSecret, readSpaces, spacesFileName } from '../space-list.ts'
import { snapshotsFolder } from './snapshot-folder.ts'
import { readSnapshot } from './state-file.ts'
import { readFolder, whoElseMayWrite } from './state-folder.ts'

const smallFiles: Readonly<Record<string, (folder: string) => unknown>> = {
  [spacesFileName]: readSpaces,
  [folderSecretFileName]: readFolderSecret,
  [tokensFileName]: readTokens,
}

/** Most attempts to read everything: a running sandbox may replace files meanwhile. */
const mostTries = 5

/** Reads all of a state folder, with snapshots and spaces, and reports what is damaged. Changes nothing. */
export async function verifyState(folder: string): Promise<StateVerdict> {
  for (let tries = 1; ; tries++) {
    const before = readdirSync(folder).join()
    const verdict = await look(folder)
    if (verdict.sound || tries === mostTries || before === readdirSync(folder).join()) return verdict
  }
}

/** The small files and snapshots of a state folder. Errors of `read`: DamagedFile and others. */
export const fileReaders = (folder: string, empty: () => State) => [
  ...Object.entries(smallFiles).map(([name, read]) => ({
    path: join(folder, name),
    read: () => read(folder),
  })),
  ...pathsIn(join(folder, snapshotsFolder))
    .filter((path) => path.endsWith('.json'))
    .map((path) => ({ path, read: () => readSnapshot(path, empty) })),
]

/** State folders of the spaces in a server's. */
export const spacesIn = (folder: string): string[] =>
  pathsIn(join(folder, 'spaces')).filter((path) => lstatSync(path).isDirectory())

async function look(folder: string): Promise<StateVerdict> {
  const empty = () => createState(builtIn) // what is stored has its own merchants and terminals
  const problems: string[] = []
  const note = (error: NodeJS.ErrnoException): undefined => {
    if (error.code === 'EACCES' || error.code === 'EPERM') throw error // no damage, and nothing to repair
    if (!problems.includes(error.message)) problems.push(error.message)
  }
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read()
    } catch (error) {
      return note(error as Error)
    }
  }
  const read = await readFolder(folder, empty).catch(note)
  for (const each of attempt(() => fileReaders(folder, empty)) ?? [])
    await Promise.resolve().then(each.read).catch(note)
  const holder = attempt(() => readHolder(folder))
  const spaces = await Promise.all((attempt(() => spacesIn(folder)) ?? []).map(look))
  const ledgers = [...(read?.stored.state.ledgers.values() ?? [])]
  return {
    folder,
    sound: problems.length === 0 && spaces.every(({ sound }) => sound),
    incomplete: read?.end?.unfinished !== undefined || spaces.some(({ incomplete }) => incomplete),
    database: holder?.start?.store === undefined ? null : withoutPassword(String(holder.start.store)),
    holder: holder == null ? null : { pid: holder.pid, url: holder.url ?? null },
    merchants: ledgers.filter(({ sequence }) => sequence > 0).length,
    transactions: ledgers.reduce((sum, { transactions }) => sum + transactions.size, 0),
    problems: [...problems, ...spaces.flatMap((space) => space.problems)],
    warnings: [
      foreignWarning(folder),
      whoElseMayWrite(folder),
      read?.end?.unfinished,
      ...spaces.flatMap(({ warnings }) => warnings),
    ].filter((warning) => warning !== undefined),
  }
}

/** Why the folder counts as another's; undefined for one of this user. */
function foreignWarning(folder: string): string | undefined {
  try {
    requireOwnState(folder)
  } catch (error) {
    if (error instanceof ForeignState) return `no sandbox starts on it: ${error.message}`
    if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error // which is among the damage
  }
  return undefined
}
