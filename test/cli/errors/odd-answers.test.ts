import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { failureOf } from '../../../src/cli/errors/failure.ts'
import { renderFailure } from '../../../src/cli/errors/render-failure.ts'
import { renderCards, renderOutcomes } from '../../../src/cli/listing/render-fixtures.ts'
import { renderTransactions } from '../../../src/cli/listing/render-transactions.ts'
import * as batches from '../../../src/cli/output/batches.ts'
import { renderSession, renderSessions, renderSessionView } from '../../../src/cli/output/checkout-session.ts'
import { renderTimeline } from '../../../src/cli/output/draw-timeline.ts'
import { renderAnswer, renderRecord } from '../../../src/cli/output/render-record.ts'
import { renderRequestLine, renderRequestStory } from '../../../src/cli/output/render-requests.ts'
import { renderClock } from '../../../src/cli/output/render-time.ts'
import * as merchant from '../../../src/cli/sandbox/render-applications.ts'
import { renderAdded, renderFaults } from '../../../src/cli/sandbox/render-faults.ts'
import { renderStep } from '../../../src/cli/scenario/triggers.ts'
import * as terminal from '../../../src/cli/terminal/render-terminal.ts'
import * as deliveries from '../../../src/cli/webhook/render-deliveries.ts'
import * as webhooks from '../../../src/cli/webhook/render-webhooks.ts'
import { call, control } from '../../../src/client/client.ts'
import type { AnsweredControl } from '../../../src/contract/control/controls/controls.ts'
import { type OperationName, operationNames, operations } from '../../../src/contract/operations.ts'
import { times } from '../../support/runner/counts.ts'
import { trueAnswers } from '../true-answers.ts'

/** What the server answers next, and where it is. */
let answer = ''
let baseUrl = ''
const server = createServer({ keepAliveTimeout: 600_000 }, (_, response) => response.end(answer))

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Draw = (data: any) => string

/** How a person sees what each operation answers. */
const draws: Partial<Record<OperationName, Draw>> = {
  query: (data) => renderRecord(data),
  'create-session': (data) => renderSession(data),
  'batch-query': (data) => batches.renderBatches(data),
  'batch-close': (data) => batches.renderClose(data),
  'batch-close-list': (data) => batches.renderClosed(data),
  'merchant-query': (data) => merchant.renderMerchant(data),
  'merchant-terminals': (data) => merchant.renderTerminals(data),
}
const drawAnswer: Draw = (data) => renderAnswer('accepted', data) + renderStep({ step: 's', answer: data })

/** How a person sees what the control interface answers. */
const drawControls: Partial<Record<AnsweredControl, Draw>> = {
  clock: (data) => renderClock(data),
  transactions: (data) => renderTransactions(data, false),
  sessions: (data) => renderSessions(data, false),
  session: (data) => renderSessionView(data),
  outcomes: (data) => renderOutcomes(data),
  cards: (data) => renderCards(data),
  terminals: (data) => terminal.renderTerminalList(data),
  'set-terminal': (data) => terminal.renderSettings(data),
  screen: (data) => terminal.renderScreen(data),
  'present-card': (data) => terminal.renderAction(data),
  receipt: (data) => terminal.renderReceipt(data),
  transaction: (data) => renderRecord(data.record, data) + renderTimeline(data, 80),
  'pay-session': (data) => renderSessionView(data),
  webhooks: (data) => deliveries.renderDeliveries(data, false),
  webhook: (data) => deliveries.renderWebhook(data),
  'resend-webhooks': (data) => webhooks.renderResent(data),
  'send-webhook': (data) => deliveries.renderAttempt(data, 1),
  'send-webhook-body': (data) => deliveries.renderAttempt(data, 1),
  faults: (data) => renderFaults(data),
  'add-fault': (data) => renderAdded(data),
  requests: (data) => data.requests.map((each: never) => renderRequestLine(each, 100)).join(''),
  request: (data) => renderRequestStory(data),
}

/** Any JSON value, often such as answers have. */
const json = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  fc.constantFrom('', 'S', 'x', 5, -1, 1e308, null, true, [], {}, [1], ['x'], { toString: 5 }, [[]], [null]),
)

/** A true answer in which some values, at any depth, are others. */
const spoilt = (value: unknown): fc.Arbitrary<unknown> => {
  const structure = Array.isArray(value)
    ? fc.tuple(...value.map(spoilt))
    : typeof value === 'object' && value !== null
      ? fc.record(Object.fromEntries(Object.entries(value).map(([name, each]) => [name, spoilt(each)])), {
          requiredKeys: [],
        })
      : fc.constant(value)
  return fc.oneof({ weight: 30, arbitrary: structure }, { weight: 1, arbitrary: json })
}

