import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from '../../bin/bundle.js'

/**
 * Before all tests: dist/ is bundled from the sources as they are, so no test meets an old build, and the binaries that
 * tests start share their compiled code. Returns what removes that code.
 */
export async function setup(): Promise<() => void> {
  await bundle()
  const folder = mkdtempSync(join(tmpdir(), 'tillbox-compiled-'))
  process.env.TILLBOX_TEST_CACHE = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
