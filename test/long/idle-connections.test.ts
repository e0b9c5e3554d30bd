import { once } from 'node:events'
import { expect, test } from 'vitest'
import { openRawSandbox, openSocket } from '../support/service/raw.ts'

test('a connection that sends nothing is closed: those who have no key cannot keep them all', async () => {
  const { port } = await openRawSandbox()
  const { socket } = openSocket(port, false)
  await once(socket, 'connect')
  const opened = performance.now()
  await once(socket, 'close')
  expect(performance.now() - opened).toBeLessThan(60_000) // by itself Node takes 60 to 90 s
})
