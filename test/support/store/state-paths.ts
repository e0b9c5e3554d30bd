import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { journalNumber } from '../../../src/sandbox/store/file/journal.ts'
import { encodeLine } from '../../../src/sandbox/store/file/lines.ts'

/** The state file of a state folder. */
export const stateFileOf = (folder: string): string => join(folder, 'state.json')

/** Names of the journals of a state folder, the newest last. */
export const journalsOf = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => journalNumber(name) > 0)
    .sort((one, other) => journalNumber(one) - journalNumber(other))

/** The newest journal of a state folder. */
export const journalOf = (folder: string): string => join(folder, journalsOf(folder).at(-1) ?? '')

/** Changes one line of a file. */
export function rewriteLine(path: string, line: number, change: (text: string) => string): void {
  const lines = readFileSync(path, 'utf8').split('\n')
  lines[line - 1] = change(lines[line - 1] ?? '')
  writeFileSync(path, lines.join('\n'))
}

/** Changes the records of a state file, each as its text; their checksums are made anew. */
export function rewriteRecords(path: string, change: (record: string) => string): void {
  const records = JSON.parse(readFileSync(path, 'utf8')) as { crc?: string }[]
  const lines = records.map(({ crc: _, ...record }) =>
    encodeLine(JSON.parse(change(JSON.stringify(record))) as object),
  )
  writeFileSync(path, `[\n${lines.join(',\n')}\n]\n`)
}
