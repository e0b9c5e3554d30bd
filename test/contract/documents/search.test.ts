import { expect, test } from 'vitest'
import { foundPassages } from '../../../src/contract/documents/documents.ts'

const first = (query: string) => foundPassages(query)[0]?.path

test.each([
  ['webhook not delivered why', /^\/docs\/guides\/webhooks/],
  ['refund', '/docs/refund'],
  ['refubd', '/docs/refund'],
  ['sale', '/docs/sale'],
  ['refund a payment in part', '/docs/refund'],
  ['void a sale', '/docs/void'],
  ['capture an authorization', '/docs/post-auth'],
  ['how do I close a batch', '/docs/batch-close'],
  ['verify webhook signature', '/docs/guides/webhooks#check-the-signature'],
  ['insufficient funds', /^\/docs\/guides\/terminals/],
  ['start the sandbox', /^\/docs\/guides\/lifecycle/],
])('a search for %j finds %s first', (query, path) => expect(first(query)).toMatch(path))

test('words that say nothing of what is sought need not be there, unless there are no others', () => {
  const paths = (query: string) => foundPassages(query).map(({ path }) => path)
  expect(paths('why was my refund not done by the')).not.toEqual([])
  expect(paths('refund')).toEqual(paths('where is the refund'))
  expect(paths('why')).not.toEqual([])
})

test('every other word must be there', () => {
  expect([foundPassages('refund xyzzy'), foundPassages('xyzzy')]).toEqual([[], []])
})
