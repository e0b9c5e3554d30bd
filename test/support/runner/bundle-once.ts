import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { bundle } from '../../../bin/bundle.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** What each file of dist/ was made from: names in dist/, and paths in this folder. */
    readonly sourcesOfFiles: readonly (readonly [file: string, sources: readonly string[]])[]
  }
}

/**
 * Before all tests: dist/ is bundled from the sources as they are, so no test meets an old build, and the binaries that
 * tests start share their compiled code. Returns what removes that code.
 */
export async function setup(project: TestProject): Promise<() => void> {
  project.provide('sourcesOfFiles', [...(await bundle())])
  const folder = mkdtempSync(join(tmpdir(), 'tillbox-compiled-'))
  process.env.TILLBOX_TEST_CACHE = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
