import { InvalidOption } from '../testing/helpers/options.ts'
import type { TestSandbox } from '../testing/helpers/test-sandbox.ts'
import { connectAsNewMerchant } from './connect-sandbox.ts'
import { type CreateOptions, createSandbox } from './create-sandbox.ts'

/** The hooks of a test runner. */
export interface Hooks {
  readonly beforeAll: (act: () => Promise<void>) => void
  readonly beforeEach: (act: () => Promise<void>) => void
  readonly afterAll: (act: () => Promise<void>) => void
}

/** The sandbox that TILLBOX_BASE_URL names, which other tests use at the same time. */
export interface SharedSandbox {
  readonly connect: 'env'
}

/** A sandbox or a space of its own for each test file, with these options; or a sandbox that runs already. */
export type SuiteOptions = CreateOptions | SharedSandbox

/** Where the tests of a file have their sandbox from. */
export interface SandboxSource {
  /** False when tests at the same time would disturb each other. */
  readonly isShared: boolean
  /** The sandbox for the next test: as new, or with a new merchant where it is shared. */
  next(): Promise<TestSandbox>
  close(): Promise<void>
}

/** Opens what the tests of a file have their sandbox from. Errors: as `createSandbox` or `connectSandbox`. */
export async function openSandboxSource(options: SuiteOptions = {}): Promise<SandboxSource> {
  if (isShared(options)) return { isShared: true, next: connectAsNewMerchant, close: async () => undefined }
  const sandbox = await createSandbox(options)
  return {
    isShared: false,
    next: async () => {
      await sandbox.reset({ everything: true })
      return sandbox
    },
    close: () => sandbox.close(),
  }
}

function isShared(options: SuiteOptions): options is SharedSandbox {
  if (options.connect === undefined || typeof options.connect === 'object') return false
  const [other] = Object.keys(options).filter((name) => name !== 'connect')
  if (options.connect !== 'env')
    throw new InvalidOption(
      'connect',
      `must be env, or name a server by url; it is ${JSON.stringify(options.connect)}`,
    )
  if (other !== undefined)
    throw new InvalidOption(other, 'is for a new sandbox, and connect uses one that already runs')
  return true
}

/**
 * A sandbox for the tests of a file, fresh before each of them; it is there while they run. Errors of its
 * members before the tests run: an Error that says so. Errors: InvalidOption for hooks that are none.
 */
export function useSandbox(hooks: Hooks, options?: SuiteOptions): TestSandbox {
  if (typeof hooks?.beforeAll !== 'function')
    throw new InvalidOption(
      'hooks',
      'must have beforeAll, beforeEach and afterAll. ' +
        "With injectGlobals: false in Jest: useSandbox(require('@jest/globals'), options) of tillbox",
    )
  let source: SandboxSource | undefined
  let sandbox: TestSandbox | undefined
  const next = async () => {
    sandbox = await source?.next()
  }
  hooks.beforeAll(async () => {
    source = await openSandboxSource(options)
    await next()
  })
  hooks.beforeEach(next)
  hooks.afterAll(async () => source?.close())
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
