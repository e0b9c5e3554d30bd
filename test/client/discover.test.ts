import { expect, test } from 'vitest'
import { findByLock } from '../../src/client/discover.ts'
import { foreignServer } from '../support/network/foreign.ts'
import { toldConnection } from '../support/network/told-connection.ts'
import { folderWithLock } from '../support/store/locks.ts'

const never = (text: string) => expect.fail(text)

/** A server that says who it is, and with which path and token it was asked, and the state folder of its first space. */
async function openServer() {
  const [id, token] = ['0f3b6c1e-7d1a-4a51-9a55-2f8f6f0c1d11', 'a-token-of-the-test']
  const url = await foreignServer(({ url: path, headers }, response) => {
    const data = { ...toldConnection, id, apiKey: `${path}?${headers['x-sandbox-token']}` }
    response.end(JSON.stringify({ code: '0', msg: 'Success', traceId: '1', data }))
  })
  return { url, token, folder: folderWithLock({ pid: process.pid, id, url, token }) }
}

test('a base URL leads to the space that it names, else to the first, with the token of the server', async () => {
  const { url, token, folder } = await openServer()
  expect(await findByLock(`${url}/s/ci-1/`, folder, never)).toMatchObject({
    baseUrl: `${url}/s/ci-1`,
    apiKey: `/s/ci-1/_sandbox/connection?${token}`,
    token,
    stateFolder: undefined,
  })
  for (const baseUrl of [url, `${url}/`, url.replace('127.0.0.1', 'localhost')])
    expect(await findByLock(baseUrl, folder, never)).toMatchObject({
      baseUrl: url,
      apiKey: `/_sandbox/connection?${token}`,
    })
})
