import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Has something done at an end: of the test, as onTestFinished does, or of something longer. */
export type AtEnd = (end: () => Promise<void>) => void

/** A folder that is gone at the end, left out: of the test. */
export function scratchFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'tillbox-e2e-'))
  atEnd(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A working folder with these files, by their paths in it; gone after the test. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>, mode = 0o644): string {
  const cwd = scratchFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), text, { mode })
  }
  return cwd
}

/** A file of that name with this text, gone after the test. */
export const fileWith = (name: string, text: string): string => join(folderWith({ [name]: text }), name)
