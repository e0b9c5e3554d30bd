import { beforeAll, describe, expect, test } from 'vitest'
import { type ControlName, controlPath, controls } from '../../../src/contract/control/controls/controls.ts'
import { signatureSchemes } from '../../../src/contract/control/webhook-signing.ts'
import { operationNames, operationRow, operations } from '../../../src/contract/operations.ts'
import type { TestSandbox } from '../../../src/library/index.ts'
import { openNode, openTwo } from '../../support/cluster/cluster-node.ts'
import { type Cluster, sharedCluster, skipsPostgres } from '../../support/cluster/postgres.ts'
import { askJson } from '../../support/network/ask-json.ts'
import { fetchPlain } from '../../support/pages/shop-front.ts'
import { answersIn, bytesAfter, openRawSandbox, requestText } from '../../support/service/raw.ts'
import { openTestSandbox } from '../../support/service/test-sandbox.ts'

const dollars = { amount: 1000, priceCurrency: 'USD', referenceOrderId: 'ORDER-1' }

/** The User-Agent of every notification. */
const mark = { 'User-Agent': 'tillbox-webhook' }

/** Every path that answers requests: controls, pages, agents, metrics, the API, and a space. */
const everyPath: readonly (readonly [method: string, path: string])[] = [
  ...(Object.keys(controls) as ControlName[]).map(
    (name) => [controls[name].method, controlPath(name, { sn: '1', id: '1', name: '1' })] as const,
  ),
  ...operationNames.map((name) => [operationRow(name).method, operationRow(name).path] as const),
  ...[
    '/',
    '/reset',
    '/requests',
    '/checkout/cs_1/pay',
    '/mcp',
    '/metrics',
    '/_assets/style.css',
    '/nowhere',
  ].map((path) => ['POST', path] as const),
  ['POST', '/s/none/_sandbox/stop'],
]

/** Sends what a notification looks like to every path; each refuses it before anything else. */
async function refusesEverywhere(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  for (const [method, path] of everyPath) {
    const { status, text } = await fetchPlain(url + path, {
      method,
      headers,
      ...(method !== 'GET' && { body: '{}' }),
    })
    expect([method, path, status, text]).toEqual([method, path, 403, expect.stringContaining('webhook')])
  }
}

describe('assumption webhook-targets: a notification steers no sandbox', () => {
  test.each([mark, { 'X-Signature': 'a' }, { 'webhook-signature': 'a' }])(
    '%o is refused on every path',
    async (headers) => {
      const { connection } = await openRawSandbox({ metrics: true })
      await refusesEverywhere(connection.url, headers)
    },
  )

  test.each(signatureSchemes)(
    'that of another sandbox resets nothing, however it is signed: %s',
    async (signature) => {
      const target = await openTestSandbox()
      const sender = await openTestSandbox({ signature, retries: 'none' })
      const notifyUrl = `${target.url}/_sandbox/reset`
      const { transactionId } = await sender.client.sale({ ...dollars, notifyUrl })
      await target.client.sale(dollars)
      const id = await attempted(sender)
      for (const edited of [
        {},
        { sign: false, headers: { 'X-Other': '1' } },
        { headers: { 'X-Other': '1' } },
      ]) {
        const sent = await sendEdited(sender, id, { to: notifyUrl, body: '{}', ...edited })
        expect(sent).toMatchObject({ httpStatus: 200, data: { status: 403 } })
      }
      const named = await sender.webhooks.send(transactionId, { to: notifyUrl })
      expect(named.status).toBe(403)
      const other = { headers: { 'user-agent': 'mine' }, body: '{}', to: notifyUrl }
      expect(await sendEdited(sender, id, other)).toMatchObject({ code: 'C17', field: 'headers' })
      expect(await target.state()).toMatchObject({ transactions: 1 })
    },
  )

  describe.skipIf(skipsPostgres())('nor a node of a database', () => {
    let cluster: Cluster
    beforeAll(async () => {
      cluster = await sharedCluster()
    })

    test('it is refused on every path, whatever its Host', async () => {
      const { url, ask } = await openNode(cluster.url())
      for (const headers of [mark, { 'X-Signature': 'a' }]) await refusesEverywhere(url, headers)
      for (const path of ['/_sandbox/stop', '/_sandbox/health'])
        expect((await fetchPlain(url + path, { method: 'POST', headers: { Host: 'a.1' } })).status).toBe(400)
      expect((await ask('GET', '/_sandbox/health')).httpStatus).toBe(200)
    })

    test('no node passes on what it refuses to the node of the space', async () => {
      const nodes = await openTwo(cluster.url())
      for (const { ask } of nodes) expect((await ask('GET', '/_sandbox/state')).httpStatus).toBe(200)
      for (const { url } of nodes) {
        await refusesEverywhere(url, mark)
        const { port } = new URL(url)
        const host = `Host: 127.0.0.1:${port}`
        for (const [status, ...lines] of [
          [400, 'POST /_sandbox/reset HTTP/1.1', 'Content-Length: 0'],
          [400, 'GET http://shop.example/_sandbox/state HTTP/1.1', host],
          [400, 'GET /_sandbox/state HTTP/1.1', host, host],
          [403, 'GET /_sandbox/state HTTP/1.1', 'Host: shop.example'],
          [403, `POST ${operations.sale.path} HTTP/1.1`, 'Content-Length: 0', 'Host: shop.example'],
        ] as const) {
          const text = requestText(...lines, 'Connection: close')
          const [answer] = answersIn(await bytesAfter(Number(port), text))
          expect([lines, answer?.status]).toEqual([lines, status])
        }
      }
    })
  })
})

/** The id of the first webhook of a sandbox, once it was attempted. */
async function attempted({ webhooks }: TestSandbox): Promise<string> {
  await webhooks.delivered()
  const [first] = await webhooks.list()
  return first?.id ?? ''
}

const sendEdited = ({ url }: TestSandbox, id: string, members: object) =>
  askJson(`${url}${controlPath('send-webhook-body', { id })}`, 'POST', members)
