// A receiver of webhooks for the bench, in a process of its own: it answers at once, late, or counts what it got.
import { createServer } from 'node:http'

const delay = Number(process.argv[2] ?? 0)
let count = 0
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    count += 1
    const end = () => response.end('{}')
    if (delay === 0)
      end() // a timer would take a millisecond at least
    else setTimeout(end, delay)
  })
})
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.on('message', (question) => (question === 'count' ? process.send(count) : process.exit(0)))
process.on('disconnect', () => process.exit(1)) // the bench is gone
