import { createTestSandbox } from '../library/create-sandbox.ts'
import { checkSeed, type TestSandboxOptions } from '../library/sandbox-options.ts'
import type { TestSandbox } from '../library/test-sandbox.ts'
import { seedFrom } from './seed.ts'

/**
 * Starts a sandbox in this process, on a free port unless one is named. Without `state` it lives in a temporary folder that
 * `close` removes. Errors: InvalidOption, TokenNeeded, FixturesError, SeedError, LockedState, PortTaken; an Error of the
 * file system.
 */
export async function createSandbox({ seed, ...options }: TestSandboxOptions = {}): Promise<TestSandbox> {
  return createTestSandbox(options, seed === undefined ? undefined : seedFrom(checkSeed(seed)))
}
