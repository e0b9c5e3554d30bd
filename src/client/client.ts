import { randomUUID } from 'node:crypto'
import { headerNames, sandboxHeaders } from '../contract/headers.ts'
import { needs } from '../contract/operation-members.ts'
import { type OperationName, operations } from '../contract/operations.ts'
import { type AnsweredControl, type ControlAnswer, controls } from '../contract/sandbox/controls.ts'
import { dataOf, ServiceRefusal } from './envelope.ts'
import { longestListing, send, UnusableAnswer } from './http.ts'
import { lostOr } from './lost-answer.ts'

export { ServiceRefusal }

/** Members of a request or an answer. */
type Members = Readonly<Record<string, unknown>>

/** Where to send requests, and as whom. */
export interface Target {
  readonly baseUrl: string
  readonly apiKey: string
  /** Certificate to trust, PEM. */
  readonly ca?: string | undefined
  /** What the control interface of a sandbox wants, when it was started with a token. */
  readonly token?: string | undefined
  /** Names the caller: `tillbox/0.2.0`. */
  readonly userAgent: string
}

export interface CallOptions {
  /** X-Client-Request-Id; left out, a new one. */
  readonly clientRequestId?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Told what a sandbox has to say of the request beside its answer. */
  readonly noted?: ((text: string) => void) | undefined
  /** How long to wait for an answer, in milliseconds. */
  readonly timeout?: number | undefined
}

/**
 * Calls an operation and returns the data of its answer, which has what `answer` of its row asks for.
 * Errors: ServiceRefusal; Unreachable, ForeignAnswer of a look-up; LostAnswer of what may have been carried out.
 */
export async function call<T>(
  target: Target,
  name: OperationName,
  members: Members,
  options: CallOptions = {},
): Promise<T> {
  try {
    return (await exchange(target, name, members, options)) as T
  } catch (error) {
    throw operations[name].method === 'GET' ? error : lostOr(error as Error, name === 'batch-close', members)
  }
}

async function exchange(
  target: Target,
  name: OperationName,
  members: Members,
  { clientRequestId = randomUUID(), headers = {}, noted, timeout }: CallOptions,
): Promise<unknown> {
  const { method, path } = operations[name]
  const { url, body } = carried(method, target.baseUrl, path, members)
  const answer = await send({
    method,
    url,
    ca: target.ca,
    headers: {
      [headerNames.authorization]: `Bearer ${target.apiKey}`,
      [headerNames.contentType]: 'application/json',
      [headerNames.clientRequestId]: clientRequestId,
      [headerNames.timestamp]: String(Date.now()),
      'User-Agent': target.userAgent,
      ...headers,
    },
    body,
    timeout,
  })
  const note = answer.headers[sandboxHeaders.note.toLowerCase()]
  if (note !== undefined) noted?.(String(note))
  const data = dataOf(url, answer, operations[name].answer)
  const other = otherId(name, members, data as Members)
  if (other === undefined) return data
  const why = `data.${other} is not the one that was sent`
  throw new UnusableAnswer(url.origin + url.pathname, answer.status, why, undefined)
}

/** The id in an answer that is not the one of the request; undefined when each is, or is left out. */
function otherId(name: OperationName, sent: Members, data: Members): string | undefined {
  const own = [
    ...(name === 'query' ? ['transactionId'] : []),
    ...(name === 'query' || opensOne(name) ? ['transactionRequestId'] : []),
  ]
  return own.find((id) => sent[id] != null && data[id] != null && String(sent[id]) !== data[id])
}

const opensOne = (name: OperationName): boolean =>
  needs(name, 'transactionRequestId') && name !== 'batch-close'

interface ControlOptions {
  /** What stands for the names in the path. */
  readonly names?: Readonly<Record<string, string>>
  /** How long to wait for an answer, in milliseconds. */
  readonly timeout?: number | undefined
}

/** Calls the control interface of a sandbox. Errors: ServiceRefusal, Unreachable, ForeignAnswer. */
export async function control<N extends AnsweredControl>(
  { baseUrl, ca, token }: Pick<Target, 'baseUrl' | 'ca' | 'token'>,
  name: N,
  members?: Members,
  { names = {}, timeout }: ControlOptions = {},
): Promise<ControlAnswer<N>> {
  const { method, path } = controls[name]
  const named = path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(wellFormed(names[key] ?? '')))
  const { url, body } = carried(method, baseUrl, named, members)
  const headers = {
    ...(body && { [headerNames.contentType]: 'application/json' }),
    ...(token && { [sandboxHeaders.token]: token }),
  }
  const answer = await send({ method, url, ca, headers, body, timeout }, longestListing)
  return dataOf(url, answer, controls[name].answer) as ControlAnswer<N>
}

/** Half a character, which a name from an answer may have, cannot be written in a path. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd')

/** Members as the method carries them: a GET in its query, any other in its body. A path prefix of the base stays. */
function carried(method: string, baseUrl: string, path: string, members?: Members) {
  const url = new URL(baseUrl.replace(/\/+$/, '') + path)
  if (method !== 'GET') return { url, body: members && JSON.stringify(members) }
  for (const [key, value] of Object.entries(members ?? {})) url.searchParams.set(key, String(value))
  return { url, body: undefined }
}
