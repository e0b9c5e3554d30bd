import { onTestFinished } from 'vitest'
import { createSandbox, type TestSandbox, type TestSandboxOptions } from '../../../src/library/index.ts'

/** A sandbox of the library; it is closed after the test. */
export async function openTestSandbox(options?: TestSandboxOptions): Promise<TestSandbox> {
  const sandbox = await createSandbox(options)
  onTestFinished(() => sandbox.close())
  return sandbox
}
