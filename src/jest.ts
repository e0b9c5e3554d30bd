import type { TestSandboxOptions } from './library/sandbox-options.ts'
import type { TestSandbox } from './library/test-sandbox.ts'
import { type Hooks, useSandbox as useWith } from './library/use-sandbox.ts'

export * from './index.ts'

/** A sandbox for the tests of the file, as new before each of them. Call it at the top of the file or of a `describe`. */
export const useSandbox = (options?: TestSandboxOptions): TestSandbox =>
  useWith(globalThis as unknown as Hooks, options)
