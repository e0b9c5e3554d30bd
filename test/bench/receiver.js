// A receiver of webhooks, in a process of its own, which counts them.
import { createServer } from 'node:http'

let count = 0
const server = createServer((request, response) => {
  count += 1
  request.resume().on('end', () => response.end('{}'))
})
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.on('message', (question) => (question === 'count' ? process.send(count) : process.exit(0)))
process.on('disconnect', () => process.exit(1)) // the bench is gone
