import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Folder of this project. */
export const projectRoot = resolve(import.meta.dirname, '../..')

/** Text of a file of this project. */
export const readProjectFile = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')

/** Paths of the files of a folder of this project whose names match, within that folder. */
export const projectFiles = (folder: string, pattern: RegExp): string[] =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    pattern.test(name),
  )
