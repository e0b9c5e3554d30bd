import { test as base, type TestAPI } from 'vitest'
import { createSandbox, type TestSandbox, type TestSandboxOptions } from './index.ts'

export * from './index.ts'

/** A `test` of vitest whose functions are given a sandbox: one for each file, as new before each test that asks for it. */
export const sandboxTest = (options?: TestSandboxOptions): TestAPI<{ sandbox: TestSandbox }> =>
  base
    .extend<{ fileSandbox: TestSandbox }>({
      fileSandbox: [
        // biome-ignore lint/correctness/noEmptyPattern: vitest reads there which fixtures it needs
        async ({}, use) => {
          const sandbox = await createSandbox(options)
          await use(sandbox)
          await sandbox.close()
        },
        { scope: 'file' },
      ],
    })
    .extend<{ sandbox: TestSandbox }>({
      sandbox: async ({ fileSandbox }, use) => {
        await fileSandbox.reset({ everything: true })
        await use(fileSandbox)
      },
    })

/** A `test` with a sandbox without options. */
export const test: TestAPI<{ sandbox: TestSandbox }> = sandboxTest()
