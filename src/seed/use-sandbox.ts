import type { TestSandboxOptions } from '../library/sandbox-options.ts'
import type { TestSandbox } from '../library/test-sandbox.ts'
import { createSandbox } from './create-sandbox.ts'

/** The hooks of a test runner. */
export interface Hooks {
  readonly beforeAll: (act: () => Promise<void>) => void
  readonly beforeEach: (act: () => Promise<void>) => void
  readonly afterAll: (act: () => Promise<void>) => void
}

/**
 * A sandbox for the tests of a file, as new before each of them; it is there while they run. Errors of its members before
 * the tests run: an Error that says so.
 */
export function useSandbox(hooks: Hooks, options?: TestSandboxOptions): TestSandbox {
  let sandbox: TestSandbox | undefined
  hooks.beforeAll(async () => {
    sandbox = await createSandbox(options)
  })
  hooks.beforeEach(async () => sandbox?.reset({ everything: true }))
  hooks.afterAll(async () => sandbox?.close())
  return new Proxy({} as TestSandbox, {
    get: (_, name) => {
      if (sandbox === undefined)
        throw new Error(
          'The sandbox has not started yet. Use it inside a test or a hook. ' +
            'With node:test, move your before into a describe: at the top of a file, it does not wait for the sandbox.',
        )
      return sandbox[name as keyof TestSandbox]
    },
  })
}
