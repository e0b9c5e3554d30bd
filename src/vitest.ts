import { test as base, type TestAPI } from 'vitest'
import { createSandbox, type TestSandbox, type TestSandboxOptions } from './index.ts'

export * from './index.ts'

/** A `test` of vitest whose functions are given a sandbox: one for each file, as new before each test that asks for it. */
export function sandboxTest(options?: TestSandboxOptions): TestAPI<{ sandbox: TestSandbox }> {
  const start = () => createSandbox(options)
  return base
    .extend<{ fileSandboxes: FileSandboxes }>({
      fileSandboxes: [
        // biome-ignore lint/correctness/noEmptyPattern: vitest reads there which fixtures it needs
        async ({}, use) => {
          const sandboxes: FileSandboxes = new Map()
          await use(sandboxes)
          for (const started of await Promise.allSettled(sandboxes.values()))
            if (started.status === 'fulfilled') await started.value.close()
        },
        { scope: 'file' },
      ],
    })
    .extend<{ sandbox: TestSandbox }>({
      sandbox: async ({ fileSandboxes }, use) => {
        const started = fileSandboxes.get(start) ?? start()
        fileSandboxes.set(start, started)
        const sandbox = await started
        await sandbox.reset({ everything: true })
        await use(sandbox)
      },
    })
}

/**
 * The sandboxes of a file, by what starts each. Vitest 3 has one fixture for all of the same name: without a key, the
 * second `sandboxTest` of a file would get the sandbox of the first.
 */
type FileSandboxes = Map<() => Promise<TestSandbox>, Promise<TestSandbox>>

/** A `test` with a sandbox without options. */
export const test: TestAPI<{ sandbox: TestSandbox }> = sandboxTest()
