import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { auditFileNames } from '../../access/audit-log.ts'
import { readTokens, tokensFileName } from '../../access/file-tokens.ts'
import type { StateFile, StateVerdict } from '../../contract/sandbox/state-folder.ts'
import { createState } from '../../domain/state.ts'
import { pathsIn } from '../../files/files.ts'
import { builtIn } from '../../fixtures.ts'
import { isObject } from '../../is-object.ts'
import { decodeText } from '../../text/decode-text.ts'
import { withoutPassword } from '../../text/http-url.ts'
import { readHolder } from '../lock.ts'
import { ownSecretFileName, readOwnSecret } from '../own-secret.ts'
import { readSpaces, spacesFileName } from '../space-list.ts'
import { checkpointsFolder } from './checkpoint-folder.ts'
import { whoElseMayWrite } from './folder-access.ts'
import { journalNumber } from './journal.ts'
import { unfinishedText } from './journal-reader.ts'
import { elementsOf, linesOf, objectsOf } from './lines.ts'
import { readCheckpoint } from './state-file.ts'
import { readFolder, stateFileName } from './state-folder.ts'

/** The small files of a state folder by name: what each is for, and how it is read. Errors of `read`: DamagedFile. */
export const smallFiles: Readonly<Record<string, { use: string; read: (folder: string) => unknown }>> = {
  [spacesFileName]: { use: 'spaces', read: readSpaces },
  [ownSecretFileName]: { use: 'secret that keys are derived from', read: readOwnSecret },
  [tokensFileName]: { use: 'hashes of tokens', read: readTokens },
}

/** Logs of JSON lines without a checksum, each with an old one: a start needs none of them. */
const logs: Readonly<Record<string, string>> = {
  'attempts.jsonl': 'attempts to deliver webhooks',
  ...Object.fromEntries(Object.values(auditFileNames).map((name) => [name, 'audit log'])),
}

/** The purpose of the other files. */
const otherUses: Readonly<Record<string, string>> = {
  [stateFileName]: 'snapshot',
  [checkpointsFolder]: 'checkpoints',
  spaces: 'spaces',
  'lock.json': 'lock',
  ...logs,
  'sandbox.log': 'log of a sandbox in the background',
  'tls-cert.pem': 'certificate',
  'tls-key.pem': 'key of the certificate',
}

/** Most attempts to read everything: a running sandbox may replace files meanwhile. */
const mostTries = 5

/** Reads everything in a state folder, its checkpoints and spaces, and reports what is damaged. Nothing is changed. */
export async function verifyState(folder: string): Promise<StateVerdict> {
  for (let tries = 1; ; tries++) {
    const before = readdirSync(folder).join()
    const verdict = look(folder)
    if (verdict.sound || tries === mostTries || before === readdirSync(folder).join()) return verdict
  }
}

const empty = () => createState(builtIn)

function look(folder: string): StateVerdict {
  const problems: string[] = []
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read()
    } catch (error) {
      const { message } = error as Error
      if (!problems.includes(message)) problems.push(message)
      return undefined
    }
  }
  const read = attempt(() => readFolder(folder, empty))
  for (const small of Object.values(smallFiles)) attempt(() => small.read(folder))
  for (const path of attempt(() => checkpointsIn(folder)) ?? []) attempt(() => readCheckpoint(path, empty))
  const holder = attempt(() => readHolder(folder))
  const spaces = (attempt(() => spacesIn(folder)) ?? []).map(look)
  const ledgers = [...(read?.stored.state.ledgers.values() ?? [])]
  const unfinished = read?.end != null && read.end.unfinishedBytes > 0 ? unfinishedText(read.end) : undefined
  return {
    folder,
    sound: problems.length === 0 && spaces.every(({ sound }) => sound),
    database: holder?.start?.store === undefined ? null : withoutPassword(String(holder.start.store)),
    holder: holder == null ? null : { pid: holder.pid, url: holder.url ?? null },
    merchants: ledgers.filter(({ sequence }) => sequence > 0).length,
    transactions: ledgers.reduce((sum, { transactions }) => sum + transactions.size, 0),
    files: filesIn(folder, read?.stored.journal?.name),
    problems: [...problems, ...spaces.flatMap((space) => space.problems)],
    warnings: [
      whoElseMayWrite(folder),
      unfinished,
      ...(attempt(() => damagedLogs(folder)) ?? []),
      ...spaces.flatMap(({ warnings }) => warnings),
    ].filter((warning) => warning !== undefined),
  }
}

/** A sentence for each log with lines that cannot be read; the last one may be cut off. */
const damagedLogs = (folder: string): string[] =>
  Object.keys(logs)
    .flatMap((name) => [join(folder, `${name}.old`), join(folder, name)])
    .filter((path) => existsSync(path))
    .flatMap((path) => {
      const lines = [...linesOf(path)].filter(({ ended, bytes }) => ended && !isJson(bytes))
      const [first] = lines
      return first === undefined
        ? []
        : [
            `${path} is damaged at line ${first.line} (byte ${first.offset}); ${lines.length} unreadable in all`,
          ]
    })

function isJson(bytes: Buffer): boolean {
  try {
    return isObject(JSON.parse(decodeText(bytes)))
  } catch {
    return false
  }
}

/** Paths of the checkpoints of a state folder. */
export const checkpointsIn = (folder: string): string[] =>
  pathsIn(join(folder, checkpointsFolder)).filter((path) => path.endsWith('.json'))

/** State folders of the spaces in a server's. */
export const spacesIn = (folder: string): string[] => pathsIn(join(folder, 'spaces'))

/** Every file of the folder, with the number of lines of state files. `journal`: the one that state.json names. */
const filesIn = (folder: string, journal: string | undefined): StateFile[] =>
  readdirSync(folder)
    .sort()
    .map((name) => {
      const path = join(folder, name)
      const bytes = lstatSync(path).size
      const isJournal = journalNumber(name) > 0
      const use = isJournal
        ? 'journal'
        : (smallFiles[name]?.use ?? otherUses[name.replace(/\.old$/, '')] ?? 'not a file of tillbox')
      const isState = isJournal || name === stateFileName
      return {
        name,
        bytes,
        use,
        named: isState ? !isJournal || name === journal : null,
        ...(isState && lstatSync(path).isFile() && countLines(path, isJournal)),
      }
    })

/** The numbers of sound and of damaged lines. */
function countLines(path: string, isJournal: boolean): { lines: number; damagedLines: number } {
  let [lines, damagedLines] = [0, 0]
  for (const { value } of isJournal ? objectsOf(path) : elementsOf(path))
    if (value === undefined) damagedLines += 1
    else lines += 1
  return { lines, damagedLines }
}
