import { createSpace, type SpaceOptions } from '../library/open/create-space.ts'
import { createTestSandbox } from '../library/open/create-test-sandbox.ts'
import { checkSeed, type TestSandboxOptions } from '../library/sandbox-options.ts'
import type { TestSandbox } from '../library/test-sandbox.ts'
import { seedFrom } from './seed.ts'

/** How a sandbox is made: in this process, or with `connect` as a space of a server that runs elsewhere. */
export interface CreateOptions extends TestSandboxOptions {
  /** The server; its options hold for the space, so that only `clock` can be given beside it. */
  readonly connect?: SpaceOptions | undefined
}

/**
 * Starts a sandbox in this process, on a free port unless one is named. Without `state` it lives in a temporary folder that
 * `close` removes. With `connect` it is a space of its own in a running server, which `close` removes.
 * Errors: InvalidOption, TokenNeeded, FixturesError, SeedError, LockedState, PortTaken; an Error of the file system; with
 * `connect` Unreachable, ForeignAnswer, ServiceRefusal.
 */
export async function createSandbox({ connect, seed, ...options }: CreateOptions = {}): Promise<TestSandbox> {
  if (connect !== undefined) return createSpace(connect, { ...options, ...(seed !== undefined && { seed }) })
  return createTestSandbox(options, seed === undefined ? undefined : seedFrom(checkSeed(seed)))
}
