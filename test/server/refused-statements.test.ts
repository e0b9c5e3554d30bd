import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { operations } from '../../src/contract/operations.ts'
import { openNode } from '../support/cluster/cluster-node.ts'
import { sharedCluster, skipsPostgres } from '../support/cluster/postgres.ts'
import { apiHeaders, sale } from '../support/service/service.ts'

const again = 'Send the request again with the same ids'

test.skipIf(skipsPostgres())('a refused payment says why the database fails, and the remedy', async () => {
  const cluster = await sharedCluster()
  const schema = `lost_${randomUUID().slice(0, 8)}`
  await (await openNode(cluster.url(schema))).close()
  const { role, url } = await cluster.createUser(schema)
  await cluster.ask(
    `grant usage on schema ${schema} to ${role};
        grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
  )
  const { ask, count } = await openNode(url, { sessionIdleMs: 1_000 })
  const reconnect = `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`
  const failing = (code: string, message: string) =>
    `create or replace function ${schema}.fail() returns trigger language plpgsql
        as 'begin raise exception using errcode = $q$${code}$q$, message = $q$${message}$q$; end';
        create trigger fail before insert on ${schema}.events execute function ${schema}.fail()`
  const mended = `drop trigger fail on ${schema}.events`
  for (const [hinder, mend, detail, remedy] of [
    [
      `revoke insert on ${schema}.events from ${role}`,
      'as the remedy says',
      'permission denied for table events',
      `As the owner of the schema: GRANT .* TO ${role}\\. ${again}`,
    ],
    [
      `revoke usage on schema ${schema} from ${role}; ${reconnect}`,
      'as the remedy says',
      'relation "spaces" does not exist',
      `If a table was removed: .*\\. If the user lacks a right: As the owner of the schema: GRANT USAGE ON SCHEMA ${schema} TO ${role}; `,
    ],
    [
      `alter table ${schema}.events rename to lost`,
      `alter table ${schema}.lost rename to events`,
      'relation "events" does not exist',
      'If a table was removed: restore it from a backup, or use another schema, which is made: \\?schema=another_name\\. ',
    ],
    [
      `alter role ${role} set default_transaction_read_only = on; ${reconnect}`,
      `alter role ${role} reset default_transaction_read_only; ${reconnect}`,
      '.* in a read-only transaction',
      `It is read-only: use the URL of the primary server, .*\\. ${again}`,
    ],
    [
      failing('53100', 'could not extend file'),
      mended,
      'could not extend file',
      `Free up space on the disk of the database server\\. ${again}`,
    ],
    [
      failing('57014', 'canceling statement due to statement timeout'),
      mended,
      'canceling statement due to statement timeout',
      `Look for the cause in the log of the database server\\. ${again}`,
    ],
  ] as const) {
    const payment = sale(1000)
    const pay = () => ask('POST', operations.sale.path, payment, apiHeaders())
    const refused = {
      httpStatus: 503,
      code: 'SBX_STORE_FAIL',
      detail: expect.stringMatching(new RegExp(`^The database .* cannot be used: ${detail}$`)),
      remedy: expect.stringMatching(new RegExp(`^${remedy}`)),
    }
    await cluster.ask(hinder)
    await expect.poll(pay).toMatchObject(refused)
    const answer = await pay()
    expect(answer).toMatchObject(refused) // however often it is sent
    const grants = [...answer.remedy.matchAll(/GRANT [^;.]+/g)].map(([statement]) => statement)
    await cluster.ask(mend === 'as the remedy says' ? grants.join(';') : mend)
    await expect.poll(async () => (await pay()).code).toMatch(/^(0|SBX_DUP_TXN_ID)$/)
  }
  expect(await count()).toBe(6)
})
