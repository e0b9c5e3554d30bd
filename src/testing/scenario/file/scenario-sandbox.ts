import * as v from 'valibot'
import {
  behaviourOptions,
  type OptionInputs,
  optionSchemas,
  startClock,
} from '../../../contract/control/sandbox-options.ts'
import { only } from '../../../sandbox/fixture-files/fixtures-problems.ts'
import { type FixturesFile, fixturesFile } from '../../../sandbox/fixture-files/fixtures-schema.ts'

/** The sandbox of a scenario: options of `createSandbox`, with the same checks. */

const fixturesPath = v.pipe(v.string('must be a path, or fixtures'), v.nonEmpty('must not be empty'))

/** A path, or the content of a file: the value chooses the schema, so that errors fit its form. */
const fixtures = v.lazy((value): v.GenericSchema => {
  if (value === undefined) return v.union([fixturesPath, fixturesFile])
  return typeof value === 'object' && value !== null ? fixturesFile : fixturesPath
})

const rows = {
  ...behaviourOptions,
  clock: startClock,
  fixtures: { ...behaviourOptions.fixtures, schema: fixtures },
}

/** The member `sandbox` of a scenario file. */
export const sandboxOptions = only(optionSchemas(rows))

/** The sandbox options of a scenario. Durations may be texts, as in the file. */
export interface ScenarioSandbox extends Omit<OptionInputs<typeof rows>, 'fixtures'> {
  /** An absolute path, or the content of a file. */
  readonly fixtures?: string | FixturesFile
}
