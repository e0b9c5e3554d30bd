import { expect, test } from 'vitest'
import { requestStream } from '../../src/cli/sandbox/request-stream.ts'
import type { Story } from '../../src/contract/sandbox/answers.ts'
import { startCommand } from '../support/command.ts'
import { openWindow } from '../support/pty.ts'
import { startSandboxCommand } from '../support/running-sandbox.ts'
import { scratchFolder } from '../support/scratch.ts'

const sale = {
  ...{ at: 0, method: 'POST', path: '/v1/semi-integration/transaction/sale', operation: 'sale', status: 200 },
  ...{ code: '0', durationMs: 16.2, notes: [], fault: null, traceId: 't1', target: '/v1/sale' },
}
const query = {
  ...sale,
  method: 'GET',
  operation: 'query',
  traceId: 't2',
  target: '/v1/query?transactionId=17',
}

/** A stream, what it wrote, and what the sandbox says of the transaction. */
function openStream(story: Record<string, unknown>) {
  const lines: string[] = []
  let said = story
  const amount = { priceCurrency: 'USD', orderAmount: 2500 }
  const take = requestStream((line) => lines.push(line), {
    transactionOf: async () => '17',
    storyOf: async () =>
      ({
        record: { transactionAmount: 2500, priceCurrency: 'USD', amount },
        waitsFor: null,
        ...said,
      }) as unknown as Story,
  })
  return {
    lines,
    become: (next: Record<string, unknown>) => {
      said = next
    },
    take: async (...entries: (typeof sale)[]) => {
      for (const entry of entries) take(entry)
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    },
  }
}

test('a payment is a line with its amount and what it waits for; polling is one more, when it has ended', async () => {
  const { lines, take, become } = openStream({ status: 'INITIAL', waitsFor: 'a person at T-1' })
  await take(sale, query, query)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^00:00:00Z sale +25\.00 USD {2}… waits for a person at T-1 +16\.2 ms\n$/)
  become({ status: 'SUCCESS' })
  await take(query, query)
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatch(/^00:00:00Z query +25\.00 USD {2}✓ approved +16\.2 ms\n$/)
})

test('a refusal has its code and why; the control interface and other look-ups have no line', async () => {
  const { lines, take } = openStream({ status: 'SUCCESS' })
  await take({ ...sale, path: '/_sandbox/health', operation: 'x' }, query, {
    ...sale,
    code: 'SBX_AMOUNT',
    notes: ['amount: is negative'] as never,
  })
  expect(lines).toEqual([
    expect.stringMatching(/^00:00:00Z sale +✗ refused SBX_AMOUNT +16\.2 ms\n {10}amount: is negative\n$/),
  ])
})

test('what cannot be looked up is accepted, and nothing is lost under load', async () => {
  const lines: string[] = []
  const gone = async () => {
    throw new Error('gone')
  }
  const take = requestStream((line) => lines.push(line), { transactionOf: gone, storyOf: gone })
  for (let count = 0; count < 200; count += 1) take(sale)
  await expect.poll(() => lines.length).toBe(200)
  expect(lines[0]).toMatch(/sale +accepted +16\.2 ms/)
})

test.skipIf(process.platform !== 'linux')(
  'a window shows requests, and says where the state is',
  async () => {
    const cwd = scratchFolder()
    const window = openWindow(['sandbox', 'start', '--port', '0', '--state', 'shop'], { cwd, rows: 50 })
    const shows = (text: RegExp) => expect.poll(() => window.written(), { timeout: 10_000 }).toMatch(text)
    await shows(/Ctrl-C stops it/)
    const [, url = ''] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(window.written()) ?? []
    const sell = startCommand(['sale', '--amount', '98.23', '--base-url', url], { cwd })
    expect((await sell.ended()).code).toBe(4)
    await shows(/sale +98\.23 USD .*✗ declined: 005/)
    process.kill(window.pid(), 'SIGINT')
    await shows(/Stopped\. State is in .*shop\./)
    expect(await window.ended).toBe(0)
  },
)

test('without a window there is the panel, and nothing else', async () => {
  const sandbox = await startSandboxCommand()
  await sandbox.json(['sale', '--amount', '10.00'])
  const { stdout, stderr } = await sandbox.stop()
  expect(stdout + stderr).not.toMatch(/approved\b.* ms|Stopped/)
})
