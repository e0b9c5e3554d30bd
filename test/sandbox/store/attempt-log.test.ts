import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { AttemptLog } from '../../../src/sandbox/store/file/attempt-log.ts'
import type { LoggedAttempt } from '../../../src/sandbox/store/storage.ts'
import { unexpected } from '../../support/access-stores.ts'
import { temporaryFolder } from '../../support/service/service.ts'
import { loggedAttempt } from '../webhooks/logged-attempt.ts'

const open = (folder: string, limit = 16 * 1024 * 1024) => new AttemptLog(folder, unexpected, { limit })

const numbersOf = (attempts: readonly LoggedAttempt[]): number[] => attempts.map(({ number }) => number)

test('assumption attempt-log: the newest attempts are kept, up to twice the limit', async () => {
  const folder = temporaryFolder()
  const log = open(folder, 20_000)
  for (let number = 1; number <= 200; number++) {
    log.add(loggedAttempt(number))
    await log.written()
  }
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
  expect(sizes).toHaveLength(2)
  for (const size of sizes) expect(size).toBeLessThan(22_000)
  const all = new Set(Array.from({ length: 200 }, (_, index) => index + 1))
  const remaining = numbersOf(await log.of('M1', all))
  expect(remaining.length).toBeGreaterThan(15)
  expect(remaining).toEqual([...all].slice(-remaining.length))
})

test('an attempt is found by merchant and number, and similar text is not', async () => {
  const log = open(temporaryFolder())
  for (const number of [1, 12, 2, 1]) log.add(loggedAttempt(number))
  log.add(loggedAttempt(1, { merchantId: 'M"1' }))
  log.add(loggedAttempt(7, { requestBody: JSON.stringify(loggedAttempt(1)) }))
  expect(numbersOf(await log.of('M1', new Set([1])))).toEqual([1, 1])
  expect(numbersOf(await log.of('M1', new Set([12, 2])))).toEqual([12, 2])
  expect(numbersOf(await log.of('M"1', new Set([1])))).toEqual([1])
  expect(await log.of('M2', new Set([1]))).toEqual([])
})

test('a line that was cut off is ignored, and the next one is not', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'attempts.jsonl'), '{"merchantId":"M1","number":1,"at":')
  const log = open(folder)
  expect(await log.of('M1', new Set([1]))).toEqual([])
  for (const number of [2, 3]) {
    log.add(loggedAttempt(number))
    await log.written()
  }
  expect(numbersOf(await log.of('M1', new Set([1, 2, 3])))).toEqual([2, 3])
})

test('lines that cannot be written are reported with their file', async () => {
  const path = join(temporaryFolder(), 'attempts.jsonl')
  mkdirSync(path)
  const errors: string[] = []
  const log = new AttemptLog(dirname(path), (error) => errors.push(error.message))
  log.add(loggedAttempt(1))
  await log.written()
  expect(errors).toEqual([`Lines of ${path} were lost: it is a folder, not a file`])
})

test('a sandbox that lost its folder writes and deletes no attempts', async () => {
  const folder = temporaryFolder()
  const log = open(folder)
  log.add(loggedAttempt(1))
  await log.written()
  const errors: string[] = []
  const confirm = () => {
    throw new Error('the folder is lost')
  }
  const lost = new AttemptLog(folder, (error) => errors.push(error.message), { confirm })
  lost.add(loggedAttempt(2))
  await lost.forget()
  expect(numbersOf(await log.of('M1', new Set([1, 2])))).toEqual([1])
  expect(errors).toEqual(['the folder is lost', 'the folder is lost'])
})

test('buffered attempts are written without a request, and none after the log was deleted', async () => {
  const folder = temporaryFolder()
  const log = open(folder)
  log.add(loggedAttempt(1))
  const path = join(folder, 'attempts.jsonl')
  await expect.poll(() => statSync(path).size).toBeGreaterThan(1_000)
  log.add(loggedAttempt(2))
  await log.forget()
  await log.written()
  expect(readdirSync(folder)).toEqual([])
  log.add(loggedAttempt(3))
  expect(numbersOf(await log.of('M1', new Set([1, 2, 3])))).toEqual([3])
})
