import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { operations } from '../../src/contract/operations.ts'
import { certificateOf } from '../../src/server/certificate.ts'
import { type Cluster, sharedCluster, skipsPostgres } from '../support/cluster/postgres.ts'
import { launchBinary } from '../support/commands/binary.ts'
import { awaitSandbox } from '../support/commands/running-sandbox.ts'
import { findNginx, noNginx, startNginx } from '../support/network/nginx.ts'
import { freePort } from '../support/network/ports.ts'
import { newId } from '../support/service/new-id.ts'
import { temporaryFolder } from '../support/service/service.ts'

const [token, ownKey] = ['a-token-of-the-test-0001', 'tbx_sandbox_of_the_team_0001']

if (findNginx() === undefined) process.stderr.write(noNginx)

interface Service {
  readonly command: string
  readonly environment: Readonly<Record<string, string>>
}

/** The services of the compose file of docs/shared.md. */
function composed(): Readonly<Record<'db' | 'node1' | 'node2', Service>> {
  const page = readFileSync(new URL('../../docs/shared.md', import.meta.url), 'utf8')
  return parse(/```yaml\n(services:[\s\S]*?)```/.exec(page)?.[1] ?? '', { merge: true }).services
}

/** What the database's image makes: a user with that password, and a database of the same name. */
async function makeDatabase(cluster: Cluster, { environment }: Service): Promise<void> {
  const { POSTGRES_USER: user, POSTGRES_PASSWORD: password } = environment
  expect(password).toMatch(/DB_PASSWORD/)
  await cluster.ask(`alter role ${user} password '${cluster.password}'`)
  await cluster.ask(`create database ${user} owner ${user}`)
}

describe.skipIf(skipsPostgres() || (findNginx() === undefined && !process.env.CI))(
  'the compose file and the proxy of docs/shared.md, started by hand',
  () => {
    test('clients of the proxy do not notice that a node stops and comes back', async () => {
      const cluster = await sharedCluster()
      const { db, node1, node2 } = composed()
      await makeDatabase(cluster, db)
      const ports = { 'node1:8455': await freePort(), 'node2:8455': await freePort() }
      /** The service's own command and environment, with the addresses of this machine. */
      const start = ({ command, environment }: Service) => {
        const here = (text: string) =>
          Object.entries(ports).reduce(
            (given, [name, port]) => given.replace(name, `127.0.0.1:${port}`),
            text,
          )
        const args = here(command).replace('--host 0.0.0.0', '--host 127.0.0.1').split(' ')
        const port = new URL(args[args.indexOf('--node-url') + 1] ?? '').port
        const values = new Map([
          ['DB_PASSWORD', cluster.password],
          ['TILLBOX_TOKEN', token],
          ['API_KEY', ownKey],
          ['TILLBOX_SANDBOX_API_KEY', ownKey],
        ])
        const env = Object.fromEntries(
          Object.entries(environment).map(([name, text]) => [
            name,
            text
              .replace(/\$\{(\w+)\}/g, (_, variable) => values.get(variable) ?? '')
              .replace('@db/', `@127.0.0.1:${cluster.port}/`),
          ]),
        )
        return awaitSandbox(launchBinary([...args, '--port', port, '--json'], { env }))
      }
      const [one, two] = [await start(node1), await start(node2)]
      const { cert, key } = await certificateOf(temporaryFolder(), 'pay.team.test')
      const proxy = await startNginx({ page: 'shared.md', ports, cert, key })
      const { appId, merchantId } = one
      const sell = () =>
        postThrough(proxy, cert, {
          appId,
          merchantId,
          terminalSn: 'TBX-AUTO-001',
          transactionRequestId: newId(),
          referenceOrderId: newId(),
          amount: { orderAmount: 100, priceCurrency: 'USD' },
        })
      const sellSome = async () => {
        for (let count = 0; count < 4; count++) expect(await sell()).toMatchObject({ code: '0' })
      }

      await sellSome()
      expect((await one.stop('SIGTERM')).code).toBe(0)
      await sellSome()
      const back = await start(node1)
      expect((await two.stop('SIGTERM')).code).toBe(0)
      await sellSome()
      expect((await stateOf(back.url)).transactions).toBe(12)
    })
  },
)

/** Takes a sale through the proxy; resolves to the envelope, or to what else was answered. */
function postThrough(port: number, ca: string, members: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = {
      Host: 'pay.team.test',
      Authorization: `Bearer ${ownKey}`,
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
