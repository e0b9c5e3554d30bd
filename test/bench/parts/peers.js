// tillbox beside other servers that people test against: reading a record, writing one, start, memory.
import { join } from 'node:path'
import { commandOf, installCommand, peers as known, missingOf } from '../peers/peers.js'
import { startProgram } from '../peers/program.js'
import { answerTo, bareNode, binary, sendLoad, startEcho } from '../processes.js'
import { headersFor, loads } from '../requests.js'
import { memoryOf, timeOf } from '../results/processor-time.js'
import { aligned } from '../results/report.js'
import { compare, median, rotated } from '../results/statistics.js'

/** Each server is warmed up by so many requests of each kind, in at most so many seconds. */
const warmUp = { count: 10_000, seconds: 5 }

/** Starts of which the median is told. */
const starts = 5

/** Adds a table of the servers that are installed in the folder `peers`, and says how to install the others. */
export async function peers({ report, root, rounds, seconds, peers: folder }) {
  const present = withoutMissing(folder, report)
  const tillbox = await startTillbox(join(root, 'tillbox'))
  const record = { id: '1', ...(await answerTo(tillbox, loads.query(tillbox)[0])).data }
  const accepted = await answerTo(tillbox, tillbox.write)
  const makers = [
    { name: 'tillbox', start: (name) => startTillbox(join(root, name)), does: ownWork },
    ...present.map((peer) => ({
      ...peer,
      start: (name) => startPeer(peer, folder, join(root, name), peer.files(record, accepted)),
    })),
  ]
  const servers = [
    {
      name: 'echo',
      does: 'a bare HTTP server: parses, answers as much, stores nothing',
      ...(await echoOf(tillbox)),
    },
  ]
  const ready = await readyTimes(makers)
  for (const maker of makers) {
    const server = maker.name === 'tillbox' ? tillbox : await maker.start(maker.name)
    servers.push({ ...maker, ...server, ready: ready[maker.name], atStart: memoryOf(server.pid) })
  }
  for (const server of servers) await warm(server)
  for (let round = 0; round < rounds; round++) {
    process.stdout.write(`peers, round ${round + 1} of ${rounds}\n`)
    for (const kind of ['read', 'write'])
      for (const server of rotated(servers, round)) await measure(server, kind, seconds, `${kind}${round}`)
  }
  for (const server of servers) {
    server.after = memoryOf(server.pid)
    await server.stop()
  }
  show(servers, report)
}

const ownWork = 'the payment API with its rules; each sale is on disk (fdatasync) before the answer'

/** The peers that can run. */
function withoutMissing(folder, report) {
  const absent = known.filter((peer) => {
    const missing = missingOf(peer, folder)
    if (missing !== undefined) report.note(`${peer.name} (${peer.spec}) was not compared: ${missing}.`)
    return missing !== undefined
  })
  if (absent.length > 0)
    report.note(
      `To compare with all: ${installCommand(
        folder,
        known.map(({ spec }) => spec),
      )}`,
    )
  return known.filter((peer) => !absent.includes(peer))
}

/** The command line's own sandbox. */
async function startTillbox(folder) {
  const state = join(folder, 'state')
  const server = await startProgram({
    folder,
    commandFor: (port) => [
      process.execPath,
      binary,
      'sandbox',
      'start',
      '--port',
      String(port),
      '--state',
      state,
    ],
    ready: '/_sandbox/health',
  })
  const { data } = await (await fetch(`http://127.0.0.1:${server.port}/_sandbox/connection`)).json()
  const { apiKey } = data
  const [write] = loads.sale()
  const sale = await answerTo({ ...server, apiKey }, write)
  const able = { ...server, apiKey, transactionId: sale.data.transactionId }
  return { ...able, headers: headersFor(able), read: loads.query(able)[0], write, good: {} }
}

async function echoOf(tillbox) {
  const { read, write } = tillbox
  const echo = await startEcho(tillbox)
  return { ...echo, headers: headersFor(tillbox), read, write, good: {} }
}

