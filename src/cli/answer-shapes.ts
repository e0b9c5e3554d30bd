import * as v from 'valibot'
import {
  described,
  list,
  named,
  amount as number,
  amountOrNull as numberOrNull,
  one,
  record,
  shape,
  text,
  textOrNull,
  whether,
} from '../contract/answer-kinds.ts'
import { madeAccess } from '../contract/control/application-answers.ts'
import { connection } from '../contract/control/control-answers.ts'
import { controls } from '../contract/control/controls/controls.ts'
import { startRecord } from '../contract/control/state-folder.ts'
import { refusedEnvelope } from '../contract/records.ts'
import { sessionStates, statuses, statusWords, wireLetters } from '../contract/statuses.ts'
import { violation } from '../testing/scenario/merchant/laws.ts'
import { openMembers } from './settings/settings-schema.ts'

/** What commands make themselves and print with --json; a time in milliseconds becomes ISO 8601. */

const failure = named('Failure', 'What went wrong, for a person and as JSON', {
  exitCode: number,
  message: text,
  code: v.optional(text),
  field: v.optional(text),
  typed: v.optional(described(text, 'The flag or argument of the field: `--advance`, or `<session-id>`')),
  detail: v.optional(text),
  remedy: v.optional(text),
  others: v.optional(
    described(
      refusedEnvelope.entries.others.wrapped,
      'What else is wrong with the headers of the request, as the service says it',
    ),
  ),
  traceId: v.optional(text),
  httpStatus: v.optional(number),
  transactionRequestId: v.optional(
    described(text, 'Of a request whose answer was lost, and of an answer that cannot be used'),
  ),
  transactionId: v.optional(text),
})
export type Failure = v.InferOutput<typeof failure>

/** What any command prints that fails. */
export const errorAnswer = named('ErrorAnswer', 'Any command that fails', { error: failure })
export type ErrorAnswer = v.InferOutput<typeof errorAnswer>

export const requestDraft = named(
  'RequestDraft',
  'With `--dry-run`: the request, which was not sent. Secrets are hidden',
  {
    method: text,
    url: text,
    headers: record(text),
    body: described(v.unknown(), 'As it would be sent; null for a request without one'),
  },
)

export const curlDraft = named('CurlDraft', 'With `--curl`: the request as a command, which was not sent', {
  curl: text,
})

export const includedAnswer = named(
  'IncludedAnswer',
  'With `--include`: the answer with its status and headers',
  {
    status: number,
    headers: record(v.union([text, list(text)])),
    body: described(v.unknown(), 'The parsed JSON, or the text if the body is not JSON'),
  },
)

/** An object whose members another program decides. */
export const anyObject = v.looseObject({})

export const startedSandbox = named(
  'StartedSandbox',
  'A sandbox that runs in this process, until it is stopped',
  {
    ...connection.entries,
    certificate: v.optional(described(text, 'Certificate to trust, a file, with `--https`')),
    token: v.optional(described(text, 'A token that was made now')),
    made: v.optional(described(list(madeAccess), 'Keys and secrets that were made now')),
  },
)
export type StartedSandbox = v.InferOutput<typeof startedSandbox>

export const backgroundSandbox = named('BackgroundSandbox', 'A sandbox that runs in the background', {
  ...startedSandbox.entries,
  logFile: text,
  dashboard: described(text, 'URL of its dashboard'),
})

export const stopped = v.pipe(
  v.variant('status', [
    shape({ status: v.literal('stopped'), pid: number, url: text, state: text, kept: whether }),
    shape({ status: v.literal('not-running'), state: text, note: textOrNull }),
  ]),
  v.title('Stopped'),
  v.description('The result of a stop'),
)
export type Stopped = v.InferOutput<typeof stopped>

export const readySandbox = named('ReadySandbox', 'A sandbox that answers', {
  status: v.literal('ready'),
  url: text,
  pid: number,
  state: text,
  version: text,
})
export type ReadySandbox = v.InferOutput<typeof readySandbox>

const { terminals: _, ...connectionMembers } = connection.entries
export const sandboxStatus = shape({
  ...connectionMembers,
  health: controls.health.answer,
  stored: controls.state.answer,
  clock: controls.clock.answer,
  faults: described(controls.faults.answer.entries.faults, 'Injected faults of answers and webhooks'),
  terminals: controls.terminals.answer.entries.terminals,
  start: v.optional(startRecord), // without secrets; absent when it is unknown
})
export type SandboxStatus = v.InferOutput<typeof sandboxStatus>

export const attackReport = named('AttackReport', 'What `tillbox attack` found', {
  seed: number,
  tries: number,
  situations: described(
    list(shape({ name: text, tries: number })),
    'What can happen at the steps of the drive, and how often each was tried',
  ),
  unchecked: described(list(text), 'Laws that were not checked, for lack of what they compare'),
  durationMs: number,
  found: described(
    v.nullable(
      shape({
        laws: list(violation),
        message: described(text, 'What is wrong, a line for each law'),
        moves: described(list(text), 'What it takes, in words'),
        failed: described(number, 'How often it failed, of so many runs'),
        runs: number,
        scenario: described(text, 'File of the scenario that fails by itself'),
      }),
    ),
    'Null where no law was broken',
  ),
})
export type AttackReport = v.InferOutput<typeof attackReport>

const checkResult = named('CheckResult', 'What a check found', {
  check: text,
  status: one(['ok', 'warning', 'failed', 'skipped']),
  text,
  fix: v.optional(described(text, 'The command, or the act, that mends it')),
})
export type CheckResult = v.InferOutput<typeof checkResult>

