import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Paths of the files of a folder, and of the folders in it. */
const pathsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

/** The bytes of each file of a folder, in base64. */
export const folderContents = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(pathsIn(folder).map((name) => [name, readFileSync(join(folder, name), 'base64')]))

/** What the files of a folder hold, one after the other, each byte a character. */
export const folderText = (folder: string): string =>
  pathsIn(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n')
