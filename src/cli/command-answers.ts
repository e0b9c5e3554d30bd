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
import { terminalsMembers } from '../contract/operations/look-ups.ts'
import { wholeAnswer } from '../contract/operations/operation.ts'
import { type Operation, type OperationName, operationNames, operations } from '../contract/operations.ts'
import { refusedEnvelope, transactionRecord } from '../contract/records.ts'
import { madeAccess } from '../contract/sandbox/application-answers.ts'
import { connection } from '../contract/sandbox/control-answers.ts'
import { type AnsweredControl, controls } from '../contract/sandbox/controls/controls.ts'
import { requestSummary } from '../contract/sandbox/request-log-answers.ts'
import { startRecord, stateRepair, stateVerdict } from '../contract/sandbox/state-folder.ts'
import { streamedNotification, verdict } from '../contract/sandbox/webhooks.ts'
import { sessionStates, statuses, statusWords, wireLetters } from '../contract/statuses.ts'
import { violation } from '../scenario/merchant/laws.ts'
import type { Done } from '../scenario/steps/run-context.ts'
import { openMembers } from './settings/settings-schema.ts'

/**
 * What each command prints with --json, by the command as it is typed. `npm run docs` writes fixtures/answers.schema.json
 * from it: a number that is a time here is text in ISO 8601 when it is printed, and a duration is whole (`readableTimes`).
 */

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

const requestDraft = named(
  'RequestDraft',
  'With `--dry-run`: the request, which was not sent. Secrets are hidden',
  {
    method: text,
    url: text,
    headers: record(text),
    body: described(v.unknown(), 'As it would be sent; null for a request without one'),
  },
)

const curlDraft = named('CurlDraft', 'With `--curl`: the request as a command, which was not sent', {
  curl: text,
})

const includedAnswer = named('IncludedAnswer', 'With `--include`: the answer with its status and headers', {
  status: number,
  headers: record(v.union([text, list(text)])),
  body: described(v.unknown(), 'The parsed JSON, or the text if the body is not JSON'),
})

/** An object whose members another program decides. */
const anyObject = v.looseObject({})

const startedSandbox = named('StartedSandbox', 'A sandbox that runs in this process, until it is stopped', {
  ...connection.entries,
  certificate: v.optional(described(text, 'Certificate to trust, a file, with `--https`')),
  token: v.optional(described(text, 'A token that was made now')),
  made: v.optional(described(list(madeAccess), 'Keys and secrets that were made now')),
  seeded: v.optional(
    described(whether, 'With `--seed`: whether the state began with it; false where the state was not new'),
  ),
})
export type StartedSandbox = v.InferOutput<typeof startedSandbox>

const backgroundSandbox = named('BackgroundSandbox', 'A sandbox that runs in the background', {
  ...startedSandbox.entries,
  logFile: text,
  dashboard: described(text, 'URL of its dashboard'),
})

const stopped = v.pipe(
  v.variant('status', [
    shape({ status: v.literal('stopped'), pid: number, url: text, state: text, kept: whether }),
    shape({ status: v.literal('not-running'), state: text, note: textOrNull }),
  ]),
  v.title('Stopped'),
  v.description('The result of a stop'),
)
export type Stopped = v.InferOutput<typeof stopped>

const readySandbox = named('ReadySandbox', 'A sandbox that answers', {
  status: v.literal('ready'),
  url: text,
  pid: number,
  state: text,
  version: text,
})
export type ReadySandbox = v.InferOutput<typeof readySandbox>

const { terminals: _, ...connectionMembers } = connection.entries
const sandboxStatus = shape({
  ...connectionMembers,
  health: controls.health.answer,
  stored: controls.state.answer,
  clock: controls.clock.answer,
  faults: controls['webhook-faults'].answer,
  injected: described(controls.faults.answer.entries.faults, 'Injected faults of answers and webhooks'),
  terminals: controls.terminals.answer.entries.terminals,
  start: v.optional(startRecord), // without secrets; absent when it is unknown
  token: v.optional(described(text, 'With `--show-key`, where the sandbox has one')),
})

