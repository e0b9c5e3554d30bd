import { statfsSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { FileOrder } from './test/support/runner/file-order.ts'

/** Temporary folders in memory where Linux offers enough of it: thousands of tests wait for each write to reach the disk. */
function temporaryFolder(): string {
  const inMemory = '/dev/shm'
  const free = (() => {
    try {
      const { bavail, bsize } = statfsSync(inMemory)
      return bavail * bsize
    } catch {
      return 0 // no such folder
    }
  })()
  return free > 2 ** 30 ? inMemory : tmpdir()
}

delete process.env.NODE_EXTRA_CA_CERTS // no test leaves this machine, and each of many processes would read them first

/** Functions are optimized later: most code of a test runs too seldom for that to pay. Node 22 brought another setting of V8. */
const optimizesLate = process.version.startsWith('v20.')
  ? '--interrupt-budget=2000000' // of 67,584
  : '--invocation-count-for-turbofan=90000' // of 3,000

const shared = {
  env: { TMPDIR: temporaryFolder() },
  server: { deps: { external: [/\/dist\//] } }, // runs as it is built
  execArgv: [
    '--max-semi-space-size=64', // most of what a test makes is dropped at its end
    '--min-semi-space-size=16',
    optimizesLate,
  ],
  testTimeout: 120_000, // for failures only: the machine may be busy
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  disableConsoleIntercept: true,
  setupFiles: ['./test/support/runner/not-over-midnight.ts'],
}

/** Its files share the modules of a worker: loading them takes longer than many a test. */
const project = (
  name: string,
  files: string,
  others: readonly string[] = [],
  setupFiles: readonly string[] = [],
): TestProjectInlineConfiguration => ({
  test: {
    ...shared,
    setupFiles: [...setupFiles, ...shared.setupFiles],
    name,
    include: [`${files}/*.test.ts`],
    exclude: [...configDefaults.exclude, ...others],
    isolate: false,
  },
})

const ofCheck = 'test/{consistency,looks,published}/**'

/**
 * The tests of `npm test`, in a few minutes, and those of `npm run check`. `npm run test:long` tries properties more often
 * (test/support/runner/counts.ts).
 */
export default defineConfig({
  test: {
    globalSetup: [
      './test/support/runner/bundle-once.ts',
      './test/support/runner/empty-surroundings.ts',
      './test/support/cluster/postgres.ts',
      './test/support/browser/shared-chromium.ts',
    ],
    sequence: { sequencer: FileOrder },
    experimental: { fsModuleCache: true }, // all projects, and the next run, share what was compiled: by content, in node_modules/
    reporters: ['default', './test/support/runner/summary-reporter.ts'],
    maxWorkers: availableParallelism() + 3, // many tests wait; but each worker compiles anew what it runs
    projects: [
      project('test', 'test/**', [ofCheck, 'test/long/**'], ['./test/support/runner/run-in-empty-folder.ts']),
      project('check', ofCheck), // of the files of this folder
    ],
  },
})
