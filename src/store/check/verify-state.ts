import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { auditFileNames } from '../../access/audit-log.ts'
import type { StateFile, StateVerdict } from '../../contract/sandbox/state-folder/state-verdict.ts'
import { createState } from '../../domain/state.ts'
import { builtIn } from '../../fixtures.ts'
import { withoutPassword } from '../../text/without-password.ts'
import { checkpointsFolder } from '../checkpoint/checkpoint-folder.ts'
import { whoElseMayWrite } from '../file/folder-access.ts'
import { filesWithoutManifest } from '../file/format/earlier-format.ts'
import { isStateFile, type Manifest, manifestName, namesIn, readManifest } from '../file/format/manifest.ts'
import { everyLine } from '../file/format/state-lines.ts'
import { StoredState, unfinishedText } from '../file/stored-state.ts'
import { readHolder } from '../lock.ts'
import { smallFiles } from './small-files.ts'

/** Most attempts to read everything: a running sandbox may replace files meanwhile. */
const mostTries = 5

/** Reads everything in a state folder and reports its contents and errors. Nothing is changed. */
export async function verifyState(folder: string): Promise<StateVerdict> {
  for (let tries = 1; ; tries++) {
    const before = namesOf(folder)
    const verdict = await look(folder)
    if (verdict.problems.length === 0 || tries === mostTries || before === namesOf(folder)) return verdict
  }
}

const namesOf = (folder: string): string => readdirSync(folder).filter(isStateFile).sort().join()

async function look(folder: string): Promise<StateVerdict> {
  const problems: string[] = []
  const note = (error: Error) => {
    if (!problems.includes(error.message)) problems.push(error.message)
    return undefined
  }
  const manifest = attempt(() => readManifest(folder) ?? filesWithoutManifest(folder), note)
  const stored = manifest && new StoredState(folder, manifest, () => createState(builtIn))
  const state = await stored?.read().catch(note)
  for (const { read } of Object.values(smallFiles)) attempt(() => read(folder), note)
  const holder = attempt(() => readHolder(folder), note)
  const ledgers = [...(state?.ledgers.values() ?? [])]
  return {
    folder,
    sound: problems.length === 0,
    manifest: manifest === undefined || manifest.number === 0 ? null : manifestName(manifest.number),
    database: holder?.start?.store === undefined ? null : withoutPassword(String(holder.start.store)),
    holder: holder == null ? null : { pid: holder.pid, url: holder.url ?? null },
    merchants: ledgers.filter(({ sequence }) => sequence > 0).length,
    transactions: ledgers.reduce((sum, { transactions }) => sum + transactions.size, 0),
    files: filesIn(folder, manifest),
    problems,
    warnings: [whoElseMayWrite(folder), unfinishedIn(stored)].flatMap((warning) => warning ?? []),
  }
}

function attempt<T>(read: () => T, note: (error: Error) => undefined): T | undefined {
  try {
    return read()
  } catch (error) {
    return note(error as Error)
  }
}

/** The unfinished end of the open journal after a crash, which is not damage. */
const unfinishedIn = (stored: StoredState | undefined): string | undefined =>
  stored?.ending != null && stored.ending.unfinishedBytes > 0 ? unfinishedText(stored.ending) : undefined

/** Every file of the folder, with the number of sound lines of state files. */
function filesIn(folder: string, manifest: Manifest | undefined): StateFile[] {
  const named = new Set(manifest && [...namesIn(manifest), manifestName(manifest.number)])
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const path = join(folder, name)
      const { size } = lstatSync(path)
      const bytes = { name, bytes: size }
      if (!isStateFile(name))
        return {
          ...bytes,
          use: smallFiles[name]?.use ?? otherUses[name] ?? 'not a file of tillbox',
          named: null,
        }
      const [, use = 'journal'] = /^(manifest|snapshot)/.exec(name) ?? []
      return { ...bytes, use, named: named.has(name), ...(use !== 'manifest' && countLines(path)) }
    })
}

/** The purpose of the other files. */
const otherUses: Readonly<Record<string, string>> = {
  [checkpointsFolder]: 'checkpoints',
  'lock.json': 'lock',
  'attempts.jsonl': 'attempts to deliver webhooks',
  'attempts.jsonl.old': 'attempts to deliver webhooks',
  ...Object.fromEntries(
    Object.values(auditFileNames).flatMap((name) => [name, `${name}.old`].map((each) => [each, 'audit log'])),
  ),
  'sandbox.log': 'log of a sandbox in the background',
  'sandbox.log.old': 'log of a sandbox in the background',
  'listened.jsonl': 'attempts of tillbox listen',
  'listened.jsonl.old': 'attempts of tillbox listen',
  'tls-cert.pem': 'certificate',
  'tls-key.pem': 'key of the certificate',
}

/** The numbers of sound and of damaged lines. A link is not read. */
function countLines(path: string): { lines: number; damagedLines: number } {
  let [lines, damagedLines] = [0, 0]
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return { lines, damagedLines }
  for (const { value } of everyLine(path)) {
    if (value === undefined) damagedLines += 1
    else lines += 1
  }
  return { lines, damagedLines }
}
