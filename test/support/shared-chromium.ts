import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { findChromium } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of all tests listens; null: this machine has none. */
    readonly browserEndpoint: string | null
  }
}

/** Starts one browser for all files that need one. Returns what ends it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = findChromium()
  const home = mkdtempSync(join(tmpdir(), 'tillbox-browser-'))
  const server =
    executablePath === undefined
      ? null
      : await chromium.launchServer({
          executablePath,
          host: '127.0.0.1',
          chromiumSandbox: process.getuid?.() !== 0, // as root it cannot
          args: [
            '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', // no page leaves this machine
            '--renderer-process-limit=1', // of a context: starting a process takes longer than many a page
            '--disable-site-isolation-trials', // or every origin has a process of its own
            '--force-gpu-mem-available-mb=0', // pages are laid out but not painted: no test looks at pixels
            '--disable-gpu', // nobody looks, and a machine without one draws faster so
          ],
          env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
        })
  project.provide('browserEndpoint', server?.wsEndpoint() ?? null)
  return async () => {
    await server?.close()
    rmSync(home, { recursive: true, force: true })
  }
}
