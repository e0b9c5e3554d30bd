import { describe, expect, onTestFinished, test } from 'vitest'
import { operations } from '../../../../src/contract/operations.ts'
import {
  checkedAddresses,
  listeningUrls,
  refusedAsOwn,
  refusedAtOnce,
  TargetRefused,
} from '../../../../src/sandbox/webhooks/webhook-target.ts'
import { startSandbox } from '../../../../src/server/server.ts'
import { openDashboard } from '../../../support/pages/dashboard.ts'
import { fetchPlain } from '../../../support/pages/shop-front.ts'
import { goodHeaders, openRawSandbox } from '../../../support/service/raw.ts'
import { apiHeaders, sale, temporaryFolder } from '../../../support/service/service.ts'
import { openReceiver } from '../../../support/webhooks/webhook-receiver.ts'

const reset = '/_sandbox/reset'

/** Names of this machine, as a request may write them. */
const names = [
  '127.0.0.1',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  '127.1',
  '2130706433',
  '127.8.9.10',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '0.0.0.0',
  '[::]',
]

const itself = /^cannot be called: port \d+ of this machine is the sandbox itself; name the port/
const refused = (field: string) => ({ code: 'C17', field, detail: expect.stringMatching(itself) })

/** Rules by which a sandbox at this port may call one other host. */
const rules = (port: number) => ({
  allowedHosts: ['shop.example'],
  sandboxUrls: () => listeningUrls(port, null),
})

/** A sandbox with one sale, and a way to ask it for anything. */
async function open() {
  const dashboard = await openDashboard({ retries: [] })
  const { port } = new URL(dashboard.url)
  const transactionId = await dashboard.sell(1000)
  const headers = () => Object.fromEntries(goodHeaders().map((line) => line.split(': ') as [string, string]))
  const post = async (path: string, members: object) => {
    const asked = { method: 'POST', headers: headers(), body: JSON.stringify(members) }
    return JSON.parse((await fetchPlain(`${dashboard.url}${path}`, asked)).text)
  }
  return { ...dashboard, port, post, transactionId }
}

