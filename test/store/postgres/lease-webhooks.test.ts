import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openAccess } from '../../../src/access/access.ts'
import { openSandbox } from '../../../src/sandbox/sandbox.ts'
import { Database } from '../../../src/store/postgres/connection/database.ts'
import { LeaseKeeper } from '../../../src/store/postgres/lease.ts'
import { spaceStorage } from '../../../src/store/postgres/postgres-storage.ts'
import { noPostgres, sharedCluster, skipsPostgres } from '../../support/cluster/postgres.ts'
import { askIn } from '../../support/service/ask.ts'
import { salePath } from '../../support/service/requests.ts'
import { sale, temporaryFolder } from '../../support/service/service.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

if (skipsPostgres()) process.stderr.write(noPostgres)

const fail = ({ message }: { readonly message: string }) => {
  throw new Error(message)
}

/** A sandbox in a database. Each look at the clock of its lease is so many milliseconds after the one before. */
async function openLeased(forwardTo: string | null = null) {
  const database = await Database.open((await sharedCluster()).url())
  const clock = { at: 0, step: 0 }
  const leases = new LeaseKeeper({
    database,
    node: randomUUID(),
    url: null,
    renewEveryMs: 600_000, // the test renews
    elapsed: () => {
      clock.at += clock.step
      return clock.at
    },
    report: (message) => fail({ message }),
  })
  const access = openAccess(
    { folder: temporaryFolder(), wall: Date.now, confirm: () => undefined, report: fail },
    null,
  )
  await database.run("insert into spaces (name) values ('ci-1')")
  const storage = spaceStorage({ database, leases, space: 'ci-1' })
  const sandbox = await openSandbox({ storage, access, forwardTo })
  onTestFinished(async () => {
    await sandbox.close()
    await access.close()
    leases.stop()
    await database.close()
  })
  return { sandbox, leases, clock }
}

describe.skipIf(skipsPostgres())('webhooks of a node that does not trust its lease', () => {
  test('assumption postgres-lease: no webhook is sent until the lease is renewed, as another node may send it', async () => {
    const receiver = await openReceiver()
    const { sandbox, leases, clock } = await openLeased()
    clock.step = 10_000 // so a lease is over as soon as a write has renewed it
    const answer = await askIn(sandbox)('POST', salePath, sale(100, { notifyUrl: receiver.url }))
    expect(answer?.code).toBe('0')
    await sandbox.engine.written()
    await sandbox.courier.idle()
    expect([sandbox.courier.hasWork, receiver.arrivals]).toEqual([true, []])
    clock.step = 0
    await leases.renew()
    const [arrival] = await receiver.got(1)
    expect(arrival?.json.transactionId).toBe(answer?.data.transactionId)
  })

  test('assumption postgres-lease: --forward-to waits for the renewal, too', async () => {
    const receiver = await openReceiver()
    const { sandbox, leases, clock } = await openLeased(receiver.url)
    clock.step = 10_000
    const answer = await askIn(sandbox)('POST', salePath, sale(100))
    expect(answer?.code).toBe('0')
    await expect.poll(() => sandbox.forwarder?.left).toBeGreaterThan(0)
    await sleep(300) // it would have been sent
    expect(receiver.arrivals).toEqual([])
    clock.step = 0
    await leases.renew()
    await receiver.got(1)
  })
})
