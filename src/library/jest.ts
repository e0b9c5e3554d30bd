import { type Hooks, type SuiteOptions, type TestSandbox, useSandbox as useWith } from './index.ts'

export * from './index.ts'

/**
 * A sandbox for the tests of the file, fresh before each of them. Call it at the top of the file or of a
 * `describe`. Jest's hooks are global.
 */
export const useSandbox = (options?: SuiteOptions): TestSandbox => useWith(hooks as Hooks, options)

const hooks: object = globalThis
