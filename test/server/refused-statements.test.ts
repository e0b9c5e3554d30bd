import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { operations } from '../../src/contract/operations.ts'
import { apiHeaders, openNode } from '../support/cluster/cluster-node.ts'
import { sharedCluster, skipsPostgres } from '../support/cluster/postgres.ts'
import { apiKey, sale } from '../support/service/service.ts'

/** A node whose user has the rights that a start asks for, and no others. */
async function nodeOfClerk() {
  const cluster = await sharedCluster()
  const name = randomUUID().slice(0, 8)
  const [schema, role] = [`lost_${name}`, `lost_clerk_${name}`]
  await (await openNode(cluster.url(schema))).close()
  await cluster.ask(
    `create role ${role} login password '${cluster.password}'; grant usage on schema ${schema} to ${role};
      grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
  )
  const store = cluster.url(schema).replace('tillbox:', `${role}:`)
  const { ask } = await openNode(store, { sessionIdleMs: 1_000 })
  return { cluster, schema, role, ask }
}

describe.skipIf(skipsPostgres())('a database that stops carrying out statements while a node runs', () => {
  test('the answer to a payment names a lost right and the GRANT that restores it', async () => {
    const { cluster, schema, role, ask } = await nodeOfClerk()
    const payment = sale(1000)
    const pay = () => ask('POST', operations.sale.path, payment, apiHeaders(apiKey))
    await cluster.ask(`revoke insert on ${schema}.events from ${role}`)
    const refused = {
      httpStatus: 503,
      code: 'SBX_STORE_FAIL',
      detail: expect.stringMatching(/^The database .* cannot be used: permission denied for table events$/),
      remedy: expect.stringMatching(
        new RegExp(
          `^As the owner of the schema: GRANT .* TO ${role}\\. Send the request again with the same ids`,
        ),
      ),
    }
    expect(await pay()).toMatchObject(refused)
    const { remedy } = await pay()
    expect(await pay()).toMatchObject(refused)
    for (const [statement] of remedy.matchAll(/GRANT [^;.]+/g)) await cluster.ask(statement)
    await expect.poll(async () => (await pay()).code).toMatch(/^(0|SBX_DUP_TXN_ID)$/)
    expect((await ask('GET', '/_sandbox/state')).code).toBe('0')
  })

  test('the answer names a lost schema right, a read-only database, a full disk or another failure, until it is mended', async () => {
    const { cluster, schema, role, ask } = await nodeOfClerk()
    const reconnect = `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`
    const failing = (code: string, message: string) =>
      `create or replace function ${schema}.fail() returns trigger language plpgsql
        as 'begin raise exception using errcode = $q$${code}$q$, message = $q$${message}$q$; end';
        create trigger fail before insert on ${schema}.events execute function ${schema}.fail()`
    const mended = `drop trigger fail on ${schema}.events`
    for (const [hinder, mend, detail, remedy] of [
      [
        `revoke usage on schema ${schema} from ${role}; ${reconnect}`,
        `grant usage on schema ${schema} to ${role}`,
        '^The database .* cannot be used: relation "spaces" does not exist$',
        `^As the owner of the schema: GRANT USAGE ON SCHEMA ${schema} TO ${role}; `,
      ],
      [
        `alter role ${role} set default_transaction_read_only = on; ${reconnect}`,
        `alter role ${role} reset default_transaction_read_only; ${reconnect}`,
        '^The database .* cannot be used: .* in a read-only transaction$',
        '^It is read-only: use the URL of the primary server, .*\\. Send the request again with the same ids',
      ],
      [
        failing('53100', 'could not extend file'),
        mended,
        '^The database .* cannot be used: could not extend file$',
        '^Free up space on the disk of the database server\\. Send the request again with the same ids',
      ],
      [
        failing('57014', 'canceling statement due to statement timeout'),
        mended,
        '^The database .* cannot be used: canceling statement due to statement timeout$',
        '^Look for the cause in the log of the database server\\. Send the request again with the same ids',
      ],
    ] as const) {
      const payment = sale(1000)
      const pay = () => ask('POST', operations.sale.path, payment, apiHeaders(apiKey))
      await cluster.ask(hinder)
      await expect.poll(pay).toMatchObject({
        httpStatus: 503,
        code: 'SBX_STORE_FAIL',
        detail: expect.stringMatching(new RegExp(detail)),
        remedy: expect.stringMatching(new RegExp(remedy)),
      })
      await cluster.ask(mend)
      await expect.poll(async () => (await pay()).code).toMatch(/^(0|SBX_DUP_TXN_ID)$/)
    }
  })
})
