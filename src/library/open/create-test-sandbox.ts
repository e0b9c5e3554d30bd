import { readFileSync } from 'node:fs'
import {
  isEphemeralFolder,
  makeEphemeralFolder,
  removeAtEnd,
  removeEphemeralFolder,
} from '../../files/ephemeral.ts'
import type { SeedSource } from '../../sandbox/seed-at-start.ts'
import { type ServerOptions, startSandbox } from '../../server/server.ts'
import { checkOptions, type TestSandboxOptions } from '../sandbox-options.ts'
import type { TestSandbox } from '../test-sandbox.ts'
import { asTestSandbox } from './connect-sandbox.ts'

/** As `createSandbox` of src/seed, which reads seeds: this folder may not import that code. */
export async function createTestSandbox(
  given: Omit<TestSandboxOptions, 'seed'> = {},
  seed?: SeedSource,
): Promise<TestSandbox> {
  const { state, clock = 'wall', ...options } = checkOptions(given)
  const isTemporary = state === undefined || state === 'temp'
  const folder = isTemporary ? makeEphemeralFolder() : state
  const forget = isTemporary ? removeAtEnd(folder) : () => undefined
  const removeFolder = () => {
    forget()
    if (isTemporary && isEphemeralFolder(folder)) removeEphemeralFolder(folder)
  }
  try {
    return await start({ ...options, state: folder, ...(seed && { seed }) }, clock, removeFolder)
  } catch (error) {
    removeFolder()
    throw error
  }
}

/** Checkpoint with the state that a seed made: a reset of everything restores it. */
const seedCheckpoint = 'tillbox-seed'

async function start(
  options: ServerOptions,
  clock: 'wall' | 'frozen',
  removeFolder: () => void,
): Promise<TestSandbox> {
  const { connection, certificate, isSeeded, close } = await startSandbox(options)
  const freeze = async (sandbox: Pick<TestSandbox, 'clock'>) => {
    if (clock === 'frozen') await sandbox.clock.freeze()
  }
  const where = {
    baseUrl: connection.url,
    ...(options.token != null && { token: options.token }),
    ...(certificate !== null && { ca: readFileSync(certificate, 'utf8') }),
  }
  try {
    const sandbox = await asTestSandbox(where, {
      prepare: async (sandbox) => {
        await freeze(sandbox)
        if (isSeeded) await sandbox.restore(seedCheckpoint)
      },
      ...(certificate !== null && { certificate }),
      close: async () => {
        await close()
        removeFolder()
      },
    })
    await freeze(sandbox)
    if (isSeeded) await sandbox.checkpoint(seedCheckpoint)
    return sandbox
  } catch (error) {
    await close()
    throw error
  }
}
