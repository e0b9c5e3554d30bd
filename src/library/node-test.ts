import { after, before, beforeEach } from 'node:test'
import { type SuiteOptions, type TestSandbox, useSandbox as useWith } from './index.ts'

export * from './index.ts'

/**
 * A sandbox for the tests of the file, fresh before each of them. Call it at the top of the file or of a
 * `describe`. Put a `before` that uses it into a `describe`: at the top of a file, it does not wait for the
 * sandbox.
 */
export const useSandbox = (options?: SuiteOptions): TestSandbox =>
  useWith({ beforeAll: before, beforeEach, afterAll: after }, options)
