import { textOf } from '../../client/tolerant.ts'
import { argumentOf, entriesOf } from '../../contract/operation-members.ts'
import { type Operation, type OperationName, operations } from '../../contract/operations.ts'
import type { Members } from '../../contract/validate.ts'
import { type CallOptions, callNamed } from '../../library/service-client.ts'
import { parseDuration } from '../../text/duration.ts'
import { shortNamesOf } from '../file/actions.ts'
import { differences, isStatus, shown } from '../file/match.ts'
import type { Expectation, Step } from '../file/read-scenario.ts'
import { requireCurrency, withMinorUnits } from '../file/written-amounts.ts'
import {
  callResultOf,
  checkAnswer,
  differencesAt,
  expectationOf,
  failOn,
  shownAnswer,
} from './call-result.ts'
import { fetchRecord, statusReached } from './expect-status.ts'
import { capture, type RunContext, StepFailure, stepMembers, valueIn } from './run-context.ts'

/** An operation of the service: sent, compared, and when it opens a payment, waited for. Errors: StepFailure. */
export async function runOperation(run: RunContext, step: Step, name: OperationName): Promise<void> {
  const members = await requestOf(run, step, name)
  const expected = expectationOf(run, step)
  const options = valueIn(run, {
    ...(step.outcome !== undefined && { outcome: step.outcome }),
    ...(step.fault !== undefined && { fault: step.fault }),
  }) as CallOptions
  run.subject = textOf(members.originalTransactionId) ?? textOf(members.transactionId) ?? run.subject
  run.terminal = textOf(members.terminalSn) ?? run.terminal
  const result = await callResultOf(() => callNamed(run.service.client, name, members, options))
  const { data, refusal, lost } = result
  run.subject = textOf(data.transactionId) ?? run.subject
  run.session = textOf(data.sessionId) ?? run.session
  const ids = lost && 'ids' in lost ? givenIds(lost.ids) : {}
  capture(run, step, { ...ids, ...data })
  run.done({ step: operations[name].command, answer: shownAnswer(result) })
  checkAnswer(result, expected)
  if (refusal || lost) {
    const { status, record } = expected
    return failOn(differences({ expect: { status, record } }, { expect: {} }))
  }
  const record = await endOf(run, step, name, data, expected)
  if (record !== undefined) capture(run, step, { ...data, ...record })
  run.terminal = textOf(members.terminalSn) ?? textOf(record?.terminalSn) ?? run.terminal
  if (expected.record === undefined) return
  failOn(differencesAt('record', expected, record ?? (await subjectOf(run, name, members, data))))
}

const givenIds = (ids: object): Members =>
  Object.fromEntries(Object.entries(ids).filter(([, value]) => value !== undefined))

/** The request of a step: short names written out, amounts in minor units, and where webhooks shall go. Errors: as `valueIn`; WrongAmount. */
async function requestOf(run: RunContext, step: Step, name: OperationName): Promise<Members> {
  const shorts = shortNamesOf(name)
  const argument = argumentOf(name)?.member
  const short = Object.keys(shorts).find((each) => shorts[each] === argument)
  const written = Object.entries(stepMembers(run, step, short))
  const members = Object.fromEntries(written.map(([each, value]) => [shorts[each] ?? each, value]))
  if ('tipAmount' in members && !('priceCurrency' in entriesOf(name)))
    requireCurrency(members, await subjectOf(run, name, members, {}).catch(() => undefined))
  return { ...urlsFor(run, name), ...withMinorUnits(name, members) }
}

function urlsFor({ inbox, wantsEvents }: RunContext, name: OperationName): Members {
  const entries = entriesOf(name)
  if (inbox === undefined) return {}
  return {
    ...('notifyUrl' in entries && { notifyUrl: inbox.url }),
    ...(wantsEvents && 'terminalEventNotifyUrl' in entries && { terminalEventNotifyUrl: inbox.url }),
  }
}

/** The record of a payment in the end; undefined where no end is waited for. Errors: StepFailure. */
async function endOf(
  run: RunContext,
  step: Step,
  name: OperationName,
  data: Members,
  { status }: Expectation,
): Promise<Members | undefined> {
  const { opens, opensPage }: Operation = operations[name]
  const wait = valueIn(run, step.wait)
  const transactionId = textOf(data.transactionId)
  const path = status === undefined ? [] : ['expect', 'status']
  if (opens !== undefined && !opensPage && wait !== false && transactionId !== undefined) {
    const waitMs = typeof wait === 'string' ? parseDuration(wait) : undefined
    return statusReached(run, { transactionId }, status ?? 'approved', {
      path,
      ...(waitMs !== undefined && { waitMs }),
    })
  }
  if (status === undefined || isStatus(status, textOf(data.transactionStatus))) return undefined
  throw new StepFailure('Its status is another one', [
    { path, expected: status, actual: shown(data.transactionStatus) },
  ])
}

/** The current record of the transaction in an answer. */
async function subjectOf(run: RunContext, name: OperationName, sent: Members, data: Members) {
  if (argumentOf(name)?.member === 'transactionId') return data
  const [id, transactionRequestId] = [
    textOf(data.transactionId) ?? textOf(sent.originalTransactionId),
    textOf(data.transactionRequestId) ?? textOf(sent.originalTransactionRequestId),
  ]
  if (id !== undefined) return fetchRecord(run, { transactionId: id })
  return transactionRequestId === undefined ? undefined : fetchRecord(run, { transactionRequestId })
}
