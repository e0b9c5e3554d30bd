import { asText } from '../../../client/tolerant.ts'
import { commandArgument, memberSchemas } from '../../../contract/operation-members.ts'
import { type OperationName, operationRow, operations } from '../../../contract/operations.ts'
import type { Members } from '../../../contract/validate.ts'
import { parseDuration } from '../../../shared/text/duration.ts'
import type { CallOptions } from '../../helpers/service-client.ts'
import { shortNamesOf } from '../file/actions.ts'
import { differences, isStatus, shown } from '../file/match.ts'
import type { Expectation, Step } from '../file/read-scenario.ts'
import { requireCurrency, withMinorUnits } from '../file/written-amounts.ts'
import {
  attemptCall,
  checkAnswer,
  differencesAt,
  failOn,
  shownAnswer,
  stepExpectation,
} from './call-result.ts'
import { fetchRecord, statusReached } from './expect-status.ts'
import { capture, type RunContext, StepFailure, stepMembers, valueIn } from './run-context.ts'

/** An operation of the service: sent, compared, and when it opens a payment, waited for. */
export async function runOperation(run: RunContext, step: Step, name: OperationName): Promise<void> {
  const members = await stepRequest(run, step, name)
  const expected = stepExpectation(run, step)
  const options = valueIn(run, {
    ...(step.outcome !== undefined && { outcome: step.outcome }),
    ...(step.fault !== undefined && { fault: step.fault }),
  }) as CallOptions
  run.subject = asText(members.originalTransactionId) ?? asText(members.transactionId) ?? run.subject
  run.terminal = asText(members.terminalSn) ?? run.terminal
  const result = await attemptCall(() => run.service.operate(name, members, options))
  const { data, refusal, lost } = result
  run.subject = asText(data.transactionId) ?? run.subject
  run.session = asText(data.sessionId) ?? run.session
  const ids = lost && 'ids' in lost ? presentIds(lost.ids) : {}
  capture(run, step, { ...ids, ...data })
  checkAnswer(result, expected)
  run.done({ step: operations[name].command, answer: shownAnswer(result) })
  if (refusal || lost) {
    const { status, record } = expected
    return failOn(differences({ expect: { status, record } }, { expect: {} }))
  }
  const record = await finalRecord(run, step, name, data, expected)
  if (record !== undefined) capture(run, step, { ...data, ...record })
  run.terminal = asText(members.terminalSn) ?? asText(record?.terminalSn) ?? run.terminal
  if (expected.record === undefined) return
  failOn(differencesAt('record', expected, record ?? (await currentRecord(run, name, members, data))))
}

const presentIds = (ids: object): Members =>
  Object.fromEntries(Object.entries(ids).filter(([, value]) => value !== undefined))

/**
 * The request of a step: short names written out, amounts in minor units, and where webhooks shall go.
 * Errors: as `valueIn`; WrongAmount.
 */
async function stepRequest(run: RunContext, step: Step, name: OperationName): Promise<Members> {
  const shorts = shortNamesOf(name)
  const argument = commandArgument(name)?.member
  const short = Object.keys(shorts).find((each) => shorts[each] === argument)
  const written = Object.entries(stepMembers(run, step, short))
  const members = Object.fromEntries(written.map(([each, value]) => [shorts[each] ?? each, value]))
  if ('tipAmount' in members && !('priceCurrency' in memberSchemas(name)))
    requireCurrency(members, await currentRecord(run, name, members, {}).catch(() => undefined))
  return { ...urlsFor(run, name), ...withMinorUnits(name, members) }
}

function urlsFor({ inbox, wantsEvents }: RunContext, name: OperationName): Members {
  const entries = memberSchemas(name)
  if (inbox === undefined) return {}
  return {
    ...('notifyUrl' in entries && { notifyUrl: inbox.url }),
    ...(wantsEvents && 'terminalEventNotifyUrl' in entries && { terminalEventNotifyUrl: inbox.url }),
  }
}

/** The record of a payment in the end; undefined where no end is waited for. */
async function finalRecord(
  run: RunContext,
  step: Step,
  name: OperationName,
  data: Members,
  { status }: Expectation,
): Promise<Members | undefined> {
  const { opens, opensPage } = operationRow(name)
  const wait = valueIn(run, step.wait)
  const transactionId = asText(data.transactionId)
  const path = status === undefined ? [] : ['expect', 'status']
  if (opens !== undefined && !opensPage && wait !== false && transactionId !== undefined) {
    const waitMs = (typeof wait === 'string' ? parseDuration(wait) : undefined) ?? run.waitMs
    return statusReached(run, { transactionId }, status ?? 'approved', { waitMs, path })
  }
  if (status === undefined || isStatus(status, asText(data.transactionStatus))) return undefined
  throw new StepFailure('Its status is another one', [
    { path, expected: status, actual: shown(data.transactionStatus) },
  ])
}

/** The current record of the transaction in an answer. */
async function currentRecord(run: RunContext, name: OperationName, sent: Members, data: Members) {
  if (commandArgument(name)?.member === 'transactionId') return data
  const [id, transactionRequestId] = [
    asText(data.transactionId) ?? asText(sent.originalTransactionId),
    asText(data.transactionRequestId) ?? asText(sent.originalTransactionRequestId),
  ]
  if (id !== undefined) return fetchRecord(run, { transactionId: id })
  return transactionRequestId === undefined ? undefined : fetchRecord(run, { transactionRequestId })
}