describe('assumption webhook-targets: the sandbox never calls itself', () => {
  test.each(names)('%s and its port are the sandbox itself', (name) => {
    const url = new URL(`http://${name}:8455${reset}`)
    const why = refusedAsOwn(url, { allowedHosts: [], sandboxUrls: () => listeningUrls(8455, null) })?.why
    expect(why).toMatch(/^port 8455 of this machine is the sandbox itself/)
  })

  test('a request that names the sandbox itself is refused, and nothing is stored', async () => {
    const { sandbox, post, port, transactionId } = await open()
    const stored = () =>
      [...sandbox.engine.state.ledgers.values()].map(({ transactions }) => transactions.size)
    const before = stored()
    const url = `http://localhost:${port}${reset}`
    for (const member of ['notifyUrl', 'terminalEventNotifyUrl'])
      expect(await post(operations.sale.path, sale(1, { [member]: url }))).toMatchObject(refused(member))
    const send = { transactionId, to: url }
    expect(await post('/_sandbox/webhooks/send', send)).toMatchObject(refused('to'))
    const resent = await post('/_sandbox/webhooks/resend', { all: true, to: url })
    expect(resent).toMatchObject({ code: 'C17', field: 'to' })
    expect(stored()).toEqual(before)
  })

  test('every operation that takes a URL refuses one of the sandbox itself', async () => {
    const { post, url } = await open()
    const taking = Object.values(operations).filter(
      ({ method, input }) => method === 'POST' && 'notifyUrl' in input.entries,
    )
    expect(taking.length).toBeGreaterThan(5)
    for (const { path } of taking) {
      const answer = await post(path, { notifyUrl: url })
      expect([path, answer.code]).toEqual([path, 'C17'])
    }
  })

  test('a name of this machine is refused when it is called', async () => {
    const check = (port: number, address: string) =>
      checkedAddresses(new URL('http://shop.example:8455/'), rules(port), async () => [{ address }])
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.3.4.5', '0.0.0.0']) {
      await expect(check(8455, address), address).rejects.toThrow(TargetRefused)
      expect(await check(8456, address), address).toHaveLength(1)
    }
    expect(await check(8455, '192.0.2.7')).toHaveLength(1)
  })

  test.each([
    ['http://node-b.example:8456/reset', 'node-b.example'],
    ['http://127.0.0.1:8457/reset', 'this machine'],
    ['http://[::1]:8457/reset', 'this machine'],
    ['https://tillbox.example/s/ci/reset', 'tillbox.example'],
    ['http://tillbox.example:443/', 'tillbox.example'],
  ])('the URL of another node and the public URL are the sandbox itself: %s', (url, place) => {
    const nodes = ['http://node-b.example:8456', 'http://127.0.0.1:8457']
    const sandboxUrls = () => [...listeningUrls(8455, 'https://tillbox.example'), ...nodes]
    const allowedHosts = ['node-b.example', 'tillbox.example']
    const { why } = refusedAtOnce(new URL(url), { allowedHosts, sandboxUrls }) ?? {}
    expect(why).toMatch(new RegExp(`of ${place} is the sandbox itself`))
    expect(refusedAtOnce(new URL(url), { allowedHosts })).toBeNull()
  })

  test('loopback must be allowed on a sandbox that others reach', async () => {
    const url = new URL('http://127.0.0.1:9/')
    const check = (allowedHosts: string[], isShared: boolean) =>
      checkedAddresses(url, { allowedHosts, isShared })
    const words = /others reach; allow the host with --allow-webhook-host 127/
    await expect(check([], true)).rejects.toThrow(words)
    expect(await check(['127.0.0.1'], true)).toHaveLength(1)
    await expect(check(['localhost'], true)).rejects.toThrow(words) // as the URL names it
    expect(await check([], false)).toHaveLength(1)
  })

  test.each([
    ['0.0.0.0', null],
    ['127.0.0.1', 'https://tillbox.example'],
  ])('assumption webhook-targets: reached at %s or %s, it calls no loopback', async (host, publicUrl) => {
    const token = 'a'.repeat(32)
    const { sandbox, close } = await startSandbox({ state: temporaryFolder(), host, publicUrl, token })
    onTestFinished(close)
    const { remedy } = refusedAtOnce(new URL('http://[::1]:9/'), sandbox.webhookLimits) ?? {}
    expect(remedy).toContain('allow the host')
  })

  test('a sandbox that begins to listen while the name is looked up is not called', async () => {
    let port: number | null = null
    const slow = async () => {
      port = 8455
      return [{ address: '127.0.0.1' }]
    }
    const itself = { allowedHosts: [], sandboxUrls: () => listeningUrls(port, null) }
    const check = checkedAddresses(new URL('http://localhost:8455/'), itself, slow)
    await expect(check).rejects.toThrow(TargetRefused)
  })

  test('a delivery accepted by an earlier start is not sent to the port of this one', async () => {
    const state = temporaryFolder()
    const receiver = await openReceiver(500)
    const first = await openRawSandbox({ state, retries: [1] })
    const body = JSON.stringify(sale(1, { notifyUrl: `${receiver.url}${reset}` }))
    const asked = { method: 'POST', headers: apiHeaders(), body }
    await fetchPlain(`${first.connection.url}${operations.sale.path}`, asked)
    await receiver.got(1)
    await first.close()
    await receiver.close()
    const second = await openRawSandbox({ state, port: receiver.port, retries: [1] })
    await second.sandbox.courier.idle()
    const { transactions } = [...second.sandbox.engine.state.ledgers.values()][0] ?? {}
    expect(transactions?.size).toBe(1)
    expect(second.sandbox.log.list()).toEqual([])
  })

  test.each(['notifyUrl', 'forwardTo'])('a start refuses its own port as the %s', async (option) => {
    const { port } = await openReceiver()
    const options = { state: temporaryFolder(), port, [option]: `http://localhost:${port}${reset}` }
    await expect(startSandbox(options)).rejects.toMatchObject({
      name: 'UnusableTarget',
      message: expect.stringContaining('is the sandbox itself'),
      remedy: 'Name the port of your receiver',
    })
  })

  test('another port of this machine is called as usual', async () => {
    const { sell } = await open()
    const receiver = await openReceiver()
    await sell(1000, { notifyUrl: receiver.url })
    expect(await receiver.got(1)).toHaveLength(1)
  })
})
