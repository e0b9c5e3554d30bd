import * as v from 'valibot'
import { type FixturesFile, fixturesFile } from '../../fixture-files/fixtures-schema.ts'
import { only } from '../../fixture-files/only.ts'
import { behaviourOptions } from '../../library/sandbox-options.ts'

/** The sandbox of a scenario: options of `createSandbox`, with the same checks. */

type BehaviourOption = keyof typeof behaviourOptions

/** What each option is, for editors and documents. */
const optionHelp: Readonly<Record<BehaviourOption, string>> = {
  fixtures:
    'Merchants, cards and outcomes: a path from the folder of the scenario, or what a file of fixtures says',
  triggerAmounts: 'Amounts such as 98.23 USD select an outcome; on by default',
  clock: 'wall, or frozen: it stands until a step moves it',
  pace: 'How long an automatic terminal shows each screen',
  authValidity: 'How long an authorisation can be raised and captured',
  captureTip: 'Largest tip of a capture, in percent of its order amount',
  captureExcess: 'How far tax and surcharge of a capture may exceed the authorised ones, in percent',
  autoClose: "Time of the merchant's day at which open batches close",
  strict: 'Refuse what is otherwise accepted with a note',
  strictContentType: 'Require Content-Type on every request',
  likeProduction: 'Behave like the real service as far as it is known',
  extras: 'Add members and headers of the sandbox to answers, and obey X-Sandbox headers; on by default',
  terminals: 'Merchants and terminals that a request may name: known ones, or any',
  appIds: 'An unknown appId is accepted, or refused',
  requestIds: 'Form of X-Client-Request-Id: any text, or a UUID',
  charset: 'A Content-Type with a charset is accepted with a note, or refused',
  duplicates: 'Answer to a duplicate: an error, or the first answer again',
  httpStatus: 'HTTP status of business refusals: 200, or a specific one',
  dialect: 'Shape of records: by User-Agent, or always that of the specification or of the SDKs',
  retries: 'Pauses between delivery attempts; fast unless they are named',
  webhookOrder: 'Order of deliveries to one URL',
  webhookConcurrency: 'Maximum number of simultaneous attempts to one URL; concurrent order only',
  signature: 'Signature of webhooks',
  signatureEncoding: 'Encoding of the HMAC in X-Signature',
}

const fixturesPath = v.pipe(v.string('must be a path, or fixtures'), v.nonEmpty('must not be empty'))

/** A path, or the content of a file: the value chooses the schema, so that errors fit its form. */
const fixtures = v.lazy((given): v.GenericSchema => {
  if (given === undefined) return v.union([fixturesPath, fixturesFile])
  return typeof given === 'object' && given !== null ? fixturesFile : fixturesPath
})

const optionNames = Object.keys(behaviourOptions) as BehaviourOption[]

const schemaOf = (name: BehaviourOption): v.GenericSchema =>
  name === 'fixtures' ? fixtures : behaviourOptions[name]

/** The member `sandbox` of a scenario file. */
export const sandboxOptions = only(
  Object.fromEntries(
    optionNames.map((name) => [name, v.optional(v.pipe(schemaOf(name), v.description(optionHelp[name])))]),
  ),
)

/** The sandbox options of a scenario. Durations may be texts, as in the file. */
export type ScenarioSandbox = {
  readonly [N in Exclude<BehaviourOption, 'fixtures'>]?: v.InferInput<(typeof behaviourOptions)[N]>
} & {
  /** An absolute path, or the content of a file. */
  readonly fixtures?: string | FixturesFile
}
