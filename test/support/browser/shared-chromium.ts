import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserServer, chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { findChromium } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL that answers with the address of the browser of all tests; null: this machine has none. */
    readonly browserOrigin: string | null
  }
}

/** Lends one browser to all tests; whoever asks for it first starts it. Returns what ends it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = findChromium()
  if (executablePath === undefined) {
    project.provide('browserOrigin', null)
    return async () => undefined
  }
  let started: Promise<BrowserServer> | undefined
  const home = mkdtempSync(join(tmpdir(), 'tillbox-browser-'))
  const lender = createServer((_, response) => {
    started ??= launch(executablePath, home)
    started.then(
      (server) => response.end(server.wsEndpoint()),
      (error: Error) => response.writeHead(500).end(error.message),
    )
  })
  await once(lender.listen(0, '127.0.0.1'), 'listening')
  project.provide('browserOrigin', `http://127.0.0.1:${(lender.address() as AddressInfo).port}`)
  return async () => {
    lender.close()
    await (await started)?.close()
    rmSync(home, { recursive: true, force: true })
  }
}

const launch = (executablePath: string, home: string): Promise<BrowserServer> =>
  chromium.launchServer({
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
