import { describe, expect, test } from 'vitest'
import { openSandbox } from '../../../src/sandbox/sandbox.ts'
import { SpaceTaken } from '../../../src/store/postgres/owner-session.ts'
import { spaceStorage } from '../../../src/store/postgres/postgres-storage.ts'
import { sharedCluster, skipsPostgres } from '../../support/cluster/postgres.ts'
import { closedOnce, openSession } from '../../support/cluster/space-storage.ts'
import { askIn } from '../../support/service/ask.ts'
import { salePath } from '../../support/service/requests.ts'
import { plainStateOf, sale } from '../../support/service/service.ts'

/** A node, for as many spaces as it opens. */
async function node(url: string) {
  const { database, session, storageOf } = await openSession(url)
  const lost: string[] = []
  const open = async (space: string) => {
    const sandbox = closedOnce(
      await openSandbox({ storage: await storageOf(space), lost: ({ message }) => lost.push(message) }),
    )
    const ask = askIn(sandbox)
    const sell = async (count: number) =>
      Promise.all(Array.from({ length: count }, () => ask('POST', salePath, sale(100))))
    return { sandbox, close: sandbox.close, sell, ask }
  }
  return { database, session, lost, open }
}

describe.skipIf(skipsPostgres())('spaces of one database', () => {
  test('spaces do not see each other, and each survives a restart of its node', async () => {
    const url = (await sharedCluster()).url()
    const first = await node(url)
    const opened = [await first.open('default'), await first.open('ci-1')] as const
    await Promise.all([opened[0].sell(3), opened[1].sell(5)])
    await opened[1].ask('PUT', '/_sandbox/snapshots/base', {})
    const before = opened.map(({ sandbox }) => plainStateOf(sandbox))
    expect(opened.map(({ sandbox }) => sandbox.engine.state.requests.size)).toEqual([3, 5])
    expect(opened[1].sandbox.options.state).toMatch(/^postgres:\/\/tillbox@\S+ \(ci-1\)$/)
    expect([first.session.holds('default'), first.session.holds('ci-2')]).toEqual([true, false])
    for (const { close } of opened) await close()
    expect(first.session.holds('default')).toBe(false)

    const second = await node(url)
    const [one, two] = [await second.open('default'), await second.open('ci-1')]
    expect([plainStateOf(one.sandbox), plainStateOf(two.sandbox)]).toEqual(before)
    expect(await one.sandbox.snapshots.list()).toEqual([])
    expect(await two.sandbox.snapshots.has('base')).toBe(true)
    expect([...first.lost, ...second.lost]).toEqual([])
  })

  test('a node that lost a space without knowing changes none of its snapshots', async () => {
    const { database, open } = await node((await sharedCluster()).url())
    const { ask } = await open('ci-1')
    await ask('PUT', '/_sandbox/snapshots/base', {})
    const readSnapshots = async () => (await database.run('select name, body from snapshots')).rows
    const before = await readSnapshots()
    await database.run("update spaces set owner = 'another node'")
    const path = '/_sandbox/snapshots/base'
    const answers = [await ask('DELETE', path), await ask('PUT', path, { replace: true })]
    expect(answers.map((answer) => [answer?.status, answer?.code])).toEqual(
      Array(2).fill([503, 'SBX_STORE_FAIL']),
    )
    expect(await readSnapshots()).toEqual(before)
  })

  test('the state of deliveries can be read in the database', async () => {
    const { database, open } = await node((await sharedCluster()).url())
    const { ask } = await open('ci-1')
    const notifyUrl = 'http://127.0.0.1:1/hook'
    await ask('POST', salePath, sale(100, { notifyUrl, terminalSn: 'TBX-AUTO-001' }))
    // A text that PostgreSQL takes as JSON, and not as text.
    await database.run(
      `insert into events select name, 100, now(), 0, '{"stream":"\\u0000\\ud800","events":[{"type":"delivery-again"}]}' from spaces`,
    )
    const attempted = async () => {
      const { rows } = await database.run(
        'select space, type, delivered, number from deliveries order by sequence',
      )
      return rows[0]
    }
    await expect
      .poll(attempted)
      .toEqual({ space: 'ci-1', type: 'delivery-attempted', delivered: 'false', number: '1' })
  })

  test('opening a removed space does not create it again', async () => {
    const { database, session } = await node((await sharedCluster()).url())
    const storage = spaceStorage({ database, session, space: 'gone', keysOf: () => [], wakesAt: () => null })
    await expect(openSandbox({ storage })).rejects.toThrow(SpaceTaken)
    expect((await database.run('select name from spaces')).rows).toEqual([])
  })
})
