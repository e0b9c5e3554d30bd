import { describe, expect, onTestFinished, test } from 'vitest'
import { startNode } from '../../src/server/cluster/start-node.ts'
import { noPostgres, sharedCluster, skipsPostgres } from '../support/postgres.ts'
import { apiKey, newId, sale, temporaryFolder } from '../support/service.ts'

if (skipsPostgres()) process.stderr.write(noPostgres)

/** A node whose user has the rights that a start asks for, and no others. */
async function nodeOfClerk() {
  const cluster = await sharedCluster()
  const [schema, role] = [`lost_${process.pid}`, `lost_clerk_${process.pid}`]
  const begin = async (store: string) => {
    const node = await startNode({ store, state: temporaryFolder(), leaseMs: 1_000 })
    onTestFinished(() => node.close())
    return node
  }
  await (await begin(cluster.url(schema))).close()
  await cluster.ask(
    `create role ${role} login password '${cluster.password}'; grant usage on schema ${schema} to ${role};
      grant select, insert, update, delete on all tables in schema ${schema} to ${role};
      grant usage on all sequences in schema ${schema} to ${role}`,
  )
  const { url } = (await begin(cluster.url(schema).replace('tillbox:', `${role}:`))).connection
  const ask = async (path: string, members?: object) => {
    const answer = await fetch(url + path, {
      method: members === undefined ? 'GET' : 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        'X-Client-Request-Id': newId(),
        'X-Timestamp': String(Date.now()),
      },
      ...(members && { body: JSON.stringify(members) }),
    })
    const said = (await answer.json()) as { code: string; detail?: string; remedy?: string }
    return { status: answer.status, code: said.code, detail: said.detail ?? '', remedy: said.remedy ?? '' }
  }
  return { cluster, schema, role, ask }
}

describe.skipIf(skipsPostgres())('a right of the database user that is taken away while a node runs', () => {
  test('is named with its GRANT in the answer to a payment, and to a look-up; the GRANT is enough', async () => {
    const { cluster, schema, role, ask } = await nodeOfClerk()
    const payment = sale(1000)
    const pay = () => ask('/v1/semi-integration/transaction/sale', payment)
    const look = () => ask('/_sandbox/state')
    await cluster.ask(`revoke update on ${schema}.spaces from ${role}`)
    const refused = {
      status: 503,
      code: 'SBX_STORE_FAIL',
      detail: expect.stringMatching(
        new RegExp(`^The user ${role} lacks rights in the schema ${schema} of .*: UPDATE on spaces$`),
      ),
      remedy: expect.stringMatching(
        new RegExp(
          `^As the owner of the tables: GRANT .* TO ${role}\\. Send the request again with the same ids`,
        ),
      ),
    }
    expect(await pay()).toEqual(refused)
    // Its lease ends: then nothing is answered from memory either.
    await expect
      .poll(look)
      .toEqual({ ...refused, remedy: expect.stringMatching(/GRANT .*\. Then ask again$/) })
    const { remedy } = await pay()
    expect(await pay()).toEqual(refused)
    for (const [statement] of remedy.matchAll(/GRANT [^;.]+/g)) await cluster.ask(statement)
    await expect.poll(async () => (await pay()).code).toMatch(/^(0|SBX_DUP_TXN_ID)$/)
    expect((await look()).code).toBe('0')
  })
})
