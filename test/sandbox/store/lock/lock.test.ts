import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { build } from 'rolldown'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { acquireLock, LockedState, readHolder } from '../../../../src/sandbox/store/lock.ts'
import { startSandbox } from '../../../../src/server/server.ts'
import { projectRoot } from '../../../support/project.ts'
import { times } from '../../../support/runner/counts.ts'
import { replaceFunctions } from '../../../support/runner/replaced-functions.ts'
import { temporaryFolder } from '../../../support/service/service.ts'
import { deadPid, lockPath, refusalOf } from '../../../support/store/locks.ts'

describe('the lock of a state folder', () => {
  test('a second lock is refused, the refusal names the holder, and the lock stays as it is', () => {
    const folder = temporaryFolder()
    const lock = acquireLock(folder)
    const before = readFileSync(lockPath(folder))
    const refusal = refusalOf(folder)
    expect(refusal).toBeInstanceOf(LockedState)
    expect(refusal.holder.pid).toBe(process.pid)
    for (const named of [String(process.pid), folder]) expect(refusal.message).toContain(named)
    expect(readFileSync(lockPath(folder))).toEqual(before)
    expect(readdirSync(folder)).toEqual(['lock.json'])
    lock.release()
  })

  test('once the holder is announced, the refusal says where it listens', () => {
    const folder = temporaryFolder()
    const lock = acquireLock(folder)
    lock.announce({ url: 'http://127.0.0.1:4242' })
    expect(refusalOf(folder).message).toContain('http://127.0.0.1:4242')
    expect(readHolder(folder)).toMatchObject({ pid: process.pid, url: 'http://127.0.0.1:4242' })
    lock.release()
  })

  test('a holder that may not look into the folder for a while goes on', async () => {
    const folder = temporaryFolder()
    let refused = 0
    const lock = acquireLock(folder, 1)
    onTestFinished(() => lock.release())
    replaceFunctions(fs, () => ({
      lstatSync: () => {
        refused += 1
        throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
      },
    }))
    await expect.poll(() => refused).toBeGreaterThan(1)
  })

  test('a released lock is free and leaves no file', () => {
    const folder = temporaryFolder()
    acquireLock(folder).release()
    expect(readdirSync(folder)).toEqual([])
    acquireLock(folder).release()
  })

  test('a folder that has a second name is held under both', () => {
    const folder = temporaryFolder()
    const other = join(temporaryFolder(), 'link')
    symlinkSync(folder, other)
    const lock = acquireLock(folder)
    expect(refusalOf(other).holder.pid).toBe(process.pid)
    expect(lock.lost()).toBeUndefined()
    lock.release()
  })

  test('the lock of a dead process is taken over', () => {
    const folder = temporaryFolder()
    writeFileSync(lockPath(folder), JSON.stringify({ pid: deadPid(), url: 'http://127.0.0.1:1' }))
    const lock = acquireLock(folder)
    expect(readHolder(folder)).toMatchObject({ pid: process.pid })
    expect(readdirSync(folder)).toEqual(['lock.json'])
    lock.release()
  })

  test.each([
    ...['', '{', '{"pid":', 'nothing', '{"pid":"x"}', '{"pid":-1}', '{"pid":0}', '{"pid":1.5}'],
    ...['{"pid":-4242}', '{"pid":1e300}', '{"pid":null}', '{"pid":true}'],
  ])('a lock that names no process is taken over: %j', (text) => {
    const folder = temporaryFolder()
    writeFileSync(lockPath(folder), text)
    const lock = acquireLock(folder)
    expect(readHolder(folder)?.pid).toBe(process.pid)
    lock.release()
  })

  test('the lock of a live process of another user holds, and a release does not remove it', () => {
    const folder = temporaryFolder()
    const lock = acquireLock(folder)
    writeFileSync(lockPath(folder), JSON.stringify({ pid: 1 }))
    expect(refusalOf(folder).holder.pid).toBe(1)
    lock.release()
    expect(readHolder(folder)).toEqual({ pid: 1 })
  })

  test('the folder and the lock file are created as private', () => {
    const folder = join(temporaryFolder(), 'deep', 'state')
    const lock = acquireLock(folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(lockPath(folder)).mode & 0o777).toBe(0o600)
    lock.announce({ url: 'http://127.0.0.1:4242' })
    expect(statSync(lockPath(folder)).mode & 0o777).toBe(0o600)
    lock.release()
  })
})

