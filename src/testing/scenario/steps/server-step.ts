import { randomBytes, randomUUID } from 'node:crypto'
import { send } from '../../../client/http.ts'
import { asText, parseJson } from '../../../client/tolerant.ts'
import { asManyAsPossible } from '../../../contract/control/transaction-list.ts'
import { operationNames, operationRow, operations } from '../../../contract/operations.ts'
import { webhookHeaders } from '../../../contract/signature/signature.ts'
import type { Members } from '../../../contract/validate.ts'
import { isObject } from '../../../shared/is-object.ts'
import { sleep, wallTime } from '../../../shared/timers.ts'
import { foundWithin } from '../../helpers/wait-for.ts'
import type { Step } from '../file/read-scenario.ts'
import { type MerchantServer, type ServerCall, ServerProblem } from '../merchant/merchant-server.ts'
import { isMissing, reconcile, releaseWebhooks } from '../merchant/settle.ts'
import { differencesAt, failOn, stepExpectation } from './call-result.ts'
import { requireCall } from './control-step.ts'
import { capture, type RunContext, StepFailure, stepMembers, valueIn } from './run-context.ts'

function requireServer({ server }: RunContext): MerchantServer {
  if (server === undefined) throw new StepFailure('The scenario has no server: say which in server:')
  return server
}

/** Of requests sent together two begin at once, and each further one so much later. Milliseconds. */
const clickPause = 20

/** A request to the merchant's server, and what happens at the same time; captures its first answer. */
export async function runServerRequest(run: RunContext, step: Step): Promise<void> {
  const server = requireServer(run)
  const { together = 1, ...request } = stepMembers(run, step, 'to')
  const repeats = typeof together === 'number' ? together : 1
  const all = Array.from({ length: repeats }, async (_, index) => {
    await sleep(Math.max(index - 1, 0) * clickPause)
    return server.send(callOf(request))
  })
  const beside: Promise<unknown>[] = Array.isArray(together)
    ? together.map((other) => server.send(callOf(other)))
    : []
  if (together === 'webhooks') beside.push(untilAwaited(run).then(() => releaseWebhooks(run)))
  // the laws judge what came of those beside it
  const [answers] = await Promise.all([Promise.allSettled(all), Promise.allSettled(beside)])
  const [answer] = answers.toSorted((one, other) => rank(one) - rank(other))
  if (answer?.status === 'rejected') throw answer.reason
  if (run.isKind && step.expect === undefined && isMissing(answer?.value.httpStatus ?? 0))
    throw new StepFailure(`${request.to} is answered with ${answer?.value.httpStatus}`)
  capture(run, step, answer?.value)
  failOn(differencesAt('answer', stepExpectation(run, step), answer?.value))
  const isExpected = step.expect !== undefined
  run.done({ step: `server request ${request.to}`, answer: answer?.value ?? {}, isExpected })
}

/** Where an answer is to wait for a webhook, its request has to arrive first. */
async function untilAwaited(run: RunContext): Promise<void> {
  const call = requireCall(run)
  await foundWithin(2_000, async () => {
    const { faults } = await call('faults')
    return faults.every(({ kind, used }) => kind !== 'after-webhook' || used > 0) || undefined
  })
}

const callOf = ({ to, body, headers }: Members): ServerCall => ({
  line: String(to),
  body,
  headers: headers as ServerCall['headers'],
})

/** Answers before requests without one. */
const rank = ({ status }: PromiseSettledResult<unknown>): number => (status === 'fulfilled' ? 0 : 1)

/** Kills the server: at once, once it acknowledged a webhook, or while it waits for an answer. */
export async function runServerCrash(run: RunContext, step: Step): Promise<void> {
  const server = requireServer(run)
  const { on } = stepMembers(run, step, 'on')
  if (on === undefined) return server.crash()
  const count = await startCounter(run, String(on))
  const before = await count()
  const moment = foundWithin(
    10_000,
    async () => (await count()) > before || (run.areStepsDone ? false : undefined),
  )
  const crash = moment
    .then((came) => (came ? server.crash() : undefined))
    .catch((error) => {
      // it did not start again, which whoever asks it next is told
      if (!(error instanceof ServerProblem)) throw error
    })
  crash.catch(() => undefined) // told to whoever waits for it after the last step
  run.armed.push(crash)
}

/** Counts acknowledged webhooks, or requests, whose answers are then late. */
async function startCounter(run: RunContext, on: string): Promise<() => Promise<number>> {
  const call = requireCall(run)
  if (on === 'webhook') return async () => (await call('state')).webhooks.delivered
  const operation = operationNames.find((name) => operations[name].command === on)
  const { id } = await call('add-fault', { kind: 'latency=2s', operation })
  const uses = async () => (await call('faults')).faults.find((each) => each.id === id)?.used ?? 0
  if (operation === undefined || operationRow(operation).opens === undefined) return uses
  // another fault may hit the request first
  return async () => (await uses()) + (await call('state')).transactions
}

export const runServerReconcile = (run: RunContext): Promise<void> => reconcile(requireServer(run))

/** Runs a command beside the file, with the environment of the server. */
export async function runCommand(run: RunContext, step: Step): Promise<void> {
  const printed = await requireServer(run).run(String(valueIn(run, step.value)))
  const value = parseJson(printed)
  capture(run, step, isObject(value) ? value : { output: printed })
}

/**
 * Somebody else posts a notification that calls a payment approved which is not, with a signature by another
 * secret, or with none.
 */
export async function runWebhookForge(run: RunContext, step: Step): Promise<void> {
  const call = requireCall(run)
  const { transactions } = await call('transactions', asManyAsPossible)
  const target = transactions.find(({ status }) => status !== 'SUCCESS') ?? transactions[0]
  if (target === undefined) throw new StepFailure('No payment is there yet')
  const { record } = await call('transaction', undefined, { id: target.transactionId })
  const url = await findNotifyUrl(run, target.transactionId)
  if (url === undefined) throw new StepFailure(`${target.transactionId} names no URL for its webhooks`)
  const { signature: scheme, signatureEncoding: encoding } = await call('webhook-secret')
  const secrets = [`whsec_${randomBytes(32).toString('base64')}`]
  const body = JSON.stringify({ ...record, transactionStatus: 'S', transactionResultCode: '000' })
  const headers = webhookHeaders({ scheme, encoding, secrets }, { id: randomUUID(), at: wallTime(), body })
  const { signature } = stepMembers(run, step)
  const isSent = ([name]: [string, string]) => signature !== 'none' || !/signature/i.test(name)
  const sent = Object.fromEntries(Object.entries(headers).filter(isSent))
  await send({ method: 'POST', url: new URL(url), headers: sent, body })
}

/** The URL of a payment's webhooks, as its request named it. */
async function findNotifyUrl(run: RunContext, transactionId: string): Promise<string | undefined> {
  const call = requireCall(run)
  const { requests } = await call('requests', { transactionId })
  for (const { traceId } of requests) {
    const { request } = await call('request', undefined, { traceId })
    const body = parseJson(request.body)
    const url = isObject(body) ? asText(body.notifyUrl) : undefined
    if (url !== undefined) return url
  }
  return undefined
}
