import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { operations } from '../../src/contract/operations.ts'
import { certificateOf } from '../../src/server/certificate.ts'
import { startNode } from '../../src/server/cluster/start-node.ts'
import { sharedCluster, skipsPostgres } from '../support/cluster/postgres.ts'
import { findNginx, noNginx, startNginx } from '../support/network/nginx.ts'
import { freePort } from '../support/network/ports.ts'
import { newId } from '../support/service/new-id.ts'
import { temporaryFolder } from '../support/service/service.ts'

const publicUrl = 'https://pay.team.test'
const token = 'a-token-of-the-test-0001'

if (findNginx() === undefined) process.stderr.write(noNginx)

describe.skipIf(skipsPostgres() || (findNginx() === undefined && !process.env.CI))(
  'two nodes behind nginx as docs/shared.md sets it',
  () => {
    test('clients of the proxy do not notice that a node stops and comes back', async () => {
      const cluster = await sharedCluster()
      const store = cluster.url()
      const start = async (port: number) => {
        const running = await startNode({ store, state: temporaryFolder(), port, publicUrl, token })
        onTestFinished(() => running.close())
        return running
      }
      const [first, second] = [await freePort(), await freePort()]
      const [one, two] = [await start(first), await start(second)]
      const { cert, key } = await certificateOf(temporaryFolder(), 'pay.team.test')
      const ports = { 'node1:8455': first, 'node2:8455': second }
      const proxy = await startNginx({ page: 'shared.md', ports, cert, key })
      const { appId, merchantId } = one.connection
      const sell = () =>
        postThrough(proxy, cert, one.connection.apiKey, {
          appId,
          merchantId,
          terminalSn: 'TBX-AUTO-001',
          transactionRequestId: newId(),
          referenceOrderId: newId(),
          amount: { orderAmount: 100, priceCurrency: 'USD' },
        })
      const sellSome = async () => {
        for (let count = 0; count < 6; count++) expect(await sell()).toMatchObject({ code: '0' })
      }

      await sellSome()
      await one.close()
      await sellSome()
      const back = await start(first)
      await two.close()
      await sellSome()
      expect((await stateOf(back.connection.url)).transactions).toBe(18)
    })
  },
)

/** Takes a sale through the proxy; resolves to the envelope, or to what else was answered. */
function postThrough(port: number, ca: string, apiKey: string, members: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = {
      Host: 'pay.team.test',
      Authorization: `Bearer ${apiKey}`,
      'X-Client-Request-Id': newId(),
      'X-Timestamp': String(Date.now()),
      'Content-Type': 'application/json',
    }
    const { path } = operations.sale
    const where = { host: '127.0.0.1', port, path, method: 'POST', headers, agent: false }
    const outgoing = request({ ...where, ca, servername: 'pay.team.test' }, (incoming) => {
      const { statusCode: status } = incoming
      text(incoming).then((body) => resolve(status === 200 ? JSON.parse(body) : { status, body }), reject)
    })
    outgoing.on('error', reject)
    outgoing.end(JSON.stringify(members))
  })
}

async function stateOf(url: string): Promise<{ transactions: number }> {
  const answer = await fetch(`${url}/_sandbox/state`, { headers: { 'X-Sandbox-Token': token } })
  return (await answer.json()).data
}
