// Loaded before a server that would listen on every interface: it listens on loopback.
const { Server } = require('node:net')

const { listen } = Server.prototype
Server.prototype.listen = function (first, ...others) {
  if (typeof first === 'number')
    return listen.call(this, { port: first, host: '127.0.0.1' }, ...others.slice(-1))
  return listen.call(this, typeof first === 'object' ? { ...first, host: '127.0.0.1' } : first, ...others)
}
