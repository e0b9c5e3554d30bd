import { once } from 'node:events'
import { get } from 'node:https'
import { describe, expect, test } from 'vitest'
import { parsePublicOrigin } from '../../../src/contract/control/sandbox-options.ts'
import { operations } from '../../../src/contract/operations.ts'
import { createSandbox, InvalidOption } from '../../../src/library/index.ts'
import { ensureCertificate } from '../../../src/server/certificate.ts'
import { TokenNeeded } from '../../../src/server/listening.ts'
import { startSandbox } from '../../../src/server/server.ts'
import { runCommand } from '../../support/commands/command.ts'
import { sendRequest } from '../../support/commands/running-sandbox.ts'
import { exchange } from '../../support/network/exchange.ts'
import { openRawSandbox } from '../../support/service/raw.ts'
import { salePath } from '../../support/service/requests.ts'
import { sale, temporaryFolder } from '../../support/service/service.ts'
import { findNginx, noNginx, startNginx } from '../nginx.ts'

const publicUrl = 'https://pay.team.test'
const token = 'a-token-of-the-test-0001'
const usual = { Host: 'pay.team.test', 'X-Sandbox-Token': token }

/** A sandbox with a public URL, and a way to ask it as a proxy would or, with `ca`, through one. */
async function published() {
  const state = temporaryFolder()
  const { connection } = await openRawSandbox({ state, publicUrl, token })
  const { apiKey, merchantId, appId, terminals, port } = connection
  const asker = (to: number, ca?: string) => {
    const url = `${ca ? 'https' : 'http'}://127.0.0.1:${to}`
    const ask = (path: string, { method = 'GET', headers = {} } = {}) =>
      exchange(url + path, { method, headers: { ...usual, ...headers }, ca })
    const call = async (path: string, members: object, headers: object = {}) => {
      const more = { headers: { ...usual, ...headers }, body: { appId, merchantId, ...members }, ca }
      return (await sendRequest({ url, apiKey }, 'POST', path, more as object)).envelope
    }
    const takeSale = () => call(salePath, sale(1000, { terminalSn: terminals[0] }))
    const createSession = (headers?: object) => call(operations['create-session'].path, sale(500), headers)
    return { url, ask, call, takeSale, createSession }
  }
  return { connection, state, asker, ...asker(port) }
}

