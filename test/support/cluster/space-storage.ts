import { onTestFinished } from 'vitest'
import { builtIn } from '../../../src/domain/fixtures.ts'
import { createState } from '../../../src/domain/state.ts'
import { databaseAddress } from '../../../src/sandbox/store/postgres/connection/address.ts'
import { Database } from '../../../src/sandbox/store/postgres/connection/database.ts'
import { OwnerSession } from '../../../src/sandbox/store/postgres/owner-session.ts'
import { spaceStorage } from '../../../src/sandbox/store/postgres/postgres-storage.ts'
import type { OpenStorage, Storage, StorageNeeds } from '../../../src/sandbox/store/storage.ts'
import { openSandbox, type Sandbox } from '../../../src/server/sandbox/sandbox.ts'
import { accessIn } from '../access-stores.ts'

/** What a storage that is opened without its sandbox is given. */
const plainNeeds: StorageNeeds = {
  empty: () => createState(builtIn),
  wall: Date.now,
  ownAccess: null,
  lost: () => undefined,
  report: () => undefined,
}

/** Idle time of a session that is not to end by itself, however busy the machine is. Milliseconds. */
const patient = 60_000

/** A node without its server: a session, for as many spaces as it opens; all is closed after the test. */
export async function openSession(url: string, { idleMs = patient } = {}) {
  const database = await Database.open(url)
  const session = new OwnerSession({ database, url: null, idleMs })
  onTestFinished(async () => {
    await session.close()
    await database.close()
  })
  /** A space without keys, made if it is missing, which no node takes by itself. */
  const storageOf = async (space: string, more: { readonly saveAfter?: number } = {}): Promise<Storage> => {
    await database.run('insert into spaces (name) values ($1) on conflict do nothing', [space])
    const never = { keysFor: () => [], wakesAt: () => null }
    const storage = spaceStorage({ database, session, space, ...never, ...more })
    return {
      ...storage,
      open: async (needs) => {
        const report = (error: Error) => needs.report(error.message, error)
        const { ownAccess, wall } = needs
        const access = ownAccess && accessIn(database, ownAccess.token, { wall, report })
        return { ...(await storage.open(needs)), access }
      },
    }
  }
  const open = async (space: string, needs: Partial<StorageNeeds> = {}): Promise<OpenStorage> =>
    (await storageOf(space)).open({ ...plainNeeds, ...needs })
  /** Ends the session, as a crash of the node does. */
  const kill = () =>
    database.run('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
      `${database.name}-owner`,
    ])
  return { database, session, storageOf, open, kill }
}

/** The first space of the database at that URL, with a session of its own for each time it is opened. */
export const postgresStorage = (url: string, more: { readonly saveAfter?: number } = {}): Storage => ({
  location: databaseAddress(url).shown,
  open: async (needs) => {
    const { storageOf } = await openSession(url)
    return (await storageOf('default', more)).open(needs)
  },
})

/** Opens a sandbox on the database at that URL; it is closed after the test at the latest, and once. */
export const openAt = async (
  url: string,
  given: Partial<Parameters<typeof openSandbox>[0]> & { readonly saveAfter?: number } = {},
): Promise<Sandbox> => closedOnce(await openSandbox({ ...given, storage: postgresStorage(url, given) }))

/** Closes a sandbox after the test, unless the test does. */
export function closedOnce(sandbox: Sandbox): Sandbox {
  const { close } = sandbox
  let closing: Promise<void> | undefined
  sandbox.close = () => {
    closing ??= close()
    return closing
  }
  onTestFinished(sandbox.close)
  return sandbox
}