const attackReport = named('AttackReport', 'What `tillbox attack` found', {
  seed: number,
  tries: number,
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

const diagnosis = named('Diagnosis', 'What `doctor` found', {
  ok: described(whether, 'True when nothing failed'),
  checks: described(list(checkResult), 'From the machine outwards'),
})
export type Diagnosis = v.InferOutput<typeof diagnosis>

const openapi = shape({
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

const commandHelp = named('CommandHelpDocument', 'A command as its help shows it', {
  command: text,
  summary: text,
  description: text,
  args: list(helpMember),
  flags: list(helpMember),
  examples: list(text),
})
const commandList = named('CommandListDocument', 'Every command with its summary', {
  commands: list(shape({ command: text, summary: text })),
})
export type HelpDocument = v.InferOutput<typeof commandHelp> | v.InferOutput<typeof commandList>

const statusRow = named('StatusRow', 'A status for people', {
  status: one(statuses),
  letter: described(one(wireLetters), 'As it goes over the wire'),
  word: described(one(statusWords), 'As a person says it'),
  after: described(list(text), 'What leads to it'),
  next: described(list(one(statuses)), 'Statuses that may follow; none: it is final'),
})

const sessionRow = shape({
  state: one(sessionStates),
  after: described(list(text), 'What leads to it'),
  next: described(list(one(sessionStates)), 'States that may follow; none: it is final'),
})

const forwardedMembers = {
  status: described(numberOrNull, 'HTTP status; null when no answer came'),
  error: described(textOrNull, 'Why there was no answer'),
  durationMs: number,
}
const forwarded = named('Forwarded', 'How an attempt to forward a notification ended', forwardedMembers)

const listenedAttempt = named('ListenedAttempt', 'An attempt of `listen`', {
  ...forwardedMembers,
  to: text,
  attempt: described(number, 'Counts from 1'),
  fault: described(textOrNull, 'Injected faults by name'),
  retryMs: described(numberOrNull, 'Pause before the next attempt, by the sandbox clock; null: none follows'),
})
export type ListenedAttempt = v.InferOutput<typeof listenedAttempt>

const profileView = named('ProfileView', 'A profile as commands show it: its key is redacted', {
  ...openMembers,
  name: text,
  current: described(whether, 'True for the default profile: it is used unless another one is named'),
  source: one(['project', 'user']),
  file: described(text, 'Path of its file'),
  apiKey: v.optional(text),
})
export type ProfileView = v.InferOutput<typeof profileView>

const effectiveSetting = named('EffectiveSetting', 'A setting that holds', {
  setting: text,
  value: described(textOrNull, 'A secret is redacted; null: not set'),
  source: described(text, 'What set it'),
  unused: described(list(shape({ value: text, source: text })), 'What else sets it, and lost'),
})
export type EffectiveSetting = v.InferOutput<typeof effectiveSetting>

const whoami = named('Whoami', 'The settings that hold', {
  profile: textOrNull,
  live: described(v.nullable(whether), 'True where money is real; null when that is not known'),
  settings: list(effectiveSetting),
  project: v.nullable(
    shape({
      file: text,
      approved: described(whether, 'True for a file that may choose where requests go'),
      needsApproval: described(whether, 'True when nothing is sent until you approve it'),
    }),
  ),
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

const scenarioReport = named('ScenarioReport', 'What `tillbox test` found', {
  passed: number,
  failed: number,
  skipped: number,
  durationMs: number,
  scenarios: list(reportedScenario),
})
export type ScenarioReport = v.InferOutput<typeof scenarioReport>

/** Commands that print what a control operation answers. */
const controlCommands = {
  audit: ['audit'],
  cards: ['cards'],
  'checkout cancel': ['cancel-session'],
  'checkout list': ['sessions'],
  'checkout pay': ['pay-session'],
  'checkout show': ['session'],
  list: ['transactions'],
  'logs show': ['request'],
  'merchant add': ['add-merchant'],
  'merchant list': ['merchants'],
  outcomes: ['outcomes'],
  'sandbox snapshot diff': ['diff-snapshot'],
  'sandbox snapshot list': ['snapshots'],
  'sandbox snapshot save': ['save-snapshot'],
  'sandbox clock': ['clock'],
  'sandbox fault': ['faults', 'add-fault'],
  'sandbox key allow-ip': ['allow-list'],
  'sandbox key list': ['keys'],
  'sandbox key rotate': ['regenerate-key'],
  'terminal add': ['add-terminal'],
  'terminal cancel': ['cancel-at-terminal'],
  'terminal list': ['terminals'],
  'terminal offline': ['set-terminal'],
  'space create': ['create-space'],
  'space list': ['spaces'],
  'space show': ['space'],
  'terminal online': ['set-terminal'],
  'terminal pair': ['pair-terminal'],
  'terminal pin': ['enter-pin'],
  'terminal present': ['present-card'],
  'terminal queue': ['queue-outcome'],
  'terminal remove': ['remove-terminal'],
  'terminal rename': ['set-terminal'],
  'terminal set': ['set-terminal'],
  'terminal show': ['screen'],
  'terminal sign': ['sign'],
  'terminal tip': ['choose-tip'],
  'terminal unpair': ['unpair-terminal'],
  'token create': ['create-token'],
  'token list': ['tokens'],
  'webhook fault': ['webhook-faults'],
  'webhook hold': ['webhook-hold'],
  'webhook list': ['webhooks'],
  'webhook order': ['webhook-schedule'],
  'webhook release': ['release-webhooks'],
  'webhook resend': ['resend-webhooks', 'send-webhook-body'], // the attempt with `--body`
  'webhook send': ['send-webhook'],
  'webhook show': ['webhook'],
  'webhook wait': ['wait-for-webhooks'],
} as const satisfies Readonly<Record<string, readonly AnsweredControl[]>>

const drafts = [requestDraft, curlDraft] as const

/** What the command of an operation prints: its answer, the record that it waited for, or the request that was not sent. */
function ofOperation(name: OperationName): v.GenericSchema {
  const { answer, opens, opensPage }: Operation = operations[name]
  const isWaitedFor = opens !== undefined && opensPage === undefined
  return v.union([wholeAnswer(answer), ...(isWaitedFor ? [transactionRecord] : []), ...drafts])
}

/** Commands that print what they made themselves, or something beside the answer. */
const own = {
  api: described(
    v.union([anyObject, includedAnswer, requestDraft, curlDraft]),
    'The body that the service answered, as it is: an envelope, or whatever the path answers',
  ),
  attack: attackReport,
  'checkout wallet-payload': shape({
    paymentMethod: one(['GOOGLE_PAY', 'APPLE_PAY']),
    cardEncryptedData: text,
  }),
  completion: shape({ shell: one(['bash', 'zsh', 'fish']), script: text }),
  doctor: diagnosis,
  docs: described(
    shape({
      passages: list(
        shape({
          path: described(text, 'Address of the page, or of a part of it'),
          title: v.optional(text),
          where: v.optional(text),
          text: v.optional(text),
        }),
      ),
    }),
    'A page with its text, or what is found',
  ),
  openapi,
  help: described(
    v.union([
      commandHelp,
      commandList,
      shape({ codes: list(shape({ code: number, meaning: text })) }),
      shape({ flags: list(shape({ flag: text, meaning: text })) }),
      shape({ rules: list(shape({ about: text, rule: text })) }),
      shape({ statuses: list(statusRow), sessions: list(sessionRow) }),
    ]),
    'Of a command, of a topic or of all; of exit codes, flags, rules of JSON, or statuses',
  ),
  init: shape({
    folder: described(text, 'Folder of the project'),
    written: described(whether, 'False for a dry run'),
    files: list(shape({ path: text, state: one(['created', 'replaced', 'extended', 'unchanged', 'kept']) })),
  }),
  listen: described(
    shape({ ...streamedNotification.entries, forwarded: v.optional(listenedAttempt) }),
    'A line for each notification; `forwarded` with `--forward-to`',
  ),
  'logs tail': requestSummary, // a line for each request
  'logs export': shape({ status: v.literal('exported'), file: text, requests: number }),
  'merchant terminals': described(
    v.union([v.omit(v.object(terminalsMembers), ['nextToken']), ...drafts]),
    'Of all pages',
  ),
  'profile list': shape({ profiles: list(profileView) }),
  'profile remove': shape({ status: v.literal('removed'), name: text }),
  'profile set': shape({
    status: v.literal('saved'),
    name: text,
    file: described(text, 'Path of the file that keeps it'),
    current: described(whether, 'True for the default: it is used unless another one is named'),
  }),
  'profile show': profileView,
  'profile use': shape({ current: described(textOrNull, 'Null with `--none`') }),
  query: described(
    v.union([transactionRecord, ...drafts, controls.transaction.answer, controls.transactions.answer]),
    'With `--timeline` a story, with `--reference-order-id` a list',
  ),
  'sandbox snapshot remove': shape({
    ...controls['remove-snapshot'].answer.entries,
    status: v.literal('removed'),
    name: text,
  }),
  'sandbox snapshot restore': shape({
    ...controls.import.answer.entries,
    status: v.literal('restored'),
  }),
  'sandbox export': shape({
    status: v.literal('exported'),
    file: text,
    withSecrets: described(whether, 'True when keys, webhook secrets and allow-lists are in the file'),
    baseUrl: text,
  }),
  'sandbox import': shape({
    ...controls.import.answer.entries,
    status: v.literal('imported'),
    file: text,
  }),
  'sandbox env': described(record(text), 'Values of variables by name'),
  'sandbox open': shape({
    url: text,
    opened: described(whether, 'False where no browser could be started'),
  }),
  'sandbox repair': stateRepair,
  'sandbox reset': v.variant('status', [
    named('SkippedReset', 'Webhooks were not delivered: the sandbox keeps its transactions', {
      status: v.literal('kept'),
      transactions: described(number, 'How many the sandbox has'),
    }),
    shape({ status: v.literal('reset'), transactions: number }),
  ]),
  'sandbox restart': shape({ ...backgroundSandbox.entries, stopped }),
  'sandbox start': described(
    v.union([startedSandbox, backgroundSandbox]),
    '`dashboard` and `logFile` with `--detach`',
  ),
  'sandbox status': sandboxStatus,
  'sandbox stop': stopped,
  'sandbox verify': stateVerdict,
  'sandbox wait': readySandbox,
  'scenario record': described(
    shape({
      steps: number,
      leftOut: described(number, 'Requests that became no step'),
      scenario: v.optional(text),
      file: v.optional(text),
    }),
    '`scenario` without `--file`, `file` with it',
  ),
  'terminal receipt': v.partial(v.object(controls.receipt.answer.entries), ['merchant', 'customer']),
  test: scenarioReport,
  'space remove': shape({
    ...controls['remove-space'].answer.entries,
    status: v.literal('removed'),
    name: text,
  }),
  'token revoke': shape({
    ...controls['revoke-token'].answer.entries,
    status: v.literal('revoked'),
    name: text,
  }),
  trigger: v.union([
    shape({
      trigger: text,
      steps: list(
        named('Done', 'A finished action: a command, a control operation or the reached status', {
          step: text,
          answer: anyObject,
        }) satisfies v.GenericSchema<unknown, Done>,
      ),
    }),
    shape({ triggers: list(shape({ name: text, summary: text })) }),
  ]),
  trust: shape({ file: text, approved: whether }),
  'webhook replay': described(
    v.union([controls['resend-webhooks'].answer, shape({ id: text, forwarded })]),
    'Of a recording a line for each notification',
  ),
  'webhook secret': shape({ secret: text }),
  'webhook sign': described(record(text), 'Headers by name'),
  'webhook receive': described(
    v.union([
      shape({ url: text }),
      shape({
        at: text,
        path: text,
        headers: record(text),
        body: text,
        status: described(number, 'HTTP status that was answered'),
        verdict,
      }),
    ]),
    'The first line says where it receives; then a line for each webhook',
  ),
  'webhook verify': verdict,
  whoami,
}

/** What each command prints, by the command as it is typed. */
export const commandAnswers: Readonly<Record<string, v.GenericSchema>> = {
  ...Object.fromEntries(operationNames.map((name) => [operations[name].command, ofOperation(name)])),
  ...Object.fromEntries(
    Object.entries(controlCommands).map(([command, names]) => [
      command,
      v.union(names.map((name) => controls[name].answer)),
    ]),
  ),
  ...own,
}
