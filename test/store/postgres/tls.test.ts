import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { certificateOf } from '../../../src/server/certificate.ts'
import { type Cluster, serveTls, skipsPostgres, startCluster } from '../../support/cluster/postgres.ts'
import { openAt } from '../../support/cluster/space-storage.ts'
import { temporaryFolder } from '../../support/service/service.ts'

describe.skipIf(skipsPostgres())('TLS to a database', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster({ durable: false })
  })
  afterAll(() => cluster.remove())

  /** How many connections of sandboxes use TLS, and how many do not, while one is open. */
  async function connections(settings: string): Promise<string> {
    const sandbox = await openAt(`${cluster.url()}${settings}`)
    try {
      return await cluster.ask(
        "select string_agg(distinct ssl::text, ' ') from pg_stat_ssl join pg_stat_activity using (pid) where application_name like 'tillbox %'",
      )
    } finally {
      await sandbox.close()
    }
  }

  test('require encrypts, verify-full also checks the certificate of the host, and disable does neither', async () => {
    const certificate = await certificateOf(temporaryFolder(), '127.0.0.1')
    await serveTls(cluster, certificate)
    expect(await connections('')).toBe('false')
    expect(await connections('&sslmode=require')).toBe('true')
    expect(await connections(`&sslmode=verify-full&sslrootcert=${certificate.path}`)).toBe('true')
    await expect(connections('&sslmode=verify-full')).rejects.toThrow(
      /^The database \S+ cannot be used: .*certificate.*\. Name the certificate that signed it: \?sslmode=verify-full&sslrootcert=/,
    )
  })
})