/** A peer with a record that can be read. */
async function startPeer(peer, folder, own, files) {
  const server = await startProgram({
    folder: own,
    files,
    commandFor: (port) => commandOf(peer, folder, port),
    ready: peer.ready,
  })
  const { headers = {}, write, wrote } = peer
  const read = peer.read ?? peer.created(await firstWrite(server, peer))
  return { ...server, headers, read, write, good: { read: 'HTTP/1.1 200', write: wrote } }
}

/** What the first write to a peer was answered with. */
async function firstWrite({ port }, { headers, write: { method, path, body } }) {
  const filled = (text) => text.replaceAll(/\{(index|unique|amount|slot)\}/g, '1')
  const all = { 'Content-Type': 'application/json' }
  for (const [name, value] of Object.entries(headers)) all[name] = filled(value)
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers: all, body: filled(body) })
  return answer.json()
}

/** Milliseconds until each is ready, and of a bare node, by name: started in turns. */
async function readyTimes(makers) {
  const times = { bare: [], ...Object.fromEntries(makers.map(({ name }) => [name, []])) }
  for (let round = 0; round < starts; round++) {
    times.bare.push(bareNode())
    for (const maker of rotated(makers, round)) {
      const server = await maker.start(`${maker.name}-${round}`)
      times[maker.name].push(server.readyMs)
      await server.stop()
    }
  }
  return Object.fromEntries(
    Object.entries(times).map(([name, all]) => [name, { median: median(all), ...compare(all, times.bare) }]),
  )
}

async function warm(server) {
  for (const kind of ['read', 'write']) await send(server, kind, { ...warmUp, tag: 'warm' })
}

/** Adds rate, latency and processor time of a kind of request. */
async function measure(server, kind, seconds, tag) {
  const before = timeOf(server.pid)
  const { rate, p99, count } = await send(server, kind, { seconds, tag })
  const time = before === undefined ? undefined : (timeOf(server.pid) - before) / count
  server.results ??= { read: [], write: [] }
  server.results[kind].push({ rate, p99, time, count })
}

function send({ port, headers, good, ...requests }, kind, options) {
  return sendLoad({
    port,
    headers,
    templates: [requests[kind]],
    good: good[kind] ?? '"code":"0"',
    ...options,
  })
}

/** Adds the table, and what the chart shows of it. */
function show(servers, report) {
  const of = (server, kind, member) => server.results[kind].map((result) => result[member])
  const middle = (server, kind, member) => median(of(server, kind, member))
  const [echo] = servers
  const lines = servers.map((server) => [
    server.name === 'echo' || server.name === 'tillbox' ? server.name : server.spec,
    ...['read', 'write'].flatMap((kind) => {
      const { ratio, quartiles } = compare(of(server, kind, 'rate'), of(echo, kind, 'rate'))
      report.draw({ group: 'peers', name: server.name, kind, ratio })
      return [
        `${Math.round(middle(server, kind, 'rate'))}/s`,
        `${ratio.toFixed(2)} (${quartiles?.map((value) => value.toFixed(2)).join('–') ?? ''})`,
        `${middle(server, kind, 'p99').toFixed(1)} ms`,
        server.results[kind][0].time === undefined ? '' : `${middle(server, kind, 'time').toFixed(0)} µs`,
      ]
    }),
    server.ready === undefined
      ? ''
      : `${server.ready.median.toFixed(0)} ms, ${server.ready.ratio.toFixed(1)} ×`,
    [server.atStart, server.after]
      .filter((bytes) => bytes !== undefined)
      .map(megabytes)
      .join(', '),
  ])
  report.table(
    aligned([
      [
        'server',
        'read',
        '÷ echo',
        'p99',
        'time',
        'write',
        '÷ echo',
        'p99',
        'time',
        'ready, ÷ bare node',
        'memory',
      ],
      ...lines,
    ]),
  )
  report.note('time: processor time a request, all threads. memory: RSS when ready, and after the load.')
  for (const { name, does } of servers) report.note(`${name}: ${does}.`)
}

const megabytes = (bytes) => `${Math.round(bytes / 2 ** 20)} MB`