export const diagnosis = named('Diagnosis', 'What `doctor` found', {
  ok: described(whether, 'True when no check failed; skipped checks do not count'),
  checks: described(list(checkResult), 'From the machine outwards'),
})
export type Diagnosis = v.InferOutput<typeof diagnosis>

export const openapi = shape({
  openapi: described(text, 'Version of OpenAPI'),
  info: described(anyObject, 'Title, version and licence'),
  servers: described(list(shape({ url: text, description: v.optional(text) })), 'Where it is served'),
  tags: described(list(shape({ name: text, description: text })), 'Groups of operations'),
  paths: v.optional(
    described(record(anyObject), 'Operations by path and method; absent with `--webhooks` alone'),
  ),
  webhooks: v.optional(
    described(record(anyObject), 'Absent without `--webhooks`, where other parts are chosen'),
  ),
  components: described(record(anyObject), 'Schemas, headers and refusals by name'),
})

const helpMember = named('HelpMember', 'An argument or a flag of a command', {
  name: text,
  description: text,
  required: whether,
  options: v.optional(described(list(text), 'The words that it may have')),
})
export type HelpMember = v.InferOutput<typeof helpMember>

export const commandHelp = named('CommandHelpDocument', 'A command as its help shows it', {
  command: text,
  summary: text,
  description: text,
  args: list(helpMember),
  flags: list(helpMember),
  examples: list(text),
})
export const commandList = named('CommandListDocument', 'Every command with its summary', {
  commands: list(shape({ command: text, summary: text })),
})
export type HelpDocument = v.InferOutput<typeof commandHelp> | v.InferOutput<typeof commandList>

export const statusRow = named('StatusRow', 'A status for people', {
  status: one(statuses),
  letter: described(one(wireLetters), 'As it goes over the wire'),
  word: described(one(statusWords), 'As a person says it'),
  after: described(list(text), 'What leads to it'),
  next: described(list(one(statuses)), 'Statuses that may follow; none: it is final'),
})

export const sessionRow = shape({
  state: one(sessionStates),
  after: described(list(text), 'What leads to it'),
  next: described(list(one(sessionStates)), 'States that may follow; none: it is final'),
})

const forwardedMembers = {
  status: described(numberOrNull, 'HTTP status; null when no answer came'),
  error: described(textOrNull, 'Why there was no answer'),
  durationMs: number,
}
export const forwarded = named(
  'Forwarded',
  'How an attempt to forward a notification ended',
  forwardedMembers,
)

export const listenedAttempt = named('ListenedAttempt', 'An attempt of `listen`', {
  ...forwardedMembers,
  to: text,
  attempt: described(number, 'Counts from 1'),
  fault: described(textOrNull, 'Injected faults by name'),
  retryMs: described(numberOrNull, 'Pause before the next attempt, by the sandbox clock; null: none follows'),
})
export type ListenedAttempt = v.InferOutput<typeof listenedAttempt>

export const profileView = named('ProfileView', 'A profile as commands show it: its key is redacted', {
  ...openMembers,
  name: text,
  current: described(whether, 'True for the default profile: it is used unless another one is named'),
  file: described(text, 'Path of its file'),
  apiKey: v.optional(text),
})
export type ProfileView = v.InferOutput<typeof profileView>

const effectiveSetting = named('EffectiveSetting', 'A setting that holds', {
  setting: text,
  value: described(textOrNull, 'Redacted if it is secret; null: not set'),
  source: described(text, 'What set it'),
})
export type EffectiveSetting = v.InferOutput<typeof effectiveSetting>

export const whoami = named('Whoami', 'The settings that hold', {
  profile: textOrNull,
  live: described(v.nullable(whether), 'True where money is real; null when that is not known'),
  settings: list(effectiveSetting),
})
export type Whoami = v.InferOutput<typeof whoami>

const reportedFailure = named('ReportedFailure', 'Why a scenario failed, and where', {
  file: text,
  line: described(number, 'Line of the file, counted from 1'),
  column: described(number, 'Column, counted from 1'),
  step: described(text, 'The step as it is titled, or its action'),
  message: text,
  differences: described(
    list(shape({ path: text, expected: text, actual: text, line: number, column: number })),
    'Values that differ from the expected ones, as text, with the positions of the expectations',
  ),
  transactionId: v.optional(described(text, 'The payment that the step was about; only of a sandbox')),
  timeZone: v.optional(described(text, 'Zone of the times of `timeline`')),
  timeline: v.optional(
    described(
      list(shape({ time: text, what: text, detail: v.optional(text) })),
      'What happened to it, in its order',
    ),
  ),
})

const reportedScenario = named('ReportedScenario', 'A scenario, or one of its cases', {
  file: text,
  name: text,
  outcome: one(['passed', 'failed', 'skipped']),
  reason: v.optional(described(text, 'Why it was skipped')),
  steps: described(number, 'Steps that were done'),
  durationMs: number,
  violations: v.optional(
    described(list(violation), 'Laws that are broken in the end, of a scenario with a server'),
  ),
  failure: v.optional(reportedFailure),
})
export type ReportedScenario = v.InferOutput<typeof reportedScenario>

export const scenarioReport = named('ScenarioReport', 'What `tillbox test` found', {
  passed: number,
  failed: number,
  skipped: number,
  durationMs: number,
  scenarios: list(reportedScenario),
})
export type ScenarioReport = v.InferOutput<typeof scenarioReport>
