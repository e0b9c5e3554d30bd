import { describe, expect, test } from 'vitest'
import { builtIn } from '../../../../src/domain/fixtures.ts'
import { createState, type JournalEntry } from '../../../../src/domain/state.ts'
import { sharedCluster, skipsPostgres } from '../../../support/cluster/postgres.ts'
import { openSession } from '../../../support/cluster/space-storage.ts'
import { sideBySide } from '../../../support/runner/side-by-side.ts'

const [merchant = ''] = createState(builtIn).ledgers.keys()

const entryOf = (sequence: number, fingerprint = ''): JournalEntry => ({
  stream: merchant,
  sequence,
  at: 1_800_000_000_000,
  request: { key: `request ${sequence}`, at: 1_800_000_000_000, fingerprint },
  events: [],
})

describe.skipIf(skipsPostgres())('assumption postgres-session: the session of a node', () => {
  const waiting = sideBySide()

  test('a space has one owner, until it is given back', async () => {
    const url = (await sharedCluster()).url()
    const [one, two] = [await openSession(url), await openSession(url)]
    const { store } = await one.open('x')
    for (const { open } of [one, two])
      await expect(open('x')).rejects.toThrow(/^The space x is in use by another sandbox$/)
    await two.open('y')
    await store.append(entryOf(1))
    await store.close(null)
    expect(one.session.holds('x')).toBe(false)
    const again = await two.open('x')
    expect([...again.state.requests.keys()]).toEqual(['request 1'])
  })

  test('a node whose session ended has lost its spaces, and writes nothing any more', async () => {
    const url = (await sharedCluster()).url()
    const [one, two] = [await openSession(url), await openSession(url)]
    const lost: string[] = []
    const { store, isHeld } = await one.open('x', { lost: ({ message }) => lost.push(message) })
    await store.append(entryOf(1))
    await one.kill()
    const taken = await two.open('x')
    expect([...taken.state.requests.keys()]).toEqual(['request 1'])
    await expect(store.append(entryOf(2))).rejects.toThrow(/session/)
    expect([lost.length, isHeld?.(), one.session.holds('x')]).toEqual([1, false, false])
    await taken.store.append(entryOf(2))
    await store.close(null)
    await taken.store.close(null)
    const back = await one.open('x')
    expect([...back.state.requests.keys()]).toEqual(['request 1', 'request 2'])
  })

  waiting('the server ends the session of a node that sends nothing, and its spaces are free', async () => {
    const url = (await sharedCluster()).url()
    const [one, two] = [await openSession(url, { idleMs: 600 }), await openSession(url)]
    const { store } = await one.open('x')
    await store.append(entryOf(1))
    const from = performance.now()
    while (performance.now() - from < 900); // as a process that is stopped
    expect(one.session.holds('x')).toBe(false)
    const taken = await two.open('x')
    await expect(store.append(entryOf(2))).rejects.toThrow()
    expect(taken.state.requests.size).toBe(1)
  })

  test('an entry that the database refuses fails its own space alone', async () => {
    const { database, open } = await openSession((await sharedCluster()).url())
    const failures: string[] = []
    const [bad, good] = [await open('bad'), await open('good')]
    for (const { store } of [bad, good]) store.whenFailed(({ message }) => failures.push(message))
    for (const statement of [
      `create function no() returns trigger language plpgsql as $$ begin raise exception using errcode = '22P05', message = 'odd'; end $$`,
      `create trigger no before insert on events for each row when (new.body::text like '%odd%') execute function no()`,
    ])
      await database.run(statement)
    const [, ...appended] = await Promise.allSettled([
      bad.store.append(entryOf(1)),
      bad.store.append(entryOf(2, 'odd')),
      bad.store.append(entryOf(3)),
      good.store.append(entryOf(1)),
      good.store.append(entryOf(2)),
    ])
    const isStored = appended.map(({ status }) => status === 'fulfilled')
    expect(isStored).toEqual([false, false, true, true])
    expect(failures).toEqual([expect.stringMatching(/cannot store it: odd/)])
    expect((await good.store.reload()).requests.size).toBe(2)
    expect((await bad.store.reload()).requests.size).toBe(0)
    await bad.store.append(entryOf(1))
    expect((await bad.store.reload()).requests.size).toBe(1)
  })
})
