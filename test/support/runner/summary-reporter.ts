import type { Reporter, TestModule } from 'vitest/node'
import { findChromium, noChromium } from '../browser/chromium.ts'

/** Ends the run with one line: `N passed, N failed`, and the skipped ones if there are any. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      for (const group of [module, ...module.children.allSuites()])
        if (group.errors().length > 0) count.failed += 1 // what runs before or after its tests
      for (const test of module.children.allTests()) count[test.result().state] += 1
    }
    const wantsBrowser = modules.some(({ moduleId }) => moduleId.includes('/test/browser/'))
    if (wantsBrowser && findChromium() === undefined) process.stderr.write(`\n${noChromium}\n\n`)
    const skipped = count.skipped + count.pending
    setImmediate(() =>
      process.stdout.write(
        `${count.passed} passed, ${count.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
      ),
    )
  }
}
