import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/long/**'],
    globalSetup: ['./test/support/bundle-once.js'],
    server: { deps: { external: [/\/dist\//] } }, // runs as it is built
    reporters: ['default', './test/support/summary-reporter.ts'],
    testTimeout: 60_000,
    hookTimeout: 30_000,
    maxWorkers: '100%', // many tests wait for processes that they started
    disableConsoleIntercept: true,
  },
})
