import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { onTestFinished } from 'vitest'
import { checkAtDoor } from '../../../src/sandbox/http/origin.ts'
import type { SandboxOptions } from '../../../src/server/sandbox/options.ts'
import { openSandbox } from '../../../src/server/sandbox/sandbox.ts'
import { appOf } from '../service/app.ts'
import { apiKey, temporaryFolder } from '../service/service.ts'
import { dashboardAt } from './dashboard.ts'

/** Path below which the space of these tests is served. */
export const spacePath = '/s/ci-1'

/** A space of a server, and its pages. */
export type SpaceDashboard = Awaited<ReturnType<typeof openSpaceDashboard>>

/** Opens a sandbox behind a server that takes its base path off every target; it is closed after the test. */
export async function openSpaceDashboard(given: Partial<SandboxOptions> = {}) {
  /** Targets of requests that went elsewhere on the server: no page of the space leads there. */
  const strays: string[] = []
  const sandbox = await openSandbox({ state: temporaryFolder(), basePath: spacePath, ...given })
  const { basePath } = sandbox.options
  const handle = getRequestListener(appOf(sandbox).fetch)
  const server = createServer((incoming, outgoing) => {
    checkAtDoor(incoming, '127.0.0.1')
    const target = incoming.url ?? ''
    if (!target.startsWith(`${basePath}/`)) {
      strays.push(target)
      outgoing.writeHead(404).end()
      return
    }
    incoming.url = target.slice(basePath.length)
    handle(incoming, outgoing)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  sandbox.listening.port = port
  onTestFinished(async () => {
    sandbox.stopping = true
    for (const stream of sandbox.streams) stream.abort()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await sandbox.close()
  })
  const origin = `http://127.0.0.1:${port}`
  return { ...dashboardAt({ url: `${origin}${basePath}`, apiKey }, sandbox), origin, strays }
}
