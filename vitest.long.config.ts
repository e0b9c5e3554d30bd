import { defineConfig } from 'vitest/config'

/** The tests that take minutes or hours, one file after the other. */
export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts'],
    globalSetup: ['./test/support/bundle-once.js'],
    server: { deps: { external: [/\/dist\//] } },
    reporters: ['default', './test/support/summary-reporter.ts'],
    testTimeout: 24 * 3_600_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    disableConsoleIntercept: true,
  },
})
