import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Folder of this project. */
export const projectRoot = resolve(import.meta.dirname, '../..')

/** Text of a file of this project. */
export const readProjectFile = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')
