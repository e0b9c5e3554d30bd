import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../src/index.ts'
import { scratchFolder } from '../support/commands/scratch.ts'

const path = (name: string) => new URL(name, import.meta.url).href

interface Comparison {
  readonly ratio: number
  readonly quartiles?: readonly [number, number]
}

const {
  compare,
  rotated,
}: {
  compare(values: number[], against: number[]): Comparison
  rotated(items: string[], round: number): string[]
} = await import(path('results/statistics.js'))
const { newReport }: { newReport(): { add(row: object): void; note(text: string): void; text(): string } } =
  await import(path('results/report.js'))
const {
  optionsOf,
}: { optionsOf(args: string[], parts: object): { chosen: string[]; peers: string; chart?: string } } =
  await import(path('options.js'))
const { drawChart }: { drawChart(bars: object[]): string } = await import(path('results/chart.js'))
const { fill }: { fill(folder: string, count: number): { id: string; order: string } } = await import(
  path('fill.js')
)
const { load }: { load(options: object): Promise<{ count: number; failed: number; firstFailed: string }> } =
  await import(path('load.js'))
const { peers, missingOf }: { peers: { name: string }[]; missingOf(peer: object, folder: string): string } =
  await import(path('peers/peers.js'))

test('a comparison is the median of the ratios within each round, with its quartiles', () => {
  expect(compare([1, 4, 9, 8, 10], [1, 2, 3, 2, 2])).toEqual({ ratio: 3, quartiles: [2, 4] })
})

test('the order changes with each round, so that nothing always follows the same', () => {
  for (const items of [
    ['a', 'b', 'c'],
    ['a', 'b', 'c', 'd'],
  ]) {
    const all = Array.from({ length: 8 }, (_, round) => rotated(items, round))
    for (const own of all) expect([...own].sort()).toEqual(items)
    for (const item of items) {
      const before = all.map((own) => own[own.indexOf(item) - 1] ?? 'none')
      expect(new Set(before).size).toBeGreaterThan(2)
    }
  }
})

test('a row says whether its bar is met, from above and from below', () => {
  const report = newReport()
  report.add({ what: 'a rate', value: '', ratio: 0.45, bar: { least: 0.45 } })
  report.add({ what: 'a start', value: '', ratio: 0.51, unit: 's', bar: { most: 0.5 } })
  report.note('said once')
  report.note('said once')
  const [, , rate = '', start = '', , note, ...others] = report.text().split('\n')
  expect(rate.replaceAll(/ +/g, ' ')).toBe('| a rate | | 0.45 | | ≥ 0.45 | met |')
  expect(start.replaceAll(/ +/g, ' ')).toBe('| a start | | 0.51 s | | ≤ 0.50 s | MISSED |')
  expect([note, ...others]).toEqual(['- said once'])
})

test('the usual parts run unless some are named; peers and scale are named by options of their own', () => {
  const parts = { usual: ['start', 'commands'], all: ['start', 'commands', 'scale', 'peers'] }
  const chosen = (...args: string[]) => optionsOf(args, parts).chosen
  expect(chosen()).toEqual(['start', 'commands'])
  expect(chosen('--only', 'commands', '--peers', '/there')).toEqual(['commands', 'peers'])
  expect(chosen('--scale', '--quick')).toEqual(['scale'])
  expect(optionsOf(['--peers', '/there', '--chart'], parts)).toMatchObject({
    peers: '/there',
    chart: expect.stringMatching(/docs.images.performance\.svg$/),
  })
  expect(() => chosen('--only', 'starts')).toThrow("the bench has no part 'starts'")
  expect(() => chosen('--fast')).toThrow('--fast is unknown')
})

test('the chart is an SVG that brings its own background for light and dark', () => {
  const chart = drawChart([{ group: 'peers', name: 'a<b', kind: 'read', ratio: 0.5 }])
  expect(chart).toContain('prefers-color-scheme: dark')
  expect(chart).toContain('>a&lt;b<')
  expect(chart).toContain('aria-label="a&lt;b read a record: 0.50"')
  expect(() => drawChart([])).toThrow('--chart draws')
})

test('a filled state is one that a sandbox starts with, and its batch is the sum of its sales', async () => {
  const folder = join(scratchFolder(), 'state')
  const oldest = fill(folder, 25)
  const sandbox = await createSandbox({ state: folder })
  onTestFinished(() => sandbox.close())
  const { transactions } = (await (await fetch(`${sandbox.url}/_sandbox/transactions?limit=100`)).json()).data
  expect(transactions).toHaveLength(25)
  expect(transactions.at(-1)).toMatchObject({ transactionId: oldest.id, referenceOrderId: oldest.order })
  const answer = await fetch(`${sandbox.url}/v1/settlement/batch-query?terminalSn=TBX-AUTO-001`, {
    headers: {
      Authorization: `Bearer ${sandbox.apiKey}`,
      'X-Client-Request-Id': crypto.randomUUID(),
      'X-Timestamp': String(Date.now()),
    },
  })
  const [batch] = (await answer.json()).data.batchList
  const approved = transactions.filter(({ status }: { status: string }) => status === 'SUCCESS')
  const net = approved.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)
  expect(batch).toMatchObject({ totalCount: approved.length, netAmount: net })
  expect(approved.length).toBeLessThan(25)
})

test('a load counts answers that come in pieces, and those that are not what was asked for', async () => {
  let requestCount = 0
  const server = createServer((_, response) => {
    requestCount += 1
    response.setHeader('Content-Length', 12)
    response.write(`{"code":"${requestCount === 1 ? 0 : 1}"`)
    setTimeout(() => response.end('}'), 1)
  })
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const request = Buffer.from('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  const good = Buffer.from('"code":"0"')
  const requests = [request, request, request]
  const result = await load({ port, connections: 1, seconds: 60, requests, good })
  expect(result).toMatchObject({ count: 3, failed: 2, firstFailed: expect.stringContaining('{"code":"1"}') })
})

test('a peer that is not installed is named with the folder', () => {
  const folder = scratchFolder()
  for (const peer of peers) expect(missingOf(peer, folder)).toBe(`it is not in ${folder}`)
})
