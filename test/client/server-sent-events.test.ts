import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readStream, type ServerSentEvent } from '../../src/client/server-sent-events.ts'
import { foreignServer } from '../support/network/foreign.ts'
import { times } from '../support/runner/counts.ts'

/** What a client reads of a stream that comes in these pieces. */
async function eventsIn(pieces: readonly Buffer[]): Promise<ServerSentEvent[]> {
  const baseUrl = await foreignServer(async (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    for (const piece of pieces) {
      response.write(piece)
      await new Promise(setImmediate)
    }
    response.end()
  })
  const events = []
  for await (const event of readStream({ baseUrl }, '/', undefined, new AbortController().signal))
    events.push(event)
  return events
}

/** Cut before each of these bytes. */
const cutAt = (bytes: Buffer, offsets: readonly number[]): Buffer[] => {
  const cuts = [...new Set(offsets)]
    .filter((offset) => offset < bytes.length)
    .sort((one, other) => one - other)
  return [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index]))
}

const stream =
  'id: 1\n\n: alive\n\nretry: 5\nid: 2\nevent: resend\ndata: one\ndata:two\n\ndata:  é\n\ndata: cut o'
const events = [
  { id: '1', data: null },
  { id: '2', event: 'resend', data: 'one\ntwo' },
  { id: undefined, data: ' é' },
]
const lineEnds = ['\n', '\r\n', '\r']

test('a stream of events is read the same, however it is cut', async () => {
  const offsets = fc.array(fc.nat(stream.length * 2), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...lineEnds), fc.boolean(), offsets, async (end, hasMark, cuts) => {
      const bytes = Buffer.from((hasMark ? '\ufeff' : '') + stream.replaceAll('\n', end))
      expect(await eventsIn(cutAt(bytes, cuts))).toEqual(events)
    }),
    { numRuns: times(100, 2_000) },
  )
})
