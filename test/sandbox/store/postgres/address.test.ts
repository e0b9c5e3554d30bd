import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { databaseAddress } from '../../../../src/sandbox/store/postgres/connection/address.ts'
import { isDatabaseUrl } from '../../../../src/shared/text/http-url.ts'
import { sharedCluster, skipsPostgres } from '../../../support/cluster/postgres.ts'
import { openAt } from '../../../support/cluster/space-storage.ts'

describe('the URL of a database', () => {
  test('a URL gives host, user, password and database, and settings have their defaults', () => {
    expect(databaseAddress('postgres://till%40x:p%2Fw@db.test:6000/shop')).toEqual({
      ...{ shown: 'postgres://till%40x@db.test:6000/shop', host: 'db.test', port: 6000, user: 'till@x' },
      ...{ password: 'p/w', database: 'shop', schema: 'tillbox', sslmode: 'disable', pool: 10 },
      ...{ statement_timeout: 10_000, connect_timeout: 5_000, unavailable_after: 3_000 },
    })
    const settings = 'schema=ci&sslmode=require&pool=2&statement_timeout=0.5'
    expect(databaseAddress(`postgresql://[::1]/shop?${settings}`)).toMatchObject({
      ...{ shown: 'postgresql://[::1]/shop?schema=ci', host: '::1', port: 5432, schema: 'ci' },
      ...{ sslmode: 'require', pool: 2, statement_timeout: 500 },
    })
  })

  test('a URL of a database is distinguished from the path of a folder', () => {
    const texts = ['postgres://db/x', 'postgresql://db/x', '/var/postgres', 'http://db/x']
    expect(texts.map(isDatabaseUrl)).toEqual([true, true, false, false])
  })

  const where = 'in the URL of the database'
  test.each([
    ['user:se cret@host:port/x', 'The URL of the database cannot be read. Write it as postgres:'],
    ['user:s@ecret/w#rd@host/x', 'characters such as @ and / in a password as %40 and %2F'],
    ['user:s@ecret?w=rd@host/x', 'characters such as @ and / in a password as %40 and %2F'],
    ['user:s@ecret/w#rd', 'characters such as @ and / in a password as %40 and %2F'],
    ['user:s@ecret/secret@host/x', 'characters such as @ and / in a password as %40 and %2F'],
    ['user:secret%@host/x', 'characters such as @ and / in a password as %40 and %2F'],
    ['u:secret@h/x?shema=a', `The setting "shema" ${where} is unknown. Settings are schema, sslmode`],
    ['u:secret@h/x?schema=A-b', `schema=A-b ${where} cannot be used. Use small letters`],
    ['u:secret@h/x?sslmode=prefer', `sslmode=prefer ${where} cannot be used. Use disable, require`],
    ['u:secret@h/x?sslrootcert=/no/file', 'The file of sslrootcert cannot be read: ENOENT'],
    ['u:secret@h/x?pool=0', `pool=0 ${where} cannot be used. Use a number from 1 to 1000`],
    ['u:secret@h/x?connect_timeout=', `connect_timeout= ${where} cannot be used`],
  ])('postgres://%s is refused with a remedy, and without its password', (rest, message) => {
    expect(() => databaseAddress(`postgres://${rest}`)).toThrow(message)
    expect(() => databaseAddress(`postgres://${rest}`)).not.toThrow(/secret|se cret/)
  })
})

/** What a database that cannot be used is refused with. */
async function refusal(url: string): Promise<string> {
  const { password } = await sharedCluster()
  const { name, message } = (await openAt(url).catch((error: Error) => error)) as Error
  expect(message).not.toContain(password)
  return `${name}: ${message}`
}

const openConnections = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length

