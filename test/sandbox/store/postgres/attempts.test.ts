import { expect, test } from 'vitest'
import { databaseAt } from '../../../support/access-stores.ts'
import { sharedCluster, skipsPostgres } from '../../../support/cluster/postgres.ts'
import { openSession } from '../../../support/cluster/space-storage.ts'
import { loggedAttempt } from '../../webhooks/logged-attempt.ts'

test.skipIf(skipsPostgres())('the owner alone removes the oldest attempts, or all, of a space', async () => {
  const url = (await sharedCluster()).url()
  const database = await databaseAt(url)
  await database.run(`
      with named as (insert into spaces (name) values ('ci-1'), ('ci-2') returning name)
      insert into attempts (space, merchant_id, number, body)
        select name, '1', number, '{}' from generate_series(1, 10500) as number, named`)
  const rows = async () => {
    const counted = await database.run('select space, count(*) from attempts group by space order by space')
    return counted.rows.map(({ space, count }) => `${space} ${count}`)
  }
  const open = async () => {
    const { open, kill } = await openSession(url)
    const log = (await open('ci-1')).attempts()
    const trim = () => {
      for (let added = 0; added < 1_000; added += 1) log.add(loggedAttempt(1, { merchantId: '1' }))
      return log.written()
    }
    return { kill, trim, forget: () => log.forget() }
  }
  const former = await open()
  await former.kill()
  const owner = await open()
  await former.trim()
  await former.forget()
  expect(await rows()).toEqual(['ci-1 10500', 'ci-2 10500'])
  await owner.trim()
  expect(await rows()).toEqual(['ci-1 10000', 'ci-2 10500'])
  await owner.forget()
  expect(await rows()).toEqual(['ci-2 10500'])
})
