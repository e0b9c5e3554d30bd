import { randomUUID } from 'node:crypto'
import { userAgents } from '../../../contract/headers.ts'
import { followUpNames, type OperationName, operations } from '../../../contract/operations.ts'
import { isFinal } from '../../../contract/statuses.ts'
import type { DocumentedOperation } from '../../../docs/documented-operations.ts'
import type { Transaction } from '../../../domain/model/transaction.ts'
import { unpairedIn } from '../../../domain/unpaired-terminals.ts'
import type { Call } from '../../../http/call.ts'
import { type SendToSelf, sendToSelf } from '../../../http/send-to-self.ts'
import { isObject } from '../../../is-object.ts'
import { dereferenced, type Parameter } from '../../../openapi/document.ts'
import { elapsedTime, sleep } from '../../../timers.ts'
import { refusalOfFollowUp } from '../../../views/possible-follow-ups.ts'
import { webhookId } from '../../../webhooks/notifications/notification.ts'
import { tryReadJson } from '../../components/http-message.tsx'
import type { PagesContext, Values } from '../../frame/page-view.tsx'
import { type Equivalents, inShell } from '../payments/equivalents.tsx'

/** The example of an operation as a form: `body`, and a field for each parameter, such as `path.sn` and `query.limit`. */

const json = 'application/json'

/** True for what a form can send: JSON or nothing, with an answer that ends. */
export function isSendable({ path, operation: { requestBody, responses } }: DocumentedOperation): boolean {
  const isStream = 'text/event-stream' in (responses['200']?.content ?? {})
  return path !== null && !isStream && (requestBody === undefined || json in requestBody.content)
}

/** Parameters that the form asks for, and the names of their fields. */
export const formParameters = ({ operation }: DocumentedOperation): [field: string, Parameter][] =>
  operation.parameters
    .map(dereferenced)
    .filter((each) => each.in !== 'header')
    .map((each) => [`${each.in}.${each.name}`, each])

/** Names of the fields of the form. */
export const fieldNamesOf = (entry: DocumentedOperation): readonly string[] => [
  'body',
  ...formParameters(entry).map(([field]) => field),
]

/** Ids that forms of these pages make begin so. */
const exampleIdPattern = /^docs-[\da-f]{8}$/

/** The example, with ids of this sandbox where an earlier call would have made them, and a new transaction request id. */
export function exampleFields(context: PagesContext, entry: DocumentedOperation): Values {
  const { requestBody } = entry.operation
  const live = liveMembers(context, entry)
  const example = requestBody?.content[json]?.example
  const body = isObject(example) ? { ...example, ...pick(live, Object.keys(example)) } : example
  const fields = formParameters(entry).map(([key, { name, example = '' }]) => [key, live[name] ?? example])
  return {
    ...Object.fromEntries(fields),
    ...(requestBody !== undefined && { body: withNewId(JSON.stringify(body ?? {}, null, 2), true) }),
  }
}

const pick = (from: Readonly<Record<string, string>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))

/** The body with another transaction request id: `always`, or in place of one of ours. Nothing else changes. */
export function withNewId(body: string, always = false): string {
  const value = tryReadJson(body)?.value
  const id = isObject(value) ? value.transactionRequestId : undefined
  if (typeof id !== 'string' || !(always || exampleIdPattern.test(id))) return body
  return body.replace(JSON.stringify(id), JSON.stringify(`docs-${randomUUID().slice(0, 8)}`))
}

/** Values of members that come from earlier calls, as this sandbox has them; those that it has not are left out. */
function liveMembers(context: PagesContext, { id, operation }: DocumentedOperation): Record<string, string> {
  const from = Object.entries(operation['x-example']?.from ?? {})
  const found = from.map(([member, [earlier, pointer]]) => [member, liveValue(context, id, earlier, pointer)])
  return Object.fromEntries(found.filter(([, value]) => value !== undefined))
}

/** Newest transactions that are looked at for one that an operation could act on. */
const mostLookedAt = 200

/** Whether an operation that is no follow-up can act on a transaction. */
const acceptedBy: Readonly<Record<string, (transaction: Transaction) => boolean>> = {
  receipt: ({ terminalSn, status }) => terminalSn !== null && isFinal(status),
  'pay-session': ({ status }) => !isFinal(status),
  'cancel-session': ({ status }) => !isFinal(status),
}

