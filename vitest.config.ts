import { configDefaults, defineConfig } from 'vitest/config'

const shared = {
  server: { deps: { external: [/\/dist\//] } }, // runs as it is built
  testTimeout: 120_000, // for failures only: the machine may be busy
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  disableConsoleIntercept: true,
}

/** The tests of `npm test`, in a few minutes. `npm run test:long` tries properties more often (test/support/counts.ts). */
export default defineConfig({
  test: {
    globalSetup: ['./test/support/bundle-once.js'],
    reporters: ['default', './test/support/summary-reporter.ts'],
    maxWorkers: '150%', // many tests wait for processes that they started, or for a page
    projects: [
      {
        test: {
          ...shared,
          name: 'node',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'test/long/**', 'test/browser/**'],
        },
      },
      {
        test: {
          ...shared,
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['./test/support/shared-chromium.ts'],
        },
      },
    ],
  },
})
