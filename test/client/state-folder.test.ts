import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connect, connectLocal } from '../../src/client/discover.ts'
import { scratchFolder } from '../support/commands/scratch.ts'
import { foreignServer } from '../support/network/foreign.ts'
import { toldConnection } from '../support/network/told-connection.ts'
import { lockText } from '../support/store/locks.ts'

const id = crypto.randomUUID()

/** A server that answers `connection` as a sandbox does, and names places of its own choice. */
const liar = () =>
  foreignServer((_, response) => {
    const elsewhere = { baseUrl: 'http://192.0.2.1', ca: 'x', token: 'x', state: '/x', stateFolder: '/x' }
    const data = { ...toldConnection, id, pid: process.pid, ...elsewhere }
    response.end(JSON.stringify({ code: '0', msg: '', traceId: '', data }))
  })

test('the state folder is the one whose lock file led to the sandbox, whatever the answer says', async () => {
  const folder = join(scratchFolder(), 'state')
  mkdirSync(folder)
  const url = await liar()
  writeFileSync(join(folder, 'lock.json'), lockText(folder, { pid: process.pid, id, url }), { mode: 0o600 })
  const { baseUrl, ca, token, stateFolder } = await connectLocal(folder)
  expect({ baseUrl, ca, token, stateFolder }).toEqual({ baseUrl: url, stateFolder: folder })
})

test('a sandbox that a base URL led to has no state folder, whatever the answer says', async () => {
  const url = await liar()
  const { baseUrl, ca, token, stateFolder } = await connect({ baseUrl: url, token: 'mine' })
  expect({ baseUrl, ca, token, stateFolder }).toEqual({ baseUrl: url, token: 'mine' })
})
