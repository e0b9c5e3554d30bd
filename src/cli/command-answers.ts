import * as v from 'valibot'
import {
  described,
  list,
  named,
  amount as number,
  one,
  record,
  shape,
  text,
  textOrNull,
  whether,
} from '../contract/answer-kinds.ts'
import type { Control } from '../contract/control/control.ts'
import { controls } from '../contract/control/controls/controls.ts'
import { requestSummary } from '../contract/control/request-log-answers.ts'
import { stateRepair, stateVerdict } from '../contract/control/state-folder.ts'
import { verdict } from '../contract/control/webhook-signing.ts'
import { streamedNotification } from '../contract/control/webhook-stream.ts'
import { wallets } from '../contract/fields.ts'
import { terminalsMembers } from '../contract/operations/look-ups.ts'
import { wholeAnswer } from '../contract/operations/operation.ts'
import { type OperationName, operationNames, operationRow, operations } from '../contract/operations.ts'
import { transactionRecord } from '../contract/records.ts'
import type { Done } from '../testing/scenario/steps/run-context.ts'
import * as shapes from './answer-shapes.ts'

const drafts = [shapes.requestDraft, shapes.curlDraft] as const

/** What the command of an operation prints: its answer, the awaited record, or the request not sent. */
function ofOperation(name: OperationName): v.GenericSchema {
  const { answer, opens, opensPage } = operationRow(name)
  const isWaitedFor = opens !== undefined && opensPage === undefined
  return v.union([wholeAnswer(answer), ...(isWaitedFor ? [transactionRecord] : []), ...drafts])
}

/** What was done, in one word. */
const done = (status: string) => ({ status: v.literal(status) })

const openedPage = shape({
  url: text,
  opened: described(whether, 'False where no browser could be started'),
})

