/** `npm run mutate`: Stryker changes the code of the contract and the domain, and tests must notice. CONTRIBUTING.md#mutation-tests */
export default {
  mutate: [
    'src/{domain,contract}/**/*.ts',
    '!src/contract/{documents,openapi,presentation,signature,transport}/**',
    '!src/domain/fixtures.ts',
  ],
  plugins: ['./test/mutation/runner.js'],
  testRunner: 'bundle',
  ignorers: ['prose'],
  concurrency: 2,
  timeoutMS: 15_000, // a loop without end meets the limit of hits; what takes longer is a busy machine
  disableTypeChecks: false, // nothing checks types here
  tsconfigFile: 'none', // it cannot be read with TypeScript 7, and is not needed
  thresholds: { high: 97, low: 95, break: 95 },
  tempDirName: 'coverage/mutation/work',
  ignorePatterns: ['bin', 'biome.json', 'coverage', 'dist', 'docs', 'examples'], // a second biome.json stops the linter
  reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
  clearTextReporter: { reportTests: false, logTests: false },
  htmlReporter: { fileName: 'coverage/mutation/report.html' },
  jsonReporter: { fileName: 'coverage/mutation/report.json' },
}
