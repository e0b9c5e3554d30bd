import { describe, expect, test } from 'vitest'
import { operations } from '../../src/contract/operations.ts'
import { headersFor, openNode } from '../support/cluster-node.ts'
import { noPostgres, sharedCluster, skipsPostgres } from '../support/postgres.ts'
import { apiKey, sale } from '../support/service.ts'

if (skipsPostgres()) process.stderr.write(noPostgres)

/** A node whose user has the rights that a start asks for, and no others. */
async function nodeOfClerk() {
  const cluster = await sharedCluster()
  const [schema, role] = [`lost_${process.pid}`, `lost_clerk_${process.pid}`]
  await (await openNode(cluster.url(schema))).close()
  await cluster.ask(
    `create role ${role} login password '${cluster.password}'; grant usage on schema ${schema} to ${role};
      grant select, insert, update, delete on all tables in schema ${schema} to ${role};
      grant usage on all sequences in schema ${schema} to ${role}`,
  )
  const store = cluster.url(schema).replace('tillbox:', `${role}:`)
  const { ask } = await openNode(store, { leaseMs: 1_000 })
  return { cluster, schema, role, ask }
}

describe.skipIf(skipsPostgres())('a right of the database user that is taken away while a node runs', () => {
  test('is named with its GRANT in the answer to a payment, and to a look-up; the GRANT is enough', async () => {
    const { cluster, schema, role, ask } = await nodeOfClerk()
    const payment = sale(1000)
    const pay = () => ask('POST', operations.sale.path, payment, headersFor(apiKey))
    const look = () => ask('GET', '/_sandbox/state')
    await cluster.ask(`revoke update on ${schema}.spaces from ${role}`)
    const refused = {
      httpStatus: 503,
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
    expect(await pay()).toMatchObject(refused)
    // Its lease ends: then nothing is answered from memory either.
    await expect
      .poll(look)
      .toMatchObject({ ...refused, remedy: expect.stringMatching(/GRANT .*\. Then ask again$/) })
    const { remedy } = await pay()
    expect(await pay()).toMatchObject(refused)
    for (const [statement] of remedy.matchAll(/GRANT [^;.]+/g)) await cluster.ask(statement)
    await expect.poll(async () => (await pay()).code).toMatch(/^(0|SBX_DUP_TXN_ID)$/)
    expect((await look()).code).toBe('0')
  })
})