describe('many processes at once', () => {
  const [children, folders] = [8, times(60, 150)]

  /** Tries, race after race, to get the lock of each folder, and keeps what it got. */
  const contender = `
    import { acquireLock } from './lock.js'
    import { createInterface } from 'node:readline'
    const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
    for (let race = await lines.next(); !race.done; race = await lines.next()) {
      const folders = JSON.parse(race.value)
      process.stdout.write('ready\\n')
      const start = Number((await lines.next()).value)
      const won = []
      for (const [index, folder] of folders.entries()) {
        while (Date.now() < start + index * 2);
        try {
          acquireLock(folder)
          won.push(index)
        } catch (error) {
          if (error.name !== 'LockedState') won.push(String(error))
        }
      }
      process.stdout.write(JSON.stringify(won) + '\\n')
    }
  `
  let program = ''
  let running: readonly ChildProcessByStdio<Writable, Readable, null>[] = []

  beforeAll(async () => {
    program = mkdtempSync(join(tmpdir(), 'tillbox-contender-'))
    const output = { file: join(program, 'lock.js') }
    await build({ input: join(projectRoot, 'src/sandbox/store/lock.ts'), platform: 'node', output })
    writeFileSync(join(program, 'package.json'), '{"type":"module"}')
    writeFileSync(join(program, 'contender.js'), contender)
    running = Array.from({ length: children }, () =>
      spawn(process.execPath, [join(program, 'contender.js')], { stdio: ['pipe', 'pipe', 'inherit'] }),
    )
  })
  afterAll(async () => {
    const exits = running.map((child) => once(child, 'exit'))
    for (const child of running) child.stdin.end()
    await Promise.all(exits)
    rmSync(program, { recursive: true, force: true })
  })

  /** Resolves with the next line that a child writes. */
  async function lineFrom({ stdout }: { readonly stdout: Readable }): Promise<string> {
    let text = ''
    while (!text.includes('\n')) text += String((await once(stdout, 'data'))[0])
    return text.trim()
  }

  async function race(prepare: (folder: string) => void): Promise<unknown[]> {
    const base = temporaryFolder()
    const stateFolders = Array.from({ length: folders }, (_, index) => join(base, `state-${index}`))
    for (const stateFolder of stateFolders) {
      mkdirSync(stateFolder)
      prepare(stateFolder)
    }
    const ready = Promise.all(running.map(lineFrom))
    for (const child of running) child.stdin.write(`${JSON.stringify(stateFolders)}\n`)
    await ready
    const results = Promise.all(running.map(lineFrom))
    for (const child of running) child.stdin.write(`${Date.now() + 50}\n`)
    const won = (await results).flatMap((line) => JSON.parse(line) as unknown[])
    for (const stateFolder of stateFolders) {
      expect(existsSync(lockPath(stateFolder))).toBe(true)
      expect(readdirSync(stateFolder)).toEqual(['lock.json'])
    }
    return won.sort((one, other) => Number(one) - Number(other))
  }

  const each = Array.from({ length: folders }, (_, index) => index)

  test('exactly one process gets the lock of a free folder', async () => {
    expect(await race(() => undefined)).toEqual(each)
  })

  test('exactly one process gets the lock of a folder whose holder is dead', async () => {
    const stale = JSON.stringify({ pid: deadPid() })
    expect(await race((folder) => writeFileSync(lockPath(folder), stale))).toEqual(each)
  })

  test('exactly one process gets the lock of a folder whose holder had a reused process id', async () => {
    const stale = JSON.stringify({ pid: process.ppid })
    const longAgo = new Date(0)
    const prepare = (folder: string) => {
      writeFileSync(lockPath(folder), stale)
      utimesSync(lockPath(folder), longAgo, longAgo)
    }
    expect(await race(prepare)).toEqual(each)
  })
})

describe('a running sandbox', () => {
  const start = (state: string) => startSandbox({ state, port: 0, host: '127.0.0.1', https: false })

  test('a running sandbox holds its folder until it is closed', async () => {
    const state = temporaryFolder()
    const first = await start(state)
    await expect(start(state)).rejects.toThrow(first.connection.url)
    await first.close()
    expect(readHolder(state)).toBeNull()
    const second = await start(state)
    await second.close()
  })

  test('a sandbox that cannot start releases the folder', async () => {
    const state = temporaryFolder()
    writeFileSync(join(state, 'state.json'), '{')
    await expect(start(state)).rejects.toThrow('state.json')
    expect(readHolder(state)).toBeNull()
  })
})
