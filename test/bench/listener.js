// Listeners for the bench, in a process of their own: each asks for everything from the beginning, takes it, and counts.
import { get } from 'node:http'

const { port, listeners } = JSON.parse(process.argv[2])
const headers = { 'Last-Event-ID': '0' }
let [count, begun, ended] = [0, 0, 0]
for (let each = 0; each < listeners; each++)
  get({ host: '127.0.0.1', port, path: '/_sandbox/events', headers, agent: false }, (incoming) => {
    let missed = Number(incoming.headers['x-sandbox-missed'])
    incoming.on('data', (chunk) => {
      const before = missed
      for (let at = chunk.indexOf('\n\n'); at !== -1; at = chunk.indexOf('\n\n', at + 2)) {
        count += 1
        missed -= 1
      }
      if (before > 0 && missed <= 0) ended += 1
    })
    begun += 1
    if (begun === listeners) process.send('begun')
  })
process.on('message', () => process.send({ notifications: count, ended }, () => process.exit(0)))
process.on('disconnect', () => process.exit(1)) // the bench is gone
