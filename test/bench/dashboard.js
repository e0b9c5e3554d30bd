// What the dashboard costs: how fast it answers with much stored, and what open windows take from the sales.
import { randomUUID } from 'node:crypto'
import { get } from 'node:http'
import { join } from 'node:path'
import { fill } from './fill.js'

/** Windows that are open at once. */
const windows = 50

/** Answers that are timed of each page. */
const answers = 40

/** Rows of the file of which the making is timed. */
const exported = 1_000

/** What is asked for, by name: the address, from what is stored, and how often it may take the time of the first page of the smallest. */
const asked = {
  'first page': { path: () => '/', bar: 1.5 },
  'declined only': { path: () => '/?status=declined', bar: 1.5 },
  'search by id': { path: ({ id }) => `/?q=${id}`, bar: 2 },
  'search by order': { path: ({ order }) => `/?q=${order}`, bar: 2 },
  'search by half a word': { path: () => '/?q=hono' },
  [`export of ${exported} rows`]: { path: () => '/transactions.csv', rows: exported },
}

/** Adds the rows of the dashboard. `startServer`, `seed` and `runLoad` are the bench's own; `many`: most transactions stored. */
export async function dashboard({ root, rounds, many, startServer, seed, runLoad, median, results }) {
  await speed()
  await openWindows()

  /** Pages with much stored beside the first page with little, asked in turns; before each a sale is paid for. */
  async function speed() {
    const servers = []
    for (const stored of [1_000, 20_000, many]) {
      const state = join(root, `dashboard-${stored}`)
      await seed(state, 1_000, 'mixed')
      const oldest = fill(state, stored)
      process.stdout.write(`starting with ${stored} stored…\n`)
      servers.push({
        stored,
        oldest,
        times: {},
        first: {},
        ...(await startServer({ kind: 'sandbox', state })),
      })
    }
    for (const server of servers)
      for (const [name, wanted] of Object.entries(asked)) server.first[name] = await timeOf(server, wanted)
    for (let round = -5; round < answers; round++)
      for (const [name, wanted] of Object.entries(asked))
        for (const server of servers) {
          await pay(server)
          const time = await timeOf(server, wanted)
          server.times[name] ??= []
          if (round >= 0) server.times[name].push(time)
        }
    const base = median(servers[0].times['first page'])
    for (const [name, { bar }] of Object.entries(asked))
      for (const { stored, times, first } of servers)
        results.push({
          what: `dashboard, ${name}, ${stored} stored ÷ first page, ${servers[0].stored} stored`,
          value: `${median(times[name]).toFixed(1)} ms; the first answer ${first[name].toFixed(0)} ms`,
          ratio: median(times[name]) / base,
          bar,
        })
    for (const server of servers) await besideSearches(server)
    for (const server of servers) await server.stop()
  }

  /** How long a payment takes while a text is searched that was not searched before, beside one with nothing else going on. */
  async function besideSearches(server) {
    const times = { alone: [], beside: [] }
    for (let round = 0; round < answers; round++) {
      times.alone.push(await pay(server))
      const searched = timeOf(server, { path: () => `/?q=hono${round}` })
      times.beside.push(await pay(server))
      await searched
    }
    results.push({
      what: `a sale while a text is searched ÷ alone, ${server.stored} stored`,
      value: `${median(times.beside).toFixed(1)} ms, ${median(times.alone).toFixed(1)} ms`,
      ratio: median(times.beside) / median(times.alone),
    })
  }

  /** Sales with open windows beside sales without any, in rounds that alternate. */
  async function openWindows() {
    const rates = { none: [], open: [] }
    let pushed = 0
    for (let round = 1; round <= rounds; round++)
      for (const kind of Object.keys(rates)) {
        const server = await startServer({ kind: 'sandbox', state: join(root, `windows-${kind}-${round}`) })
        const streams = kind === 'open' ? await openStreams(server.port) : []
        const result = await runLoad(server, 'sale', `windows-${kind}${round}`)
        if (result.failed > 0) throw new Error(`${result.failed} sales were refused`)
        rates[kind].push(result.rate)
        for (const stream of streams) {
          pushed += stream.bytes
          stream.close()
        }
        await server.stop()
      }
    if (pushed === 0) throw new Error('nothing was pushed to the windows')
    results.push({
      what: `durable sale with ${windows} windows of the dashboard ÷ with none`,
      value: `${Math.round(median(rates.open))}/s, ${Math.round(median(rates.none))}/s`,
      ratio: median(rates.open) / median(rates.none),
      bar: 0.85,
      higher: true,
    })
  }
}

/** Milliseconds until a page is there, or so many rows of a file. */
async function timeOf({ port, oldest }, { path, rows }) {
  const started = performance.now()
  const { status, body } = await fetch(`http://127.0.0.1:${port}${path(oldest)}`)
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    if (rows !== undefined && text.split('\n').length > rows) break
  }
  const isThere = rows === undefined ? text.includes('Approval rate') : text.split('\n').length > rows
  if (status !== 200 || !isThere) throw new Error(`${path(oldest)} does not show its list`)
  return performance.now() - started
}

/** Milliseconds of a sale. */
async function pay({ port, apiKey }) {
  const started = performance.now()
  const answer = await fetch(`http://127.0.0.1:${port}/v1/semi-integration/transaction/sale`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'X-Client-Request-Id': randomUUID(),
      'X-Timestamp': String(Date.now()),
    },
    body: JSON.stringify({
      referenceOrderId: 'ORDER-BETWEEN',
      transactionRequestId: randomUUID(),
      amount: { orderAmount: 1000, priceCurrency: 'USD' },
      terminalSn: 'TBX-AUTO-001',
    }),
  })
  const { code } = await answer.json()
  if (code !== '0') throw new Error('a sale was refused')
  return performance.now() - started
}

/** Windows that take what is pushed to them; resolves when each was pushed something. */
function openStreams(port) {
  return Promise.all(
    Array.from(
      { length: windows },
      () =>
        new Promise((resolve, reject) => {
          const outgoing = get({ host: '127.0.0.1', port, path: '/live', agent: false }, (incoming) => {
            const stream = { bytes: 0, close: () => outgoing.destroy() }
            incoming.on('data', ({ length }) => {
              stream.bytes += length
              resolve(stream)
            })
            incoming.on('error', () => undefined) // closed
          })
          outgoing.on('error', reject)
        }),
    ),
  )
}
