import { expect, onTestFinished, test } from 'vitest'
import { ensureCertificate } from '../../../../src/server/certificate.ts'
import { serveTls, skipsPostgres, startCluster } from '../../../support/cluster/postgres.ts'
import { openAt } from '../../../support/cluster/space-storage.ts'
import { temporaryFolder } from '../../../support/service/service.ts'

test.skipIf(skipsPostgres())(
  'require encrypts all connections, verify-full also checks the certificate of the host, and disable does neither',
  async () => {
    const cluster = await startCluster({ durable: false })
    onTestFinished(() => cluster.remove())
    const certificate = await ensureCertificate(temporaryFolder(), '127.0.0.1')
    await serveTls(cluster, certificate)
    for (const [settings, encrypted] of [
      ['', 'f'],
      ['&sslmode=require', 't'],
      [`&sslmode=verify-full&sslrootcert=${certificate.path}`, 't'],
    ]) {
      const before = await cluster.ask('select clock_timestamp()')
      await openAt(`${cluster.url()}${settings}`)
      const opened = `select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid)
        where application_name like 'tillbox %' and backend_start > '${before}'`
      expect([settings, await cluster.ask(opened)]).toEqual([settings, encrypted])
    }
    await expect(openAt(`${cluster.url()}&sslmode=verify-full`)).rejects.toThrow(
      /^The database \S+ cannot be used: .*certificate.*\. Name the certificate that signed it: \?sslmode=verify-full&sslrootcert=/,
    )
  },
)
