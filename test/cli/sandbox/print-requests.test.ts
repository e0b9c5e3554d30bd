import { expect } from 'vitest'
import { requestStream } from '../../../src/cli/sandbox/print-requests.ts'
import type { Status } from '../../../src/contract/statuses.ts'
import { openTerminal, startCommand } from '../../support/commands/command.ts'
import { test } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'

const sale = {
  ...{ at: 0, method: 'POST', path: '/v1/semi-integration/transaction/sale', operation: 'sale', status: 200 },
  ...{ code: '0', durationMs: 16.2, notes: [], fault: null },
}
const query = { ...sale, method: 'GET', operation: 'query' }

/** A stream, what it wrote, and how often the transaction was read; the transaction stands as `become` says. */
function openStream(status: Status, why = '') {
  const lines: string[] = []
  let now = { transactionId: '17', amount: 2500, currency: 'USD', status, why }
  let reads = 0
  const show = requestStream((line) => lines.push(line))
  const read = () => {
    reads += 1
    return now
  }
  return {
    lines,
    reads: () => reads,
    become: (next: Status, nextWhy = '') => {
      now = { ...now, status: next, why: nextWhy }
    },
    take: (...entries: (typeof sale)[]) => {
      for (const entry of entries) show(entry, read)
    },
    show,
  }
}

test('a payment is one line with amount and wait, and polling adds one line at its end', () => {
  const { lines, take, become } = openStream('INITIAL', 'a person at T-1')
  take(sale, query, query)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^00:00:00Z sale +25\.00 USD {2}… waits for a person at T-1 +16\.2 ms\n$/)
  become('SUCCESS')
  take(query, query)
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatch(/^00:00:00Z query +25\.00 USD {2}✓ approved +16\.2 ms\n$/)
})

test('a refusal is a line with code and reason; control calls and other look-ups have none', () => {
  const { lines, take, reads } = openStream('SUCCESS')
  take({ ...sale, path: '/_sandbox/health', operation: 'x' }, query)
  expect([lines, reads()]).toEqual([[], 0])
  take({ ...sale, code: 'SBX_AMOUNT', notes: ['amount: is negative'] as never })
  expect(lines).toEqual([
    expect.stringMatching(/^00:00:00Z sale +✗ refused SBX_AMOUNT +16\.2 ms\n {10}amount: is negative\n$/),
  ])
  take({ ...sale, code: 'SBX_BUSY', fault: 'lost-answer' as never })
  expect(lines[1]).toMatch(/injected fault: lost-answer\n/)
})

test('a request about no transaction is accepted', () => {
  const { lines, show } = openStream('SUCCESS')
  show(sale, () => null)
  expect(lines).toEqual([expect.stringMatching(/^00:00:00Z sale +accepted +16\.2 ms\n$/)])
})

test('a window shows requests, and says where the state is', async () => {
  const cwd = scratchFolder()
  const window = openTerminal('sandbox start --port 0 --state shop', { cwd, rows: 50 })
  const shows = (text: RegExp) => expect.poll(() => window.written()).toMatch(text)
  await shows(/Ctrl-C stops it/)
  const [, url = ''] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(window.written()) ?? []
  const sell = startCommand(`sale --amount 98.23 --base-url ${url}`, { cwd })
  expect((await sell.ended()).code).toBe(4)
  await shows(/sale +98\.23 USD .*✗ declined: 005/)
  window.type('\u0003')
  await shows(/Stopped\. State is in .*shop\./)
  expect(await window.ended).toBe(0)
})

test('without a window only the panel is printed', async ({ sandbox }) => {
  await sandbox.json('sale --amount 10.00')
  const { stdout, stderr } = await sandbox.stop()
  expect(stdout + stderr).not.toMatch(/approved\b.* ms|Stopped/)
})