describe.skipIf(skipsPostgres())('a database that cannot be used', () => {
  const newSchema = () => `s_${randomUUID().slice(0, 8)}`

  test.each<[what: string, part: string | RegExp, other: string, message: RegExp]>([
    [
      'a wrong password',
      /tillbox:[^@]+@/,
      'tillbox:wrong@',
      /^UnusableDatabase: The database postgres:\S+ cannot be used: password authentication failed for user "tillbox"\. Check user and password in the URL, or PGPASSWORD/,
    ],
    ['a missing password', /tillbox:[^@]+@/, 'tillbox@', /PGPASSWORD/],
    [
      'an unknown host',
      '127.0.0.1',
      'no-such-host.invalid',
      /^(UnusableDatabase: .*ENOTFOUND.* Check the host in the URL: no-such-host\.invalid$|DatabaseAway: .*EAI_AGAIN)/,
    ],
    [
      'a port at which nothing listens',
      /:\d+\//,
      ':1/',
      /^DatabaseAway: the database postgres:\S+ does not answer: .*ECONNREFUSED/,
    ],
    [
      'a database that does not exist',
      '/postgres?',
      '/absent?',
      /database "absent" does not exist\. Make the database: createdb --owner tillbox --encoding UTF8 --template template0 absent$/,
    ],
    ...['require', 'verify-full'].map((mode): [string, string, string, RegExp] => [
      `a server without TLS for ${mode}`,
      '?',
      `?sslmode=${mode}&`,
      new RegExp(
        `does not support SSL connections\\. Turn TLS on at the server .*\\?sslmode=disable in place of sslmode=${mode}$`,
      ),
    ]),
  ])('the error names %s, and no connection stays open', async (_, part, other, message) => {
    const cluster = await sharedCluster()
    const before = openConnections() // of other files in this process
    expect(await refusal(cluster.url().replace(part, other))).toMatch(message)
    // The server itself ends one after 60 s.
    await expect.poll(openConnections, { timeout: 20_000 }).toBeLessThanOrEqual(before)
  })

  test('assumption postgres-session: PGPASSWORD counts where the URL has no password', async () => {
    const cluster = await sharedCluster()
    vi.stubEnv('PGPASSWORD', cluster.password)
    onTestFinished(() => void vi.unstubAllEnvs())
    await openAt(cluster.url().replace(`:${cluster.password}@`, '@'))
  })

  test.each(['LATIN1', 'SQL_ASCII'])('the error names the encoding %s: it is not UTF-8', async (encoding) => {
    const cluster = await sharedCluster()
    const name = `in_${encoding.toLowerCase()}`
    await cluster.ask(`create database ${name} encoding '${encoding}' locale 'C' template template0`)
    const message = await refusal(cluster.url().replace('/postgres?', `/${name}?`))
    const remedy = `createdb --owner tillbox --encoding UTF8 --template template0 ${name}_utf8`
    expect(message).toMatch(new RegExp(`^UnusableDatabase: .* has the encoding ${encoding}, .* ${remedy}$`))
  })

  test('tables of another version are refused', async () => {
    const [cluster, schema] = [await sharedCluster(), newSchema()]
    await (await openAt(cluster.url(schema))).close()
    await cluster.ask(`update ${schema}.version set number = 99`)
    expect(await refusal(cluster.url(schema))).toMatch(
      /^UnusableDatabase: The tables in schema s_\w+ of postgres:\S+ are of version 99, and this tillbox knows version 4\. Use the tillbox that made them/,
    )
  })

  test.each([
    ['create table version (v text)', /column "number" does not exist/],
    ['create table version (number integer)', /are of version unknown/],
    ['create table events (what text)', /relation "events" already exists/],
  ])('a schema of another program is left alone: %s', async (statement, why) => {
    const [cluster, schema] = [await sharedCluster(), newSchema()]
    await cluster.ask(`create schema ${schema}; set search_path = ${schema}; ${statement}`)
    const message = await refusal(cluster.url(schema))
    expect(message).toMatch(/^UnusableDatabase: The .*\?schema=another_name$/)
    expect(message).toMatch(why)
    const tables = `select count(*) from pg_tables where schemaname = '${schema}'`
    expect(await cluster.ask(tables)).toBe('1')
  })

  test('the grants that the error names are enough for a user without rights in the schema', async () => {
    const [cluster, schema] = [await sharedCluster(), newSchema()]
    await (await openAt(cluster.url(schema))).close()
    const { url } = await cluster.createUser(schema)
    for (const [grant, lacking] of ['schema', 'table'].entries()) {
      const message = await refusal(url)
      expect(message).toMatch(/^UnusableDatabase: The database \S+ cannot be used: permission denied for /)
      expect(message).toContain(`permission denied for ${lacking} `)
      await cluster.ask([...message.matchAll(/GRANT [^;.]+/g)][grant]?.[0] ?? '')
    }
    await (await openAt(url)).close()
  })

  test('a user who may not make the tables or the schema is refused with the GRANT', async () => {
    const [cluster, schema] = [await sharedCluster(), newSchema()]
    const { role, url } = await cluster.createUser(schema)
    await cluster.ask('revoke create on database postgres from public')
    const missing = `GRANT CREATE ON DATABASE postgres TO ${role}`
    const denied = new RegExp(`permission denied for database postgres\\. .*: ${missing}$`)
    expect(await refusal(url)).toMatch(denied)
    await cluster.ask(`create schema ${schema}; grant usage on schema ${schema} to ${role}`)
    const tables = `If the tables are missing: GRANT CREATE ON SCHEMA ${schema} TO ${role}.`
    expect(await refusal(url)).toContain(tables)
  })

  test('a read-only database is refused', async () => {
    const [cluster, schema] = [await sharedCluster(), newSchema()]
    const { role, url } = await cluster.createUser(schema)
    await cluster.ask(
      `create schema ${schema} authorization ${role}; alter role ${role} set default_transaction_read_only = on`,
    )
    expect(await refusal(url)).toMatch(
      /^UnusableDatabase: The database \S+ cannot be used: .* in a read-only transaction\. It is read-only: use the URL of the primary server, or /,
    )
  })
})
