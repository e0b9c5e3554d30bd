import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { auditFileNames } from '../../access/audit-log.ts'
import { readTokens, tokensFileName } from '../../access/file-tokens.ts'
import { lockFileName, type StateFile, type StateVerdict } from '../../contract/sandbox/state-folder.ts'
import { createState, type State } from '../../domain/state.ts'
import { pathsIn } from '../../files/files.ts'
import { builtIn } from '../../fixtures.ts'
import { isObject } from '../../is-object.ts'
import { readOr } from '../../read-or.ts'
import { decodeText } from '../../text/decode-text.ts'
import { withoutPassword } from '../../text/http-url.ts'
import { readHolder } from '../lock.ts'
import { folderSecretFileName, readFolderSecret, readSpaces, spacesFileName } from '../space-list.ts'
import { attemptsFileName } from './attempt-log.ts'
import { journalNumber } from './journal.ts'
import { decodeLine, type FileLine, readElements, readFileLines } from './lines.ts'
import { snapshotsFolder } from './snapshot-folder.ts'
import { readSnapshot } from './state-file.ts'
import { readFolder, stateFileName, whoElseMayWrite } from './state-folder.ts'

const smallFiles: Readonly<Record<string, (folder: string) => unknown>> = {
  [spacesFileName]: readSpaces,
  [folderSecretFileName]: readFolderSecret,
  [tokensFileName]: readTokens,
}

/** Logs of JSON lines without a checksum, each with an old one: a start needs none of them. */
const logs: Readonly<Record<string, string>> = {
  [attemptsFileName]: 'attempts to deliver webhooks',
  ...Object.fromEntries(Object.values(auditFileNames).map((name) => [name, 'audit log'])),
}

/** What each file is for. */
const uses: ReadonlyMap<string, string> = new Map(
  Object.entries({
    [stateFileName]: 'state file',
    [snapshotsFolder]: 'snapshots',
    [spacesFileName]: 'spaces',
    [folderSecretFileName]: 'secret that keys are derived from',
    [tokensFileName]: 'hashes of tokens',
    spaces: 'spaces',
    [lockFileName]: 'lock',
    ...logs,
    'sandbox.log': 'log of a sandbox in the background',
    'tls-cert.pem': 'certificate',
    'tls-key.pem': 'key of the certificate',
  }),
)

/** Most attempts to read everything: a running sandbox may replace files meanwhile. */
const mostTries = 5

/** Reads everything in a state folder, its snapshots and spaces, and reports what is damaged. Nothing is changed. Errors: an Error for files of another user. */
export async function verifyState(folder: string): Promise<StateVerdict> {
  for (let tries = 1; ; tries++) {
    const before = readdirSync(folder).join()
    const verdict = await look(folder)
    if (verdict.sound || tries === mostTries || before === readdirSync(folder).join()) return verdict
  }
}

/** The small files and snapshots of a state folder. Errors of `read`: DamagedFile and others that name the file. */
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
  const read = attempt(() => readFolder(folder, empty))
  for (const each of attempt(() => fileReaders(folder, empty)) ?? [])
    await Promise.resolve().then(each.read).catch(note)
  const holder = attempt(() => readHolder(folder))
  const spaces = await Promise.all((attempt(() => spacesIn(folder)) ?? []).map(look))
  const ledgers = [...(read?.stored.state.ledgers.values() ?? [])]
  return {
    folder,
    sound: problems.length === 0 && spaces.every(({ sound }) => sound),
    database: holder?.start?.store === undefined ? null : withoutPassword(String(holder.start.store)),
    holder: holder == null ? null : { pid: holder.pid, url: holder.url ?? null },
    merchants: ledgers.filter(({ sequence }) => sequence > 0).length,
    transactions: ledgers.reduce((sum, { transactions }) => sum + transactions.size, 0),
    files: readdirSync(folder)
      .sort()
      .flatMap((name) => attempt(() => describeFile(folder, name, read?.stored.journal?.name)) ?? []),
    problems: [...problems, ...spaces.flatMap((space) => space.problems)],
    warnings: [
      whoElseMayWrite(folder),
      read?.end?.unfinished,
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
      let count = 0
      let first: FileLine | undefined
      for (const found of readFileLines(path))
        if (found.isEnded && !isJson(found.bytes)) {
          count += 1
          first ??= found
        }
      return first === undefined
        ? []
        : [`${path} is damaged at line ${first.line} (byte ${first.offset}); ${count} unreadable in all`]
    })

const isJson = (bytes: Buffer): boolean => readOr(false, () => isObject(JSON.parse(decodeText(bytes))))

/** A file of the folder, with the numbers of its lines if it is one of the state. `journal`: the one that state.json names. */
function describeFile(folder: string, name: string, journal: string | undefined): StateFile {
  const path = join(folder, name)
  const found = lstatSync(path)
  const isJournal = journalNumber(name) > 0
  const isState = isJournal || name === stateFileName
  return {
    name,
    bytes: found.size,
    use: isJournal ? 'journal' : (uses.get(name.replace(/\.old$/, '')) ?? 'not a file of tillbox'),
    named: isState ? !isJournal || name === journal : null,
    ...(isState && found.isFile() && countLines(path, isJournal)),
  }
}

function countLines(path: string, isJournal: boolean): { lines: number; damagedLines: number } {
  let [lines, damagedLines] = [0, 0]
  for (const { bytes } of isJournal ? readFileLines(path) : readElements(path))
    if (decodeLine(bytes) === undefined) damagedLines += 1
    else lines += 1
  return { lines, damagedLines }
}
