import { readFileSync } from 'node:fs'
import { isEphemeralFolder, makeEphemeralFolder, removeEphemeralFolder } from '../files/ephemeral.ts'
import { type ServerOptions, startSandbox } from '../sandbox/server.ts'
import type { TestClock } from './clock.ts'
import { asTestSandbox } from './connect-sandbox.ts'
import { checkOptions, type TestSandboxOptions } from './sandbox-options.ts'
import type { TestSandbox } from './test-sandbox.ts'

/**
 * Starts a sandbox in this process, on a free port unless one is named. Without `state` it lives in a temporary folder that
 * `close` removes. Errors: InvalidOption, TokenNeeded, FixturesError, LockedState, PortTaken; an Error of the file system.
 */
export async function createSandbox(given: TestSandboxOptions = {}): Promise<TestSandbox> {
  const { state, clock = 'wall', ...options } = checkOptions(given)
  const isTemporary = state === undefined || state === 'temp'
  const folder = isTemporary ? makeEphemeralFolder() : state
  const removeFolder = () => {
    if (isTemporary && isEphemeralFolder(folder)) removeEphemeralFolder(folder)
  }
  try {
    return await start({ ...options, state: folder }, clock, removeFolder)
  } catch (error) {
    removeFolder()
    throw error
  }
}

async function start(
  options: ServerOptions,
  clock: 'wall' | 'frozen',
  removeFolder: () => void,
): Promise<TestSandbox> {
  const { connection, certificate, close } = await startSandbox(options)
  const prepare = async (sandbox: { readonly clock: TestClock }) => {
    if (clock === 'frozen') await sandbox.clock.freeze()
  }
  const where = {
    baseUrl: connection.url,
    ...(options.token != null && { token: options.token }),
    ...(certificate !== null && { ca: readFileSync(certificate, 'utf8') }),
  }
  try {
    const sandbox = await asTestSandbox(where, {
      prepare,
      ...(certificate !== null && { certificate }),
      close: async () => {
        await close()
        removeFolder()
      },
    })
    await prepare(sandbox)
    return sandbox
  } catch (error) {
    await close()
    throw error
  }
}