/** Commands that print what they made themselves, or something beside the answer. */
const otherAnswers = {
  api: described(
    v.union([shapes.anyObject, shapes.includedAnswer, shapes.requestDraft, shapes.curlDraft]),
    'The body that the service answered, as it is: an envelope, or whatever the path answers',
  ),
  attack: shapes.attackReport,
  'checkout wallet-payload': shape({
    paymentMethod: one(wallets),
    cardEncryptedData: text,
  }),
  completion: shape({ shell: one(['bash', 'zsh', 'fish']), script: text }),
  doctor: shapes.diagnosis,
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
  openapi: shapes.openapi,
  help: described(
    v.union([
      shapes.commandHelp,
      shapes.commandList,
      shape({ codes: list(shape({ code: number, meaning: text })) }),
      shape({ flags: list(shape({ flag: text, meaning: text })) }),
      shape({ statuses: list(shapes.statusRow), sessions: list(shapes.sessionRow) }),
    ]),
    'Of a command, of a topic or of all; of exit codes, flags or statuses',
  ),
  init: shape({
    folder: described(text, 'Folder of the project'),
    written: described(whether, 'False for a dry run'),
    files: list(
      shape({
        path: text,
        state: one(['created', 'replaced', 'extended', 'unchanged', 'kept', 'left-out']),
        why: v.optional(described(text, 'Why it is left out')),
      }),
    ),
  }),
  listen: described(
    shape({ ...streamedNotification.entries, forwarded: v.optional(shapes.listenedAttempt) }),
    'A line for each notification; `forwarded` with a URL',
  ),
  'logs tail': requestSummary, // a line for each request
  'logs export': shape({ ...done('exported'), file: text, requests: number }),
  'merchant terminals': described(
    v.union([v.omit(v.object(terminalsMembers), ['nextToken']), ...drafts]),
    'Of all pages',
  ),
  'profile list': shape({ profiles: list(shapes.profileView) }),
  'profile remove': shape({ ...done('removed'), name: text }),
  'profile set': shape({
    ...done('saved'),
    name: text,
    file: described(text, 'Path of the file that keeps it'),
    current: described(whether, 'True for the default: it is used unless another one is named'),
  }),
  'profile show': shapes.profileView,
  'profile use': shape({ current: described(textOrNull, 'Null with `--none`') }),
  query: described(
    v.union([transactionRecord, ...drafts, controls.transaction.answer]),
    'With `--timeline` a story',
  ),
  'sandbox snapshot remove': shape({
    ...controls['remove-snapshot'].answer.entries,
    ...done('removed'),
    name: text,
  }),
  'sandbox snapshot restore': shape({ ...controls.import.answer.entries, ...done('restored') }),
  'sandbox export': shape({
    ...done('exported'),
    file: text,
    withSecrets: described(whether, 'True when keys, webhook secrets and allow-lists are in the file'),
    baseUrl: text,
  }),
  'sandbox import': shape({ ...controls.import.answer.entries, ...done('imported'), file: text }),
  'sandbox env': described(record(text), 'Values of variables by name'),
  'sandbox open': openedPage,
  'sandbox repair': stateRepair,
  'sandbox reset': v.variant('status', [
    named('SkippedReset', 'Webhooks were not delivered: the sandbox keeps its transactions', {
      status: v.literal('kept'),
      transactions: described(number, 'How many the sandbox has'),
    }),
    shape({ status: v.literal('reset'), transactions: number }),
  ]),
  'sandbox restart': shape({ ...shapes.backgroundSandbox.entries, stopped: shapes.stopped }),
  'sandbox start': described(
    v.union([shapes.startedSandbox, shapes.backgroundSandbox]),
    '`dashboard` and `logFile` with `--detach`',
  ),
  'sandbox status': shapes.sandboxStatus,
  'sandbox stop': shapes.stopped,
  'sandbox verify': stateVerdict,
  'sandbox wait': shapes.readySandbox,
  'scenario record': described(
    shape({
      steps: number,
      leftOut: described(number, 'Requests that became no step'),
      scenario: v.optional(text),
      file: v.optional(text),
    }),
    '`scenario` without `--file`, `file` with it',
  ),
  'terminal offline': controls['set-terminal'].answer,
  'terminal online': controls['set-terminal'].answer,
  'terminal open': openedPage,
  'terminal receipt': v.partial(v.object(controls.receipt.answer.entries), ['merchant', 'customer']),
  test: shapes.scenarioReport,
  'space remove': shape({ ...controls['remove-space'].answer.entries, ...done('removed'), name: text }),
  'token revoke': shape({ ...controls['revoke-token'].answer.entries, ...done('revoked'), name: text }),
  trigger: v.union([
    shape({
      trigger: text,
      steps: list(
        named('Done', 'A finished action: a command, a control operation or the reached status', {
          step: text,
          answer: shapes.anyObject,
        }) satisfies v.GenericSchema<unknown, Done>,
      ),
    }),
    shape({ triggers: list(shape({ name: text, summary: text })) }),
  ]),
  'webhook replay': described(
    shape({ id: text, forwarded: shapes.forwarded }),
    'A line for each notification',
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
  whoami: shapes.whoami,
}

const printed = Object.values<Control>(controls).flatMap(({ command, answer }) =>
  command !== undefined && answer !== null ? [{ command, answer }] : [],
)

/** What commands of rows of the control table print; rows may share one, whose flags say which it asks. */
const ofControls = printed.map(({ command }) => [
  command,
  v.union(printed.filter((each) => each.command === command).map(({ answer }) => answer)),
])

/**
 * What each command prints with --json, by the command as it is typed. `npm run docs` writes
 * fixtures/answers.schema.json from it: a number that is a time here is text in ISO 8601 when it is printed,
 * and a duration is whole (`readableTimes`).
 */
export const commandAnswers: Readonly<Record<string, v.GenericSchema>> = {
  ...Object.fromEntries(operationNames.map((name) => [operations[name].command, ofOperation(name)])),
  ...Object.fromEntries(ofControls),
  ...otherAnswers,
}
