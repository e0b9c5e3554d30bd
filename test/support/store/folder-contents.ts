import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The bytes of each file of a folder, in base64. */
export const folderContents = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'base64')]))

/** What the files of a folder hold, one after the other, each byte a character. */
export const folderText = (folder: string): string =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n')
