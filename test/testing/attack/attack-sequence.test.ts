import { expect, test } from 'vitest'
import { attackSequence } from '../../../src/testing/attack/attack-sequence.ts'
import type { Observed } from '../../../src/testing/attack/observe.ts'

type TriedWebhook = Observed['webhooks'][number]

const observed: Observed = {
  step: { path: ['steps', 0], action: 'server request', value: 'POST /orders' } as Observed['step'],
  at: 0,
  requests: [],
  webhooks: [],
  opened: [],
  payments: [],
}

test('a step that the server refused says with which status', () => {
  const [taken, refused] = attackSequence([observed, { ...observed, refusedWith: 500 }]).steps
  expect(taken).toMatchObject({ text: 'POST /orders', note: null, tone: 'plain' })
  expect(refused).toMatchObject({ text: 'POST /orders', note: '500', tone: 'bad' })
})

test('a webhook stands where it was sent, before what it caused, with the status of each attempt', () => {
  const query = { operation: 'query', code: '0', fault: null, durationMs: 40 }
  const request = (at: number) => ({ ...query, at }) as Observed['requests'][number]
  const attempt = (at: number, status: number | null, error: string | null = null) =>
    ({ at: new Date(at).toISOString(), status, error, fault: null }) as TriedWebhook['tries'][number]
  const delivery = { transactionType: 'SALE', transactionStatus: 'S' } as TriedWebhook['delivery']
  const tries = [attempt(1_000, 500), attempt(1_100, null, 'no answer'), attempt(1_150, null, 'no answer')]
  const webhooks = [{ delivery, tries: [...tries, attempt(1_300, 200)] }]
  const { steps } = attackSequence([{ ...observed, requests: [request(1_060), request(1_340)], webhooks }])
  expect(steps.slice(1).map(({ text, note }) => [text, note])).toEqual([
    ['SALE SUCCESS', '500'],
    ['query', null],
    ['SALE SUCCESS × 2', 'no answer'],
    ['query', null],
    ['SALE SUCCESS', '200'],
  ])
})
