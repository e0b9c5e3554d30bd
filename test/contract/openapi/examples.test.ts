import { describe, expect, test } from 'vitest'
import {
  type DescribedOperation,
  type EarlierCall,
  openapiDocument,
} from '../../../src/contract/openapi/document.ts'
import { undescribed, undescribedWebhook } from '../../support/openapi/described.ts'
import { openRawSandbox } from '../../support/service/raw.ts'
import { apiHeaders } from '../../support/service/service.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

/** Where examples have webhooks sent. */
const callback = 'http://127.0.0.1:4242/webhooks'

interface Example {
  readonly path: string
  readonly method: string
  readonly operation: DescribedOperation
}

const examples = new Map<string, Example>(
  Object.entries(openapiDocument().paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      operation.operationId,
      { path, method: method.toUpperCase(), operation },
    ]),
  ),
)

/** The value that a JSON pointer leads to. */
const at = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce((inner, step) => (inner as Record<string, unknown>)?.[step], value)

/** Members with another value at a path such as `waiting/0/id`. */
function withValue(members: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(members)
  const steps = path.split('/')
  const last = steps.pop() ?? ''
  const holder = at(copy, ['', ...steps].join('/')) as Record<string, unknown>
  holder[last] = value
  return copy
}

/** Sends the examples that lead to one, then that, to a new sandbox. Returns what came, and how to call on. */
async function sandboxWithReceiver() {
  const receiver = await openReceiver()
  const { connection } = await openRawSandbox()
  const answers = new Map<string, unknown>()

  async function send(call: EarlierCall): Promise<{ status: number; body: unknown; isStream: boolean }> {
    const name = typeof call === 'string' ? call : call.operation
    const example = examples.get(name)
    if (example === undefined) throw new Error(`no operation is called ${name}`)
    const { path, method, operation } = example
    const own: Partial<Exclude<EarlierCall, string>> = typeof call === 'string' ? {} : call
    const from = typeof call === 'string' ? (operation['x-example']?.from ?? {}) : {}
    const known = (where: string) =>
      Object.fromEntries(
        operation.parameters
          .filter((each) => each.in === where && each.example !== undefined)
          .map((each) => [each.name, each.example]),
      )
    const json = operation.requestBody?.content['application/json']
    let names: Record<string, unknown> = own.names ?? known('path')
    let members = (own.members ?? json?.example ?? known('query')) as Record<string, unknown>
    let file: string | undefined
    for (const [member, [earlier, pointer]] of Object.entries(from)) {
      const value = at(answers.get(earlier), pointer)
      expect(value, `${name}: ${earlier} answered nothing at ${pointer}`).toBeDefined()
      if (member in names) names = { ...names, [member]: value }
      else if (member === 'body') file = String(value)
      else members = withValue(members, member, value)
    }
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, each: string) => encodeURIComponent(String(names[each])))
    const query = json === undefined ? `?${new URLSearchParams(members as Record<string, string>)}` : ''
    const body = json === undefined ? file : JSON.stringify(members).replaceAll(callback, receiver.url)
    const response = await fetch(connection.url + filled + query, {
      method,
      headers: apiHeaders(),
      ...(body !== undefined && { body }),
    })
    const type = response.headers.get('content-type')
    const isStream = type?.startsWith('text/event-stream') === true
    if (isStream) {
      await response.body?.cancel()
      return { status: response.status, body: '', isStream }
    }
    const text = await response.text()
    expect(undescribed(method, filled, { status: response.status, type, text })).toEqual([])
    const isFile = name === 'export' // which import takes as it is
    const answered = type?.startsWith('application/json') && !isFile ? JSON.parse(text) : text
    answers.set(name, answered)
    return { status: response.status, body: answered, isStream }
  }
  return { send, receiver }
}

test.each([...examples.keys()])('%s is accepted as it stands', async (name) => {
  const { send } = await sandboxWithReceiver()
  for (const earlier of examples.get(name)?.operation['x-example']?.after ?? []) {
    const { body } = await send(earlier)
    if (typeof body === 'object') expect(body).toMatchObject({ code: '0' })
  }
  const { status, body, isStream } = await send(name)
  expect(status).toBe(200)
  if (!isStream && name !== 'export' && name !== 'openapi')
    expect(body, 'its example is made in bin/docs/openapi/examples.js').toMatchObject({
      code: name === 'stop' ? 'SBX_NOT_ALLOWED' : '0', // this process, in which it runs, goes on
    })
})

describe('the webhooks', () => {
  test('webhooks have the bodies and headers that the document describes', async () => {
    const { send, receiver } = await sandboxWithReceiver()
    await send({
      operation: 'sale',
      members: {
        transactionRequestId: 'told-1',
        amount: 4250,
        priceCurrency: 'USD',
        notifyUrl: callback,
        terminalEventNotifyUrl: callback,
      },
    })
    await send({ operation: 'wait-for-webhooks', members: { delivered: true, timeoutMs: 10_000 } })
    const kinds = receiver.arrivals.map(({ json }) =>
      'eventType' in json ? 'terminal-event' : 'payment-result',
    )
    expect(new Set(kinds)).toEqual(new Set(['terminal-event', 'payment-result']))
    for (const [index, { json, headers }] of receiver.arrivals.entries()) {
      const name = kinds[index] ?? ''
      expect(undescribedWebhook(name, json), JSON.stringify(json)).toEqual([])
      const wanted = openapiDocument().webhooks?.[name]?.post?.parameters ?? []
      for (const each of wanted.filter(({ required }) => required))
        expect(headers[each.name.toLowerCase()]).toBeDefined()
      expect(headers['x-signature']).toMatch(/^[0-9a-f]{64}$/)
    }
  })

  test('a body with an unknown member fits no webhook', () =>
    expect(undescribedWebhook('terminal-event', { more: true })).not.toEqual([]))
})
