import { configDefaults, defineConfig } from 'vitest/config'
import { resolve } from './vitest.config.ts'

/** `npm run test:long`: the tests that take minutes or hours, and properties with their full counts, one file after the other. */
export default defineConfig({
  resolve,
  test: {
    env: { TILLBOX_LONG: '1' },
    include: [
      'test/long/**/*.test.ts',
      'test/{service,e2e}/{fuzz,race,duplicates}.test.ts',
      'test/domain/laws*.test.ts',
      'test/cli/odd-answers.test.ts',
      'test/wallet/{service,flips}.test.ts',
      'test/http/door.test.ts',
      'test/store/lock.test.ts',
      'test/server/cluster-{faults,outage}.test.ts',
    ],
    exclude: [...configDefaults.exclude, 'test/e2e/fuzz.test.ts'], // test/long has it with more requests
    globalSetup: ['./test/support/bundle-once.ts', './test/support/postgres.ts'],
    server: { deps: { external: [/\/dist\//] } },
    reporters: ['default', './test/support/summary-reporter.ts'],
    testTimeout: 24 * 3_600_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    fileParallelism: false,
    disableConsoleIntercept: true,
    setupFiles: ['./test/support/hold-answers.ts', './test/support/not-over-midnight.ts'],
  },
})
