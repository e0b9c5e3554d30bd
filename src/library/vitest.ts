import { test as base, type TestAPI } from 'vitest'
import { openSandboxSource, type SandboxSource, type SuiteOptions, type TestSandbox } from './index.ts'

export * from './index.ts'

/** Tests that run at the same time would reset each other's sandbox. Errors: an Error that says so. */
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
 * A `test` of vitest whose functions are given a sandbox: one for each file, fresh before each test that asks
 * for it; with `connect: 'env'` the sandbox of the environment with a merchant of its own for each test.
 */
export function sandboxTest(options?: SuiteOptions): TestAPI<{ sandbox: TestSandbox }> {
  const open = () => openSandboxSource(options)
  return base
    .extend<{ fileSources: FileSources }>({
      fileSources: [
        // biome-ignore lint/correctness/noEmptyPattern: vitest reads there which fixtures it needs
        async ({}, use) => {
          const sources: FileSources = new Map()
          await use(sources)
          for (const opened of await Promise.allSettled(sources.values()))
            if (opened.status === 'fulfilled') await opened.value.close()
        },
        { scope: 'file' },
      ],
    })
    .extend<{ sandbox: TestSandbox }>({
      sandbox: async ({ fileSources, task }, use) => {
        const opened = fileSources.get(open) ?? open()
        fileSources.set(open, opened)
        const source = await opened
        if (!source.isShared) refuseConcurrent(task)
        await use(await source.next())
      },
    })
}

/**
 * What the tests of a file have their sandboxes from, by what opens each. Vitest 3 has one fixture for all of
 * the same name: without a key, the second `sandboxTest` of a file would get the sandbox of the first.
 */
type FileSources = Map<() => Promise<SandboxSource>, Promise<SandboxSource>>

/** A `test` with a sandbox without options. */
export const test: TestAPI<{ sandbox: TestSandbox }> = sandboxTest()
