import { connect, createServer } from 'node:net'

/** Sends connections to one address on to another: each is `host:port`, or the path of a socket. Says when it is ready. */
const [from, to] = process.argv.slice(2).map((text) => {
  const [host, port] = text.split(':')
  return port === undefined ? { path: text } : { host, port: Number(port) }
})

createServer((client) => {
  const target = connect(to)
  client.pipe(target).pipe(client)
  client.on('error', () => target.destroy())
  target.on('error', () => client.destroy())
}).listen(from, () => process.stdout.write('ready\n'))