function liveValue(
  { engine, statistics, log, faults, clock }: PagesContext,
  id: string,
  earlier: string,
  pointer: string,
): string | undefined {
  if (pointer === '/traceId') return log.list().at(-1)?.traceId
  if (earlier === 'add-fault') return faults.list().at(-1)?.id
  if (earlier === 'unpair-terminal') return unpairedIn(engine.state.ledgers).at(-1)?.code
  if (earlier === 'webhooks') {
    const latest = statistics.current.deliveries.all.at(-1)
    return latest && webhookId(latest.ledger, latest.delivery)
  }
  const name = followUpNames.find((each) => each === id)
  const found = statistics.current.transactions
    .slice(-mostLookedAt)
    .findLast(
      ({ ledger, transaction }) =>
        (pointer !== '/data/sessionId' || transaction.online?.sessionId != null) &&
        (acceptedBy[id]?.(transaction) ?? true) &&
        (name === undefined || refusalOfFollowUp(ledger, transaction, name, clock.now()) === null),
    )?.transaction
  if (pointer === '/data/sessionId') return found?.online?.sessionId ?? undefined
  return pointer === '/data/transactionId' ? found?.id : undefined
}

function exampleRequest({ path, operation }: DocumentedOperation, fields: Values) {
  const filled = (path ?? '').replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(fields[`path.${name}`] || name),
  )
  const query = new URLSearchParams(queryFields(fields))
  const body = operation.requestBody === undefined ? '' : (fields.body ?? '')
  return { target: `${filled}${query.size === 0 ? '' : `?${query}`}`, body }
}

const queryFields = (fields: Values): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name, value]) => name.startsWith('query.') && value !== '')
      .map(([name, value]) => [name.slice('query.'.length), value]),
  )

/** The application that the body or the query names; otherwise the first one. */
function applicationIn({ directory }: PagesContext, fields: Values) {
  const { appId }: { appId?: unknown } = { ...queryFields(fields), ...membersIn(fields) }
  const named = typeof appId === 'string' ? directory.applicationNamed(appId) : undefined
  return named ?? directory.defaultApplication
}

function membersIn({ body = '' }: Values): Readonly<Record<string, unknown>> {
  const value = tryReadJson(body)?.value
  return isObject(value) ? value : {}
}

const isServiceOperation = (id: string): id is OperationName => Object.hasOwn(operations, id)

/** An example as a curl line, and for an operation of the service as a command. `baseUrl`: where the sandbox is reached. */
export function exampleEquivalents(
  context: PagesContext,
  entry: DocumentedOperation,
  fields: Values,
  baseUrl: string,
): Equivalents {
  const { id, method } = entry
  const { target, body } = exampleRequest(entry, fields)
  const hasCommand = isServiceOperation(id) && operations[id].method === method
  return inShell(context, {
    method,
    target,
    appId: applicationIn(context, fields).appId,
    baseUrl,
    body: JSON.stringify(tryReadJson(body)?.value) ?? body,
    ...(hasCommand && { command: { name: id, members: { ...queryFields(fields), ...membersIn(fields) } } }),
  })
}

/** How an example was answered. */
export type ExampleAnswer = Awaited<ReturnType<typeof sendExample>>

/** How long a page waits for an answer. Milliseconds. */
const longestWait = 15_000

const mostShown = 100_000

/**
 * Sends the request of a form as a client would: with the key of its application, and the token of who sent the form, so
 * that it may do no more than its sender. Faults, allow-lists and the log apply. assumption: page-requests
 */
export async function sendExample(
  context: PagesContext,
  call: Call,
  entry: DocumentedOperation,
  fields: Values,
  send: SendToSelf,
) {
  const { target, body } = exampleRequest(entry, fields)
  const isService = target.startsWith('/v1/')
  const { clock, directory } = context
  const key = isService ? directory.currentKey(applicationIn(context, fields)) : undefined
  const started = elapsedTime()
  const answered = answerIn(
    sendToSelf(send, call, {
      method: entry.method,
      target,
      body,
      userAgent: userAgents.docs,
      ...(isService && { service: { key, now: clock.wall() } }),
    }),
  )
  const late = `No answer within ${longestWait / 1000} seconds. The request may still be carried out.`
  const { status, text } = await Promise.race([
    answered,
    sleep(longestWait).then(() => ({ status: null, text: late })),
  ])
  const envelope = tryReadJson(text)?.value
  const { code, traceId, data } = isObject(envelope) ? envelope : {}
  const id = isObject(data) ? data.transactionId : undefined
  return {
    /** Null when no answer came; `text` then says why. */
    status,
    /** Of the envelope; null without one. */
    code: typeof code === 'string' ? code : null,
    text: text.slice(0, mostShown),
    milliseconds: elapsedTime() - started,
    /** The logged request, and the transaction that the answer names. */
    traceId: typeof traceId === 'string' && context.log.find(traceId) ? traceId : undefined,
    transactionId: typeof id === 'string' ? context.statistics.current.find(id)?.transaction.id : undefined,
  }
}

/** A broken connection is a network error, as `fetch` calls it. */
async function answerIn(answer: Promise<Response>) {
  const response = await answer
  return response.type === 'error'
    ? { status: null, text: 'The connection closed without an answer: an injected fault does that.' }
    : { status: response.status, text: await response.text() }
}
