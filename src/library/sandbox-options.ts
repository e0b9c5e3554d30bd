import * as v from 'valibot'
import {
  accessOptions,
  addressOptions,
  behaviourOptions,
  filledText,
  optionSchemas,
  recordedOption,
  startClock,
} from '../contract/control/sandbox-options.ts'
import type { FixturesFile } from '../sandbox/fixture-files/fixtures-schema.ts'
import type { ServerOptions } from '../server/server.ts'
import { checkMembers } from '../testing/helpers/options.ts'

/** The options of `createSandbox` and their checks. Defaults are those of `tillbox sandbox start`. */
const entries = {
  ...optionSchemas({
    ...behaviourOptions,
    ...accessOptions,
    ...addressOptions,
    clock: startClock,
    recorded: recordedOption,
  }),
  fixtures: behaviourOptions.fixtures.schema as v.GenericSchema<string | FixturesFile>,
  state: filledText,
  /** Wall clock, in milliseconds since 1970; by default that of the process. */
  wall: v.custom<() => number>((value) => typeof value === 'function', 'must be a function'),
  report: v.custom<(line: string) => void>((value) => typeof value === 'function', 'must be a function'),
}

type OptionSchemas = typeof entries
type OptionName = keyof OptionSchemas

/**
 * Options of a sandbox; all are optional, and undefined means absent. `state`: `temp`, a folder that is
 * removed with the sandbox, or a folder to keep. Durations are milliseconds, or texts such as `90s`.
 */
export type TestSandboxOptions = { readonly [N in OptionName]?: v.InferInput<OptionSchemas[N]> | undefined }

/** The options after their check, with times in milliseconds. */
export type CheckedOptions = Partial<Pick<ServerOptions, Extract<OptionName, keyof ServerOptions>>> & {
  readonly clock?: 'wall' | 'frozen'
}

/** Checks the given options. Errors: InvalidOption. */
export const checkOptions = (options: TestSandboxOptions): CheckedOptions =>
  checkMembers(options, entries, 'a sandbox')
