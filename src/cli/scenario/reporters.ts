import { jsonReporter } from './json.ts'
import { junitReporter } from './junit.ts'
import type { Reporter, ReportStyle } from './reporter.ts'
import { specReporter } from './spec.ts'
import { tapReporter } from './tap.ts'

/** Every reporter by name. */
export const reporters: Readonly<Record<string, (style: ReportStyle) => Reporter>> = {
  spec: specReporter,
  tap: tapReporter,
  junit: junitReporter,
  json: jsonReporter,
}
