import { connect } from 'node:net'
import { usualPort } from '../../client/discover.ts'

/** ` --port 0` where a start on the usual port would fail, because something listens there. Sends nothing. */
export const portFlag = (): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(usualPort(), '127.0.0.1')
    socket.once('error', () => resolve(''))
    socket.once('connect', () => {
      socket.destroy()
      resolve(' --port 0')
    })
  })
