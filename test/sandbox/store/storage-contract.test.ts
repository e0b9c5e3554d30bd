import { describe, expect, onTestFinished, test } from 'vitest'
import { builtIn } from '../../../src/domain/fixtures.ts'
import { noSettings, type Settings } from '../../../src/domain/settings.ts'
import { createState, type JournalEntry, type State } from '../../../src/domain/state.ts'
import { fileStorage } from '../../../src/sandbox/store/file/file-storage.ts'
import type { SnapshotFacts } from '../../../src/sandbox/store/file/state-file.ts'
import type { OpenStorage, Storage } from '../../../src/sandbox/store/storage.ts'
import { nextTurn } from '../../../src/shared/timers.ts'
import { sharedCluster, skipsPostgres } from '../../support/cluster/postgres.ts'
import { postgresStorage } from '../../support/cluster/space-storage.ts'
import { temporaryFolder } from '../../support/service/service.ts'
import { loggedAttempt } from '../webhooks/logged-attempt.ts'

/** Each makes a place that is empty; whoever opens it twice meets the same one. */
const storages: readonly (readonly [name: string, make: () => Promise<Storage>, isSkipped: boolean])[] = [
  ['a state folder', async () => fileStorage({ folder: temporaryFolder() }), false],
  ['a space of PostgreSQL', async () => postgresStorage((await sharedCluster()).url()), skipsPostgres()],
]

const now = Date.parse('2026-11-20T12:00:00Z')
const [merchant = '', other = ''] = [...createState(builtIn).ledgers.keys()]

/** A storage that is opened; `failures`: what its owner was told. */
interface OpenedStorage extends OpenStorage {
  readonly failures: Error[]
  close(state?: State | null): Promise<void>
}

async function open(storage: Storage): Promise<OpenedStorage> {
  const failures: Error[] = []
  const fail = (error: Error) => void failures.push(error)
  const opened = await storage.open({
    empty: () => createState(builtIn),
    wall: () => now,
    ownAccess: null,
    lost: fail,
    report: (message) => fail(new Error(message)),
  })
  opened.store.whenFailed(fail)
  let closing: Promise<void> | undefined
  const close = (state: State | null = null) => {
    closing ??= opened.store.close(state)
    return closing
  }
  onTestFinished(() => close())
  return { ...opened, failures, close }
}

/** Text that is hard to carry. */
const odd = 'é€😀"\\\u0000\ud800\uffff'

/** An entry that leaves the mark of a request. */
const entryOf = (stream: string, sequence: number): JournalEntry => ({
  stream,
  sequence,
  at: now + sequence,
  request: { key: `${stream} ${sequence}`, at: now, fingerprint: odd },
  events: [],
})

const marksIn = ({ requests }: State): string[] => [...requests.keys()]

/** A state with the marks of so many requests. */
function stateWith(count: number): State {
  const state = createState(builtIn)
  for (let number = 1; number <= count; number += 1)
    state.requests.set(`saved ${number}`, { key: `saved ${number}`, at: now, fingerprint: odd })
  return state
}

const noSwap = { swapped: () => undefined }

const stateWithTwo = async () => stateWith(2)

const snapshotted = { faultRules: [], webhookOrder: null, webhookHold: true }
const facts: SnapshotFacts = {
  ...{ name: 'base', transactions: 0, savedAt: new Date(now).toISOString() },
  sandboxTime: new Date(now).toISOString(),
  settings: { clock: { offset: 60_000, frozenAt: null }, ...snapshotted },
}