/** Sends it, and draws what comes of it: data or an error that is known, in words. */
async function drawn(send: () => Promise<unknown>, draw: Draw): Promise<{ exitCode: number; text: string }> {
  const outcome = await send().then(
    (data) => ({ data }),
    (error: Error) => ({ error }),
  )
  if ('data' in outcome) return { exitCode: 0, text: draw(outcome.data) }
  const failure = failureOf(outcome.error)
  if (failure === undefined) throw outcome.error
  return { exitCode: failure.exitCode, text: renderFailure(failure) }
}

const callOf = (name: OperationName) => () =>
  call<object>({ baseUrl, apiKey: 'k', userAgent: 't' }, name, { transactionRequestId: 'R-1' })

const controlOf = (name: AnsweredControl) => () =>
  control({ baseUrl }, name, undefined, { names: { id: '1', sn: 'T', traceId: 't' } })

const runs = { numRuns: times(6, 150) }

/** Whatever stands in the place of a true answer, there is a text and a known exit code. */
async function expectKnownExits(send: () => Promise<unknown>, truth: unknown, draw: Draw): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.oneof(spoilt(truth), json), async (data) => {
      answer = JSON.stringify({ code: '0', msg: 'ok', traceId: 't', data })
      const { exitCode, text } = await drawn(send, draw)
      expect(typeof text).toBe('string')
      expect([0, 3]).toContain(exitCode)
    }),
    runs,
  )
}

test.each(operationNames)('any accepted answer to %s gives a text and a known exit code', async (name) =>
  expectKnownExits(callOf(name), trueAnswers[name], draws[name] ?? drawAnswer),
)

test.each(Object.entries(drawControls) as [AnsweredControl, Draw][])(
  'any answer of the control operation %s gives a text and a known exit code',
  async (name, draw) => {
    const truth = trueAnswers[name]
    if (truth !== undefined) {
      answer = JSON.stringify({ code: '0', data: truth })
      const { exitCode, text } = await drawn(controlOf(name), draw)
      expect(exitCode, text).toBe(0)
    }
    await expectKnownExits(controlOf(name), truth ?? {}, draw)
  },
)

test('any value in every member of a refusal gives a text and a known exit code', async () => {
  const envelope = fc.record(
    { code: fc.oneof(fc.constantFrom('C17', 'SBX_X', '__proto__'), json), msg: json, traceId: json },
    { requiredKeys: [] },
  )
  const more = fc.record({ field: json, detail: json, remedy: json, data: json }, { requiredKeys: [] })
  await fc.assert(
    fc.asyncProperty(envelope, more, fc.constantFrom(...operationNames), async (one, other, name) => {
      answer = JSON.stringify({ ...one, ...other })
      const { exitCode, text } = await drawn(callOf(name), drawAnswer)
      expect(typeof text).toBe('string')
      expect([1, 3]).toContain(exitCode)
    }),
    { numRuns: times(15, 500) },
  )
})

test.each(['[', '{"a":'])('an answer with 100,000 nested %s ends with 3', async (open) => {
  const close = open === '[' ? ']' : '}'
  const nested = open.repeat(100_000) + (open === '[' ? '' : '1') + close.repeat(100_000)
  answer = `{"code":"0","data":{"transactionId":"1","transactionStatus":"S","x":${nested}}}`
  expect(await drawn(callOf('query'), renderRecord as Draw)).toMatchObject({ exitCode: 3 })
})

const unusable = ['', ',"data":null', ',"data":[]', ',"data":5', ',"data":"x"', ',"data":{"x":1}']
const lists = new Set(['batch-query', 'batch-close-list', 'merchant-terminals'])

test.each(operationNames)('%s ends with 3 when its accepted answer lacks usable data', async (name) => {
  for (const data of lists.has(name) ? unusable.slice(0, -1) : unusable) {
    answer = `{"code":"0","msg":"","traceId":"t"${data}}`
    const { exitCode, text } = await drawn(callOf(name), drawAnswer)
    expect([data, exitCode]).toEqual([data, 3])
    expect(text.includes('may have been carried out')).toBe(operations[name].method === 'POST')
    expect(text).toMatch(/accepted the request, but its answer cannot be used: data/)
  }
})
