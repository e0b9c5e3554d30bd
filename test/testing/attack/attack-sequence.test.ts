import { expect, test } from 'vitest'
import { attackSequence } from '../../../src/testing/attack/attack-sequence.ts'
import type { Observed } from '../../../src/testing/attack/observe.ts'

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