describe.each(storages.map(([name, make, isSkipped]) => ({ name, make, isSkipped })))(
  'the storage in $name',
  ({ make, isSkipped }) => {
    const testIf = test.skipIf(isSkipped)

    testIf('a new storage is empty', async () => {
      const { state, settings, snapshots, attempts, failures } = await open(await make())
      expect([marksIn(state), settings.data]).toEqual([[], noSettings()])
      expect(await snapshots.list()).toEqual([])
      expect(await attempts().of(merchant, new Set([1]))).toEqual([])
      expect(failures).toEqual([])
    })

    testIf('appended entries are there after a restart and a reload, unchanged and in order', async () => {
      const storage = await make()
      const first = await open(storage)
      const entries = Array.from({ length: 250 }, (_, index) =>
        entryOf(index % 2 === 0 ? merchant : other, Math.floor(index / 2) + 1),
      )
      const order: string[] = []
      const appended = entries.map((entry) =>
        first.store.append(entry).then(() => order.push(entry.request?.key ?? '')),
      )
      expect(first.store.pending).toBe(true)
      expect(await first.store.written()).toBe(true)
      await Promise.all(appended)
      const keys = entries.map(({ request }) => request?.key)
      expect(order).toEqual(keys)
      expect(first.store.pending).toBe(false)
      const reloaded = await first.store.reload()
      expect(marksIn(reloaded)).toEqual(keys)
      expect(reloaded.requests.get(`${merchant} 7`)).toEqual(entryOf(merchant, 7).request)
      await first.close()
      const second = await open(storage)
      expect([...second.state.requests]).toEqual([...reloaded.requests])
      expect(second.state.journalOrder).toEqual(reloaded.journalOrder)
      expect(second.failures).toEqual([])
    })

    testIf('after its close nothing is written, and nobody is told that it is lost', async () => {
      const storage = await make()
      const first = await open(storage)
      await first.store.append(entryOf(merchant, 1))
      await first.close()
      const second = await open(storage)
      await expect(first.store.append(entryOf(merchant, 2))).rejects.toThrow('any more')
      await expect(first.settings.write()).rejects.toThrow('any more')
      expect(first.failures).toEqual([])
      await second.store.append(entryOf(merchant, 2))
      expect(marksIn(await second.store.reload())).toEqual([`${merchant} 1`, `${merchant} 2`])
    })

    testIf('the numbering goes on over several groups and starts', async () => {
      const storage = await make()
      for (let start = 0; start < 3; start += 1) {
        const { store, state, close } = await open(storage)
        expect(state.requests.size).toBe(start * 5)
        for (let number = 1; number <= 5; number += 1)
          await store.append(entryOf(merchant, start * 5 + number))
        await close()
      }
      expect((await open(storage)).state.ledgers.get(merchant)?.sequence).toBe(15)
    })

    testIf('a replacement takes the place of everything, and entries follow it', async () => {
      const storage = await make()
      const first = await open(storage)
      await first.store.append(entryOf(merchant, 1))
      await first.store.replace(async () => stateWith(1_203), noSwap)
      await first.store.append(entryOf(merchant, 1))
      const live = await first.store.reload()
      expect([live.requests.size, marksIn(live).at(-1)]).toEqual([1_204, `${merchant} 1`])
      await first.close()
      expect([...(await open(storage)).state.requests]).toEqual([...live.requests])
    })

    testIf('the settings that were written last are kept', async () => {
      const storage = await make()
      const first = await open(storage)
      const { settings } = first
      const writes = [1, 2, 3].map((offset) => {
        settings.data.clock = { offset, frozenAt: null }
        return settings.write()
      })
      settings.data.followers = { [odd]: odd }
      await Promise.all([...writes, settings.write()])
      await first.close()
      const clock = { offset: 3, frozenAt: null }
      expect((await open(storage)).settings.data).toMatchObject({ clock, followers: { [odd]: odd } })
    })

    testIf('the settings of a restore are kept with its state without another write', async () => {
      const storage = await make()
      const first = await open(storage)
      const restored: Settings = { ...noSettings(), webhookHold: true }
      await first.store.replace(stateWithTwo, { ...noSwap, settings: () => restored })
      await first.close()
      const second = await open(storage)
      expect([second.state.requests.size, second.settings.data]).toEqual([2, restored])
    })

    test.skipIf(isSkipped).each(['those of the state', 'the current ones'])(
      'settings that are written while the state is replaced are kept, in memory as on disk: %s',
      async (kind) => {
        const storage = await make()
        const first = await open(storage)
        const { settings, store } = first
        let swaps = 0
        const restored = () => ({ ...settings.data, webhookHold: true })
        const swapped = () => {
          swaps = settings.data.clock.offset
          if (kind === 'those of the state') settings.data.webhookHold = true
        }
        const restoring = { settings: kind === 'those of the state' ? restored : undefined, swapped }
        const replaced = store.replace(async () => stateWith(20_000), restoring)
        for (let offset = 1; swaps === 0; offset += 2) {
          await nextTurn()
          settings.data.clock = { offset, frozenAt: null }
          settings.write().catch(first.failures.push)
          settings.data.clock = { offset: offset + 1, frozenAt: null }
          await settings.write()
        }
        await replaced
        await store.close(null) // as a crash leaves it
        const second = await open(storage)
        expect(second.state.requests.size).toBe(20_000)
        expect(second.settings.data).toEqual(settings.data)
        expect([first.failures, settings.data.webhookHold]).toEqual([[], kind === 'those of the state'])
      },
    )

    testIf(
      'a merchant that is added after another was removed begins where that one ended, after a crash too',
      async () => {
        const storage = await make()
        const first = await open(storage)
        const without = stateWith(1)
        without.journalOrder.removed = { sequence: 7, delivery: 3 }
        await first.store.replace(async () => without, noSwap)
        await first.store.append(entryOf('M-new', 8))
        await first.close()
        const { state } = await open(storage)
        expect(state.ledgers.get('M-new')?.sequence).toBe(8)
      },
    )

    testIf('a restore whose settings cannot be made changes nothing', async () => {
      const storage = await make()
      const first = await open(storage)
      await first.store.append(entryOf(merchant, 1))
      const failing = first.store.replace(stateWithTwo, {
        ...noSwap,
        settings: () => {
          throw new Error('no settings')
        },
      })
      await expect(failing).rejects.toThrow('no settings')
      await first.store.append(entryOf(merchant, 2))
      await first.close()
      const { state, settings } = await open(storage)
      expect([marksIn(state), settings.data]).toEqual([[`${merchant} 1`, `${merchant} 2`], noSettings()])
    })

    testIf('snapshots are saved, listed, read and removed, and a reset leaves them', async () => {
      const storage = await make()
      const first = await open(storage)
      const head = await first.snapshots.save('base', stateWith(700), facts)
      await first.snapshots.save('Base.2', stateWith(1), { ...facts, name: 'Base.2' })
      await first.store.replace(async () => stateWith(0), noSwap)
      await first.close()
      const { snapshots } = await open(storage)
      expect(await snapshots.list()).toMatchObject([{ name: 'Base.2' }, { name: 'base', head }])
      expect([await snapshots.has('base'), await snapshots.has('bas')]).toEqual([true, false])
      const read = await snapshots.read('base')
      expect([...read.state.requests]).toEqual([...stateWith(700).requests])
      expect([read.facts, read.bytes]).toEqual([facts, head.bytes])
      await snapshots.save('base', stateWith(2), facts)
      expect(marksIn((await snapshots.read('base')).state)).toEqual(['saved 1', 'saved 2'])
      await snapshots.remove('base')
      expect((await snapshots.list()).map(({ name }) => name)).toEqual(['Base.2'])
    })

    testIf('attempts are kept by merchant and delivery, until they are deleted', async () => {
      const storage = await make()
      const first = await open(storage)
      const log = first.attempts()
      const made = [1, 2, 3, 2].map((number, index) =>
        loggedAttempt(number, { merchantId: merchant, responseBody: `"\u0000 ${index}` }),
      )
      for (const attempt of made) log.add(attempt)
      log.add(loggedAttempt(2, { merchantId: other }))
      expect(await log.of(merchant, new Set([2, 9]))).toEqual([made[1], made[3]])
      await first.close()
      const again = (await open(storage)).attempts()
      const all = new Set([1, 2, 3])
      expect(await again.of(merchant, all)).toEqual(made)
      await again.forget()
      expect(await again.of(merchant, all)).toEqual([])
    })
  },
)