describe('assumption public-url', () => {
  test('service, control interface and pages accept the host of the public URL as Host, and no other', async () => {
    const { ask, takeSale } = await published()
    expect(await takeSale()).toMatchObject({ code: '0' })
    for (const path of ['/_sandbox/health', '/', '/terminals']) {
      expect((await ask(path)).status).toBe(200)
      expect((await ask(path, { headers: { Host: 'PAY.TEAM.TEST:443' } })).status).toBe(200)
      for (const Host of ['pay.team.test:8443', 'team.test', 'evil.example'])
        expect((await ask(path, { headers: { Host } })).status).toBe(403)
    }
  })

  test('the Origin of the public URL is accepted with its Host, and no other', async () => {
    const { ask, connection } = await published()
    const path = '/_sandbox/health'
    expect((await ask(path, { headers: { Origin: publicUrl } })).status).toBe(200)
    for (const Origin of ['http://pay.team.test', 'https://evil.example', connection.url])
      expect((await ask(path, { headers: { Origin } })).status).toBe(403)
  })

  test('checkoutUrl has the public URL, and the connection has it beside the URL of the caller', async () => {
    const { ask, createSession, connection } = await published()
    const local = { Host: new URL(connection.url).host }
    for (const headers of [{}, local]) {
      const { data } = await createSession(headers)
      expect(data.checkoutUrl).toMatch(/^https:\/\/pay\.team\.test\/checkout\/cs_/)
    }
    const sessions = JSON.parse((await ask('/_sandbox/sessions', { headers: local })).text).data.sessions
    expect(sessions[0].checkoutUrl).toMatch(/^https:\/\/pay\.team\.test\/checkout\/cs_/)
    expect(connection).toMatchObject({ publicUrl, url: `http://127.0.0.1:${connection.port}` })
    const connectionBy = async (headers: object) =>
      JSON.parse((await ask('/_sandbox/connection', { headers })).text).data
    expect(await connectionBy({})).toMatchObject({ publicUrl, url: publicUrl })
    expect(await connectionBy(local)).toMatchObject({ publicUrl, url: connection.url })
  })

  test('the cookie is Secure for a caller by an https URL, and not by loopback', async () => {
    const { ask, connection } = await published()
    const cookieFor = async (Host: string) =>
      String((await ask(`/?token=${token}`, { headers: { Host } })).headers['set-cookie'])
    expect(await cookieFor('pay.team.test')).toContain('Secure')
    expect(await cookieFor(new URL(connection.url).host)).not.toContain('Secure')
  })

  test('without a token a sandbox starts only with a public URL on loopback', async () => {
    const start = (url: string) => startSandbox({ state: temporaryFolder(), publicUrl: url })
    await expect(start(publicUrl)).rejects.toThrow(TokenNeeded)
    await expect(start('https://192.0.2.1')).rejects.toThrow(TokenNeeded)
    for (const url of ['http://localhost:9000', 'http://[::1]:9000']) await (await start(url)).close()
  })

  test('a text that is not the URL of a host is refused, by the command and by the library', async () => {
    expect(parsePublicOrigin('HTTPS://Pay.Team.Test:443/')).toBe(publicUrl)
    for (const text of ['pay.team.test', 'https://pay.team.test/shop', 'https://u:p@pay.test', '']) {
      const { code, stderr } = await runCommand(['sandbox', 'start', '--public-url', text])
      const why = `--public-url ${text.replace('u:p', '***') || "''"}: it must be a URL`
      expect([code, stderr]).toEqual([2, expect.stringContaining(why)])
      await expect(createSandbox({ publicUrl: text })).rejects.toThrow(InvalidOption)
    }
  })
})

if (findNginx() === undefined) process.stderr.write(noNginx)

describe.skipIf(findNginx() === undefined && !process.env.CI)(
  'a sandbox behind nginx as docs/reverse-proxy.md sets it',
  () => {
    test('behind nginx the API, pages, their forms and event streams work', async () => {
      const { state, connection, asker } = await published()
      const { cert, key } = await ensureCertificate(state, 'pay.team.test')
      const port = await startNginx({
        page: 'reverse-proxy.md',
        ports: { '127.0.0.1:8455': connection.port },
        cert,
        key,
      })
      const { url, ask, takeSale, createSession } = asker(port, cert)

      const streaming = get(`${url}/_sandbox/events`, { ca: cert, headers: usual, agent: false })
      const [events] = await once(streaming, 'response')
      expect(events.headers['content-type']).toContain('text/event-stream')
      const { data: taken } = await takeSale()
      let received = ''
      for await (const chunk of events.setEncoding('utf8')) {
        received += chunk
        if (received.includes(taken.transactionId)) break
      }
      expect(received).toContain(taken.transactionId)

      const dashboard = await ask(`/?token=${token}`, { headers: { 'X-Sandbox-Token': '' } })
      const cookie = String(dashboard.headers['set-cookie']).split(';')[0]
      expect(dashboard.status).toBe(303)
      expect(dashboard.headers.location).toBe('/')
      const page = await ask('/', { headers: { 'X-Sandbox-Token': '', Cookie: cookie } })
      expect([page.status, page.text.includes(taken.transactionId)]).toEqual([200, true])

      const { data: session } = await createSession()
      const { pathname } = new URL(session.checkoutUrl)
      const cancel = (Origin: string) =>
        ask(`${pathname}/cancel`, {
          method: 'POST',
          headers: { Origin, 'Content-Type': 'application/x-www-form-urlencoded', 'X-Sandbox-Token': '' },
        })
      expect((await cancel('https://evil.example')).status).toBe(403)
      expect((await cancel(publicUrl)).status).toBe(303)
    })
  },
)
