// Listeners of the event stream of a sandbox, in a process of their own: they count the events that reach them.
import { get } from 'node:http'

const { port, count } = JSON.parse(process.argv[2])

const received = new Array(count).fill(0)

/** Resolves when the stream has begun. */
const listen = (listener) =>
  new Promise((begun, failed) => {
    get({ port, host: '127.0.0.1', path: '/_sandbox/events', agent: false }, (stream) => {
      stream.setEncoding('latin1').on('data', (text) => {
        received[listener] += text.split('\ndata: ').length - 1
        begun()
      })
      stream.once('close', () => failed(new Error('a stream ended')))
    }).once('error', failed)
  })

process.on('disconnect', () => process.exit(1)) // the bench is gone
process.once('message', () => process.send(received, () => process.exit(0)))
for (let listener = 0; listener < count; listener++) await listen(listener)
process.send('listening')
