import { randomUUID } from 'node:crypto'
import { type AnsweredControl, controls } from '../api/controls.ts'
import { headerNames, sandboxHeaders } from '../api/headers.ts'
import { type OperationName, operations } from '../api/operations.ts'
import type { Envelope } from '../api/records.ts'
import { ForeignAnswer, type HttpAnswer, send } from './http.ts'

/** Where to send requests, and as whom. */
export interface Target {
  readonly baseUrl: string
  readonly apiKey: string
  /** Certificate to trust, PEM. */
  readonly ca?: string | undefined
  /** What the control interface of a sandbox wants, when it was started with a token. */
  readonly token?: string | undefined
  /** Names the caller: `tillbox/0.1.0`. */
  readonly userAgent: string
}

/** The service refused the request. Its code may be one that we do not know. */
export class ServiceRefusal extends Error {
  override readonly name = 'ServiceRefusal'
  constructor(
    readonly httpStatus: number,
    readonly envelope: Envelope,
  ) {
    super(envelope.msg)
  }
}

export interface CallOptions {
  /** X-Client-Request-Id; left out, a new one. */
  readonly requestId?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Told what a sandbox has to say of the request beside its answer. */
  readonly noted?: ((text: string) => void) | undefined
  /** How long to wait for an answer, in milliseconds. */
  readonly patience?: number | undefined
}

/**
 * Calls an operation and returns the data of its answer.
 * Errors: ServiceRefusal, Unreachable, ForeignAnswer.
 */
export async function call<T>(
  target: Target,
  name: OperationName,
  members: Readonly<Record<string, unknown>>,
  { requestId = randomUUID(), headers = {}, noted, patience }: CallOptions = {},
): Promise<T> {
  const { method, path } = operations[name]
  const url = urlOf(target.baseUrl, path)
  if (method === 'GET')
    for (const [key, value] of Object.entries(members)) url.searchParams.set(key, String(value))
  const answer = await send({
    method,
    url,
    ca: target.ca,
    headers: {
      [headerNames.authorization]: `Bearer ${target.apiKey}`,
      [headerNames.contentType]: 'application/json',
      [headerNames.requestId]: requestId,
      [headerNames.timestamp]: String(Date.now()),
      'User-Agent': target.userAgent,
      ...headers,
    },
    body: method === 'GET' ? undefined : JSON.stringify(members),
    patience,
  })
  const note = answer.headers[sandboxHeaders.note.toLowerCase()]
  if (note !== undefined) noted?.(String(note))
  return dataOf(url, answer) as T
}

interface ControlOptions {
  /** What stands for the names in the path. */
  readonly names?: Readonly<Record<string, string>>
  /** How long to wait for an answer, in milliseconds. */
  readonly patience?: number | undefined
}

/** Calls the control interface of a sandbox. Errors: ServiceRefusal, Unreachable, ForeignAnswer. */
export async function control<T>(
  { baseUrl, ca, token }: Pick<Target, 'baseUrl' | 'ca' | 'token'>,
  name: AnsweredControl,
  members?: Readonly<Record<string, unknown>>,
  { names = {}, patience }: ControlOptions = {},
): Promise<T> {
  const { method, path } = controls[name]
  const url = urlOf(
    baseUrl,
    path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(names[key] ?? '')),
  )
  if (method === 'GET')
    for (const [key, value] of Object.entries(members ?? {})) url.searchParams.set(key, String(value))
  const body = method === 'GET' || members === undefined ? undefined : JSON.stringify(members)
  const headers = {
    ...(body && { [headerNames.contentType]: 'application/json' }),
    ...(token && { [sandboxHeaders.token]: token }),
  }
  return dataOf(url, await send({ method, url, ca, headers, body, patience })) as T
}

/** Base and path joined; a path prefix of the base stays. */
const urlOf = (baseUrl: string, path: string): URL => new URL(baseUrl.replace(/\/+$/, '') + path)

function dataOf(url: URL, { status, body }: HttpAnswer): unknown {
  const envelope = parse(body)
  if (envelope === undefined) throw new ForeignAnswer(url.origin + url.pathname, status, summary(body))
  if (envelope.code !== '0') throw new ServiceRefusal(status, envelope)
  return envelope.data ?? {}
}

function parse(body: string): Envelope | undefined {
  try {
    const value = JSON.parse(body) as Partial<Envelope> | null
    return typeof value?.code === 'string' ? { msg: '', traceId: '', ...value, code: value.code } : undefined
  } catch {
    return undefined // told by the caller, with the HTTP status
  }
}

const summary = (body: string): string =>
  body.trim() === '' ? 'the body is empty' : `it begins with ${JSON.stringify(body.slice(0, 60))}`
