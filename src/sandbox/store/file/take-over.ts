import { rmSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { lockFileName, type StateRepair } from '../../../contract/control/state-folder.ts'
import { builtIn, type Catalogue } from '../../../domain/fixtures.ts'
import { noSettings, type Settings } from '../../../domain/settings.ts'
import { createState, type State } from '../../../domain/state.ts'
import { requireOwnPaths } from '../../../shared/files/state-ownership.ts'
import { newKey, newSecret } from '../../engine/directory.ts'
import { acquireLock } from '../lock.ts'
import { renewSpaces, spacesFileName } from '../space-list.ts'
import { journalNumber } from './journal.ts'
import { backUp, type FoundState, readSoundParts } from './repair.ts'
import { snapshotsFolder } from './snapshot-folder.ts'
import { factsFromSettings, readSnapshot, stateText } from './state-file.ts'
import { isNewFolder, stateFileName, writeFolder } from './state-folder.ts'
import { spacesIn, verifyState } from './verify.ts'

/**
 * Makes a state folder that others wrote this user's own, after a copy of it: payments and terminals stay;
 * secrets are new; tokens, certificates, logs, snapshots and pending deliveries are left out. `now`:
 * milliseconds. `catalogue`: of the sandbox that will use it. Errors: ELOOP for a link, LockedState,
 * NewerFormat; DamagedLine, DamagedFile for records that no sandbox wrote, and then only the copy was made;
 * an Error of the file system. assumption: state-ownership
 */
export async function takeOverState(
  folder: string,
  now: number,
  catalogue: Catalogue = builtIn,
): Promise<StateRepair> {
  requireOwnPaths(folder)
  const lock = acquireLock(folder)
  try {
    const empty = () => createState(catalogue)
    const states = [folder, ...spacesIn(folder)].filter((each) => !isNewFolder(each))
    const backup = backUp(folder, now)
    const own: (FoundState & { readonly folder: string })[] = []
    for (const each of states) own.push({ ...(await ownParts(each, empty, now)), folder: each })
    const removed = [folder, ...spacesIn(folder)].flatMap(filesToRemove)
    for (const path of removed) rmSync(path, { recursive: true, force: true })
    renewSpaces(folder)
    for (const { folder: each, state, settings } of own) await writeFolder(each, state, settings)
    const { merchants, transactions } = await verifyState(folder)
    const snapshots = removed
      .filter((path) => basename(path) === snapshotsFolder)
      .map((file) => ({ file, lines: null, why: 'only the copy has the snapshots', transactionIds: [] }))
    const leftOut = [...own.flatMap((each) => each.leftOut), ...snapshots].map((out) => ({
      ...out,
      file: relative(folder, out.file),
    }))
    return { folder, status: 'taken-over', backup, merchants, transactions, leftOut }
  } finally {
    lock.release()
  }
}

/** What stays of a state. Its records are checked as those of an import: anybody may have written them. */
async function ownParts(folder: string, empty: () => State, now: number): Promise<FoundState> {
  const { state, settings, leftOut } = readSoundParts(folder, empty)
  for (const { outbox } of state.ledgers.values())
    for (const delivery of outbox.deliveries.values()) delivery.nextAt = null
  const kept = ownSettings(settings, now)
  const time = new Date(now).toISOString()
  const transactions = [...state.ledgers.values()].reduce((sum, ledger) => sum + ledger.transactions.size, 0)
  const facts = { name: null, savedAt: time, sandboxTime: time, transactions, ...factsFromSettings(kept) }
  const text = [...stateText(state, facts)].map((piece) => Buffer.from(piece))
  const checked = await readSnapshot(join(folder, stateFileName), empty, text)
  return { state: checked.state, settings: kept, leftOut }
}

/** The clock, and the added applications with keys and secrets of their own. */
function ownSettings({ clock, applications }: Settings, now: number): Settings {
  const ids = applications.map(({ appId }) => appId)
  return {
    ...noSettings(),
    clock,
    applications,
    keys: Object.fromEntries(ids.map((id) => [id, [newKey(now)]])),
    secrets: Object.fromEntries(ids.map((id) => [id, { current: newSecret() }])),
  }
}

/** Everything that a sandbox keeps in a folder but its state, its spaces and its lock. */
function filesToRemove(folder: string): readonly string[] {
  const kept = new Set([stateFileName, spacesFileName, lockFileName, 'spaces'])
  return requireOwnPaths(folder)
    .map(([path]) => join(folder, relative(folder, path).split(/[/\\]/)[0] ?? ''))
    .filter((path, index, all) => all.indexOf(path) === index)
    .filter((path) => !kept.has(basename(path)) && journalNumber(basename(path)) === 0)
}
