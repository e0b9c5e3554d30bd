import { describe, expect, test } from 'vitest'
import { SpaceTaken } from '../../../../src/sandbox/store/postgres/owner-session.ts'
import { spaceStorage } from '../../../../src/sandbox/store/postgres/postgres-storage.ts'
import { openSandbox } from '../../../../src/server/sandbox/sandbox.ts'
import { sharedCluster, skipsPostgres } from '../../../support/cluster/postgres.ts'
import { closedOnce, openSession } from '../../../support/cluster/space-storage.ts'
import { askIn } from '../../../support/service/ask.ts'
import { salePath } from '../../../support/service/requests.ts'
import { plainStateOf, sale } from '../../../support/service/service.ts'

/** A node, for as many spaces as it opens. */
async function openNode(url: string) {
  const { database, session, storageOf } = await openSession(url)
  const lost: Error[] = []
  const open = async (space: string) => {
    const sandbox = closedOnce(
      await openSandbox({ storage: await storageOf(space), lost: (error) => lost.push(error) }),
    )
    return { sandbox, ask: askIn(sandbox) }
  }
  return { database, session, lost, open }
}

describe.skipIf(skipsPostgres())('spaces of one database', () => {
  test('spaces do not see each other, and each survives a restart of its node', async () => {
    const url = (await sharedCluster()).url()
    const first = await openNode(url)
    const opened = [await first.open('default'), await first.open('ci-1')] as const
    for (const { ask } of [opened[0], ...opened, ...opened]) await ask('POST', salePath, sale(100))
    await opened[1].ask('PUT', '/_sandbox/snapshots/base', {})
    const before = opened.map(({ sandbox }) => plainStateOf(sandbox))
    expect(opened.map(({ sandbox }) => sandbox.engine.state.requests.size)).toEqual([3, 2])
    expect(opened[1].sandbox.options.state).toMatch(/^postgres:\/\/tillbox@\S+ \(ci-1\)$/)
    expect([first.session.holds('default'), first.session.holds('ci-2')]).toEqual([true, false])
    for (const { sandbox } of opened) await sandbox.close()
    expect(first.session.holds('default')).toBe(false)

    const second = await openNode(url)
    const [one, two] = [await second.open('default'), await second.open('ci-1')]
    expect([plainStateOf(one.sandbox), plainStateOf(two.sandbox)]).toEqual(before)
    expect(await one.sandbox.snapshots.list()).toEqual([])
    expect(await two.sandbox.snapshots.has('base')).toBe(true)
    expect([...first.lost, ...second.lost]).toEqual([])
  })

  test('a node that lost a space without knowing changes none of its snapshots', async () => {
    const { database, open } = await openNode((await sharedCluster()).url())
    const { ask } = await open('ci-1')
    await ask('PUT', '/_sandbox/snapshots/base', {})
    const readSnapshots = async () => (await database.run('select name, body from snapshots')).rows
    const before = await readSnapshots()
    await database.run("update spaces set owner = 'another node'")
    const path = '/_sandbox/snapshots/base'
    const answers = [await ask('DELETE', path), await ask('PUT', path, { replace: true })]
    for (const answer of answers) expect(answer).toMatchObject({ status: 503, code: 'SBX_STORE_FAIL' })
    expect(await readSnapshots()).toEqual(before)
  })

  test('opening a removed space does not create it again', async () => {
    const { database, session } = await openNode((await sharedCluster()).url())
    const storage = spaceStorage({ database, session, space: 'gone', keysFor: () => [], wakesAt: () => null })
    await expect(openSandbox({ storage })).rejects.toThrow(SpaceTaken)
    expect((await database.run('select name from spaces')).rows).toEqual([])
  })
})
