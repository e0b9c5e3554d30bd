import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Test files with a count that is higher here. */
const withCounts = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((name) => join('test', name))
  .filter(
    (path) => path.endsWith('.test.ts') && readFileSync(path, 'utf8').includes('/support/runner/counts.ts'),
  )

/** `npm run test:long`: the tests that take minutes or hours, and properties with their full counts, one file after the other. */
export default defineConfig({
  test: {
    env: { TILLBOX_LONG: '1' },
    include: ['test/long/**/*.test.ts', ...withCounts],
    globalSetup: [
      './test/support/runner/bundle-once.ts',
      './test/support/runner/empty-surroundings.ts',
      './test/support/cluster/postgres.ts',
      './test/support/browser/shared-chromium.ts',
    ],
    server: { deps: { external: [/\/dist\//] } },
    reporters: ['default', './test/support/runner/summary-reporter.ts'],
    testTimeout: 24 * 3_600_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    fileParallelism: false,
    disableConsoleIntercept: true,
    setupFiles: [
      './test/support/runner/run-in-empty-folder.ts',
      './test/support/runner/not-over-midnight.ts',
    ],
  },
})
