import { ownAgents } from '../../../contract/headers.ts'
import type { DocumentedOperation } from '../../../docs/documented-operations.ts'
import type { Call } from '../../../http/call.ts'
import { type SendToSelf, sendToSelf } from '../../../http/send-to-self.ts'
import { isObject } from '../../../is-object.ts'
import { elapsedTime, sleep } from '../../../timers.ts'
import { tryReadJson } from '../../components/http-message.tsx'
import type { PagesContext } from '../../frame/page-view.tsx'
import type { FormFields } from '../../serving/form-fields.ts'
import { applicationIn, requestOf } from './example.ts'

/** How an example was answered. */
export interface ExampleAnswer {
  /** Null when no answer came; `text` then says why. */
  readonly status: number | null
  /** Of the envelope; null without one. */
  readonly code: string | null
  readonly text: string
  readonly milliseconds: number
  /** The logged request, and the transaction that the answer names. */
  readonly traceId: string | undefined
  readonly transactionId: string | undefined
}

/** How long a page waits for an answer. Milliseconds. */
const longestWait = 15_000

/** Characters of an answer that are shown. */
const mostShown = 100_000

/**
 * Sends the request of a form as a client would: with the key of its application, and the token of who sent the form, so
 * that it may do no more than its sender. Faults, allow-lists and the log apply. assumption: docs-examples
 */
export async function sendExample(
  context: PagesContext,
  call: Call,
  entry: DocumentedOperation,
  fields: FormFields,
  send: SendToSelf,
): Promise<ExampleAnswer> {
  const { target, body } = requestOf(entry, fields)
  const isService = target.startsWith('/v1/')
  const { clock, directory } = context
  const key = isService ? directory.currentKey(applicationIn(context, fields)) : undefined
  const started = elapsedTime()
  const answered = answerIn(
    sendToSelf(send, call, {
      ...{ method: entry.method, target, body, userAgent: ownAgents.docs },
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
    status,
    code: typeof code === 'string' ? code : null,
    text: text.slice(0, mostShown),
    milliseconds: elapsedTime() - started,
    traceId: typeof traceId === 'string' && context.log.find(traceId) ? traceId : undefined,
    transactionId: typeof id === 'string' && isStored(context, id) ? id : undefined,
  }
}

const isStored = ({ engine }: PagesContext, id: string): boolean =>
  [...engine.state.ledgers.values()].some(({ transactions }) => transactions.get(id) !== undefined)

/** A broken connection is a network error, as `fetch` calls it. */
async function answerIn(answer: Promise<Response>) {
  const response = await answer
  return response.type === 'error'
    ? { status: null, text: 'The connection closed without an answer: an injected fault does that.' }
    : { status: response.status, text: await response.text() }
}
