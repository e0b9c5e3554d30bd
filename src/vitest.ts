import { test as base, type TestAPI } from 'vitest'
import { openSandboxSource, type SandboxSource, type SuiteOptions, type TestSandbox } from './index.ts'

export * from './index.ts'

/** Tests that run at the same time would reset the sandbox under each other. Errors: an Error that says so. */
function refuseConcurrent({
  name,
  concurrent,
}: {
  readonly name: string
  readonly concurrent?: boolean
}): void {
  if (!concurrent) return
  throw new Error(
    `'${name}' is concurrent, and the sandbox of a file is reset before each test. Leave concurrent out; ` +
      "or use one sandbox of createSandbox() with a newMerchant() for each test, or sandboxTest({ connect: 'env' })",
  )
}

/**
 * A `test` of vitest whose functions are given a sandbox: one for each file, as new before each test that asks for it; with
 * `connect: 'env'` the sandbox of the environment with a merchant of its own for each test.
 */
export const sandboxTest = (options?: SuiteOptions): TestAPI<{ sandbox: TestSandbox }> =>
  base
    .extend<{ sandboxSource: SandboxSource }>({
      sandboxSource: [
        // biome-ignore lint/correctness/noEmptyPattern: vitest reads there which fixtures it needs
        async ({}, use) => {
          const source = await openSandboxSource(options)
          await use(source)
          await source.close()
        },
        { scope: 'file' },
      ],
    })
    .extend<{ sandbox: TestSandbox }>({
      sandbox: async ({ sandboxSource, task }, use) => {
        if (!sandboxSource.isShared) refuseConcurrent(task)
        await use(await sandboxSource.next())
      },
    })

/** A `test` with a sandbox without options. */
export const test: TestAPI<{ sandbox: TestSandbox }> = sandboxTest()
