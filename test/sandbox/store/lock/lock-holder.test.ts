import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { acquireLock, readHolder } from '../../../../src/sandbox/store/lock.ts'
import { temporaryFolder } from '../../../support/service/service.ts'
import { deadPid, folderWithLock, lockPath, refusalOf } from '../../../support/store/locks.ts'

describe('a lock of another container, which has its own pids', () => {
  const elsewhere = (more: object = {}) => ({ pid: process.ppid, began: '1', space: 'pid:[1]', ...more })
  const locks = [
    ['whose pid lives here too', elsewhere()],
    ['whose pid is our own', elsewhere({ pid: process.pid })],
    ['whose pid nobody has here', elsewhere({ pid: deadPid() })],
  ] as const

  test.each(locks)('a fresh lock holds although it is one %s', (_, lock) => {
    const folder = folderWithLock({ ...lock, url: 'http://127.0.0.1:4242' })
    const before = readFileSync(lockPath(folder))
    const refusal = refusalOf(folder)
    expect(refusal.holder.pid).toBe(lock.pid)
    expect(refusal.message).toContain('http://127.0.0.1:4242')
    expect(readFileSync(lockPath(folder))).toEqual(before)
    expect(readdirSync(folder)).toEqual(['lock.json'])
  })

  test.each(locks)('a lock that was not touched for a minute is taken over, even one %s', (_, lock) => {
    const folder = folderWithLock(lock, { age: 60_000 })
    const own = acquireLock(folder)
    expect(readHolder(folder)).toMatchObject({ pid: process.pid })
    expect(readHolder(folder)?.space).not.toBe('pid:[1]')
    expect(readdirSync(folder)).toEqual(['lock.json'])
    own.release()
    expect(readHolder(folder)).toBeNull()
  })

  test('a held lock is touched regularly, before and after it is announced', async () => {
    const folder = temporaryFolder()
    const lock = acquireLock(folder, 5)
    onTestFinished(() => lock.release())
    const longAgo = new Date(0)
    const touched = async () => {
      utimesSync(lockPath(folder), longAgo, longAgo)
      await expect.poll(() => statSync(lockPath(folder)).mtimeMs).toBeGreaterThan(0)
    }
    await touched()
    lock.announce({ url: 'http://127.0.0.1:4242' })
    await touched()
    expect(readHolder(folder)?.url).toBe('http://127.0.0.1:4242')
  })

  test('touching the lock of a missing folder does nothing', async () => {
    const folder = join(temporaryFolder(), 'state')
    const lock = acquireLock(folder, 5)
    rmSync(folder, { recursive: true })
    await new Promise((resolve) => setTimeout(resolve, 50))
    lock.release()
    expect(existsSync(folder)).toBe(false)
  })
})

describe.runIf(process.platform === 'linux')('a lock whose pid is in use again', () => {
  /** A lock as our parent, which lives, would have written it. */
  const parents = (more: object) => {
    const folder = temporaryFolder()
    const own = acquireLock(folder)
    const { space } = readHolder(folder) ?? {}
    own.release()
    writeFileSync(lockPath(folder), JSON.stringify({ pid: process.ppid, space, ...more }))
    return folder
  }
  const stat = () => readFileSync(`/proc/${process.ppid}/stat`, 'utf8')
  /** Field 22, counted behind the name, which may hold spaces. */
  const began = () =>
    stat()
      .slice(stat().lastIndexOf(')') + 2)
      .split(' ')[19]

  test('the lock holds when its pid has the same start time, or none and it was touched just now', () => {
    expect(refusalOf(parents({ began: began() })).holder.pid).toBe(process.ppid)
    expect(refusalOf(parents({})).holder.pid).toBe(process.ppid)
  })

  test('the lock is taken over when its pid has another start time, however fresh the lock is', () => {
    const folder = parents({ began: '1' })
    const own = acquireLock(folder)
    expect(readHolder(folder)?.pid).toBe(process.pid)
    own.release()
  })

  test('the lock holds when it has no start time and is touched soon: the machine slept', () => {
    const folder = parents({})
    const longAgo = new Date(Date.now() - 60_000)
    utimesSync(lockPath(folder), longAgo, longAgo)
    spawn('sh', ['-c', 'sleep 1; touch "$0"', lockPath(folder)], { stdio: 'ignore' })
    expect(refusalOf(folder).holder.pid).toBe(process.ppid)
  })
})

test('a lock that another container has taken over is not released', () => {
  const folder = temporaryFolder()
  const lock = acquireLock(folder)
  writeFileSync(lockPath(folder), JSON.stringify({ pid: process.pid, began: '1', space: 'pid:[1]' }))
  lock.release()
  expect(readHolder(folder)).toMatchObject({ space: 'pid:[1]' })
})

test.runIf(process.platform === 'linux')('the lock of a zombie process is taken over', async () => {
  const script = 'sleep 0.3 & echo $!; exec sleep 30'
  const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void parent.kill('SIGKILL'))
  const [text] = (await once(parent.stdout, 'data')) as [Buffer]
  const pid = Number(text.toString())
  const stateOf = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0]
  await expect.poll(stateOf).toBe('Z')
  const folder = temporaryFolder()
  writeFileSync(lockPath(folder), JSON.stringify({ pid }))
  const lock = acquireLock(folder)
  expect(readHolder(folder)?.pid).toBe(process.pid)
  lock.release()
})
