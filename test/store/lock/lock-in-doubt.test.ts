import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../../src/server/server.ts'
import { LockedState, readHolder, takeLock } from '../../../src/store/lock.ts'
import { deadUrl } from '../../support/network/ports.ts'
import { sideBySide } from '../../support/runner/side-by-side.ts'
import { folderWithLock, lockPath } from '../../support/store/locks.ts'

const id = 'a9a6b0a6-6f0c-4c3c-9a94-3d1f5a6b7c8d'

/** A folder with a lock of a live process that may not be its holder: our parent, without the time it began. */
const folderInDoubt = (lock: object, age = 60_000): string =>
  folderWithLock({ pid: process.ppid, id, ...lock }, { age })

/** Where a server listens that is gone after the test. */
async function urlOf(server: Server): Promise<string> {
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server that answers as a sandbox with this id does. */
const answering = (own: string) =>
  urlOf(createServer((_, response) => void response.end(JSON.stringify({ code: '0', data: { id: own } }))))

/** A server that takes connections and says nothing. */
const silent = () =>
  urlOf(
    createTcpServer((socket) => {
      onTestFinished(() => void socket.destroy())
    }),
  )

async function expectTaken(folder: string): Promise<void> {
  const lock = await takeLock(folder)
  expect(lock.tookOver).toMatchObject({ pid: process.ppid, id })
  expect(readHolder(folder)?.id).toBe(lock.id)
  lock.release()
}

async function expectHeld(folder: string): Promise<void> {
  const before = readFileSync(lockPath(folder))
  await expect(takeLock(folder)).rejects.toThrow(LockedState)
  expect(readFileSync(lockPath(folder))).toEqual(before)
}

describe('a lock of a live pid that was not touched for long', () => {
  const waiting = sideBySide()

  test('the lock is taken over when nothing listens at its URL', async () =>
    expectTaken(folderInDoubt({ url: await deadUrl() })))

  test('the lock is taken over when another sandbox listens at its URL', async () =>
    expectTaken(folderInDoubt({ url: await answering('another') })))

  test('the lock is taken over when another program listens at its URL', async () =>
    expectTaken(
      folderInDoubt({ url: await urlOf(createServer((_, response) => void response.end('hello'))) }),
    ))

  test('the lock holds when its sandbox answers', async () =>
    expectHeld(folderInDoubt({ url: await answering(id) })))

  waiting('the lock holds when its sandbox hangs and gives no answer', async () =>
    expectHeld(folderInDoubt({ url: await silent() })),
  )

  test('the token is not sent to an unknown listener, which counts as the holder', async () => {
    const received: string[] = []
    const url = await urlOf(
      createTcpServer((socket) => void socket.on('data', (data) => received.push(String(data)))),
    )
    await expectHeld(folderInDoubt({ url, token: 'a-token-of-the-lock' }))
    expect(received).toEqual([])
  })

  test.each([{}, { url: 'nothing' }, { url: 'http://192.0.2.1:1' }, { url: 1 }])(
    'the lock holds when its URL is not on this machine: %j',
    (lock) => expectHeld(folderInDoubt(lock)),
  )

  test('the lock holds when it was touched just now, whatever is at its URL', async () =>
    expectHeld(folderInDoubt({ url: await deadUrl() }, 0)))

  waiting('the lock of another container holds when its sandbox hangs', async () =>
    expectHeld(folderInDoubt({ url: await silent(), space: 'pid:[1]' })),
  )

  test('the lock of another container is taken over when nothing listens', async () =>
    expectTaken(folderInDoubt({ url: await deadUrl(), space: 'pid:[1]' })))
})

test('a start that takes over a folder reports it, and one on a free folder does not', async () => {
  const reports: string[] = []
  const start = (state: string) => startSandbox({ state, report: (text) => reports.push(text) })
  const folder = folderInDoubt({ url: await deadUrl() })
  await (await start(folder)).close()
  expect(reports).toEqual([expect.stringContaining(`Process ${process.ppid}, which held this state folder`)])
  await (await start(folder)).close()
  expect(reports).toHaveLength(1)
})
