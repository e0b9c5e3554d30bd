import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What becomes of the next write of one connection. */
type Cut =
  /** The server never has it. */
  | 'request'
  /** The server has it, and its answer never comes. */
  | 'answer'
  /** The server has it, and neither side hears that the connection is gone. */
  | 'mute'
  /** The client finds the connection lost, and the server has it when `deliver` is called. */
  | 'late'
  /** The server has half of it, and neither side hears that the connection is gone. */
  | 'half'
  /** Neither side hears anything any more, on no connection. */
  | 'silence'

/** A way to a server on loopback that loses connections where a test wants it. */
export async function cuttingProxy(target: number) {
  let armed: { readonly text: string; readonly cut: Cut } | null = null
  let isSilent = false
  let late: { readonly upstream: Socket; readonly bytes: Buffer } | null = null
  const sockets = new Set<Socket>()
  const isCutBy = (bytes: Buffer) => armed !== null && bytes.includes(armed.text)
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    let [isMute, dropsAnswer] = [false, false]
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', end).on('close', () => {
        sockets.delete(socket)
        if (!isMute) end()
      })
    }
    client.on('data', (bytes) => {
      if (isMute || isSilent) return
      const cut = isCutBy(bytes) ? armed?.cut : undefined
      if (cut !== undefined) armed = null
      if (cut === 'request') return end()
      if (cut === 'late') {
        isMute = true
        late = { upstream, bytes }
        return client.destroy()
      }
      if (cut === 'silence') isSilent = true
      if (cut === 'half' || cut === 'mute') isMute = true
      if (cut === 'answer') dropsAnswer = true
      upstream.write(cut === 'half' ? bytes.subarray(0, bytes.length >> 1) : bytes)
    })
    upstream.on('data', (bytes) => {
      if (dropsAnswer) end()
      else if (!isMute && !isSilent) client.write(bytes)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    server.close()
    destroyAll()
  })
  return {
    port: (server.address() as { port: number }).port,
    /** Cuts at the next message that has the text, and forgets it then. */
    cutAt: (text: string, cut: Cut) => {
      armed = { text, cut }
    },
    /** True while a cut waits for its message. */
    get isArmed() {
      return armed !== null
    },
    /** Lets the server have what is late; resolves when it has carried it out, or has ended that connection. */
    deliver: async () => {
      if (late === null) throw new Error('nothing is late')
      const { upstream, bytes } = late
      late = null
      if (upstream.readyState !== 'open') return
      // A server that has ended the connection may reset it: `once` of node:events would fail then.
      await new Promise((resolve) => {
        upstream.once('data', resolve).once('close', resolve).write(bytes)
      })
      upstream.destroy()
    },
    /** Ends a silence: what is silent is closed. */
    endSilence: () => {
      isSilent = false
      destroyAll()
    },
  }
}
