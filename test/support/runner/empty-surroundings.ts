import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder without files, for the time of all tests. */
    readonly emptyFolder: string
  }
}

/** Makes the folder in which tests run, and returns what removes it. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tillbox-empty-'))
  project.provide('emptyFolder', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
