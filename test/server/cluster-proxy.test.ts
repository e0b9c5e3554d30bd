import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { operations } from '../../src/contract/operations.ts'
import { ensureCertificate } from '../../src/server/certificate.ts'
import type { AnyJson } from '../support/any-json.ts'
import { sharedCluster, skipsPostgres } from '../support/cluster/postgres.ts'
import { launchBinary } from '../support/commands/binary.ts'
import { awaitSandbox } from '../support/commands/running-sandbox.ts'
import { hasNetworks, noNetworks, openNetwork, relay } from '../support/network/private-network.ts'
import { apiHeaders, sale, temporaryFolder } from '../support/service/service.ts'
import { findNginx, noNginx, startNginx } from './nginx.ts'

const [token, ownKey] = ['a-token-of-the-test-0001', 'tbx_sandbox_of_the_team_0001']

if (findNginx() === undefined) process.stderr.write(noNginx)
if (!hasNetworks()) process.stderr.write(noNetworks)

interface Service {
  readonly command: string
  readonly environment: Readonly<Record<string, string>>
}

/** The services of the compose file of docs/shared.md, with these values of variables. */
function composed(values: Readonly<Record<string, string>>): Record<'db' | 'node1' | 'node2', Service> {
  const page = readFileSync(new URL('../../docs/shared.md', import.meta.url), 'utf8')
  const file = /```yaml\n(services:[\s\S]*?)```/.exec(page)?.[1] ?? ''
  const filled = file.replace(/\$\{(\w+)\}/g, (_, name) => values[name] ?? '')
  return parse(filled, { merge: true }).services
}

describe.skipIf(skipsPostgres() || !hasNetworks() || (findNginx() === undefined && !process.env.CI))(
  'the compose file and the proxy of docs/shared.md, each service at a host of its own',
  () => {
    test('clients of the proxy do not notice that a node stops and comes back', async () => {
      const { password, port, ask } = await sharedCluster()
      const given = { DB_PASSWORD: password, TILLBOX_TOKEN: token, TILLBOX_SANDBOX_API_KEY: ownKey }
      const { db, node1, node2 } = composed(given)
      // As the image of the database does: a user with that password, and a database of the same name.
      const { POSTGRES_USER: user, POSTGRES_PASSWORD: ofUser } = db.environment
      expect(ofUser).toBe(password)
      await ask(`create database ${user} owner ${user}`)

      const at = await openNetwork('db', 'node1', 'node2', 'proxy pay.team.test', 'client')
      /** Ways into the network and out of it: sockets in a folder, which every host sees. */
      const sockets = temporaryFolder()
      const pass = (from: string, to: string, before?: string) =>
        launchBinary([from, to], { script: relay, ...(before && { before }) }).until(/ready/)
      await pass(join(sockets, 'db'), `127.0.0.1:${port}`)
      await pass('0.0.0.0:5432', join(sockets, 'db'), at('db'))
      const start = (host: string, { command, environment }: Service) => {
        const env = { ...environment, TILLBOX_PORT: '' }
        return awaitSandbox(launchBinary([...command.split(' '), '--json'], { env, before: at(host) }))
      }
      const [one, two] = [await start('node1', node1), await start('node2', node2)]
      const { cert, key } = await ensureCertificate(temporaryFolder(), 'pay.team.test')
      await startNginx({ page: 'shared.md', cert, key, before: at('proxy') })
      const socketPath = join(sockets, 'client')
      await pass(socketPath, 'pay.team.test:443', at('client'))
      const send = (method: string, path: string, headers: object, body = '') =>
        new Promise<AnyJson>((resolve, reject) => {
          const url = `https://pay.team.test${path}`
          const options = { socketPath, method, headers: { ...headers }, ca: cert, agent: false as const }
          request(url, options, (answer) => json(answer).then(resolve, reject))
            .on('error', reject)
            .end(body)
        })
      const sellSome = async () => {
        for (let count = 0; count < 4; count++) {
          const sold = send('POST', operations.sale.path, apiHeaders(ownKey), JSON.stringify(sale(100)))
          expect(await sold).toMatchObject({ code: '0' })
        }
      }

      await sellSome()
      expect((await one.stop('SIGTERM')).code).toBe(0)
      await sellSome()
      await start('node1', node1)
      expect((await two.stop('SIGTERM')).code).toBe(0)
      await sellSome()
      const { data } = await send('GET', '/_sandbox/state', { 'X-Sandbox-Token': token })
      expect(data.transactions).toBe(12)
    })
  },
)
