import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cacheFolder, readCode, writeCode } from '../../../src/cli/start/compiled-code.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'

const code = new Map([
  ['main.cjs', Buffer.from('first')],
  ['chunks/one.cjs', Buffer.from([0, 255, 7])],
])

/** Code that was written, and where. */
function written() {
  const path = join(scratchFolder(), 'tillbox/build/sale')
  expect(writeCode(path, code)).toBe(true)
  return path
}

const modeOf = (path: string) => statSync(path).mode & 0o777

describe('compiled code', () => {
  test('compiled code is read as it was written, by this user alone', () => {
    const path = written()
    expect(readCode(path)).toEqual(code)
    expect(modeOf(path)).toBe(0o600)
    expect(modeOf(join(path, '..'))).toBe(0o700)
  })

  test('compiled code is replaced, and no other file is left', () => {
    const path = written()
    const other = new Map([['main.cjs', Buffer.from('second')]])
    expect(writeCode(path, other)).toBe(true)
    expect(readCode(path)).toEqual(other)
    expect(readdirSync(join(path, '..'))).toEqual(['sale'])
  })

  test('compiled code is not used when it is missing or any byte is damaged', () => {
    const path = written()
    expect(readCode(join(path, '../refund')).size).toBe(0)
    const whole = readFileSync(path)
    for (let at = 0; at < whole.length; at += 1) {
      const damaged = Buffer.from(whole)
      damaged[at] = (damaged[at] ?? 0) ^ 1
      writeFileSync(path, damaged)
      expect(readCode(path).size).toBe(0)
      writeFileSync(path, whole.subarray(0, at))
      expect(readCode(path).size).toBe(0)
    }
    writeFileSync(path, whole)
    expect(readCode(path)).toEqual(code)
  })

  test('compiled code is not used where others can write it', () => {
    const path = written()
    for (const mode of [0o620, 0o602]) {
      chmodSync(path, mode)
      expect(readCode(path).size).toBe(0)
    }
    chmodSync(path, 0o644)
    expect(readCode(path)).toEqual(code)
  })

  test('compiled code that cannot be written leaves no file', () => {
    const folder = scratchFolder()
    writeFileSync(join(folder, 'tillbox'), 'a file in place of the folder')
    expect(writeCode(join(folder, 'tillbox/build/sale'), code)).toBe(false)
    mkdirSync(join(folder, 'build/sale'), { recursive: true })
    expect(writeCode(join(folder, 'build/sale'), code)).toBe(false)
    expect(readdirSync(join(folder, 'build'))).toEqual(['sale'])
  })

  test('compiled code of another build is removed after a month without a write', () => {
    const path = written()
    const [old, recent] = ['old', 'recent'].map((name) => join(path, '../..', name))
    for (const [folder, days] of [
      [old, 31],
      [recent, 29],
    ] as const) {
      mkdirSync(String(folder))
      const time = Date.now() / 1000 - days * 24 * 60 * 60
      utimesSync(String(folder), time, time)
    }
    expect(writeCode(join(path, '../../new/sale'), code)).toBe(true)
    expect(readdirSync(join(path, '../..')).sort()).toEqual(['build', 'new', 'recent'])
    expect(existsSync(path)).toBe(true)
  })
})

describe('the folder for it', () => {
  test('the folder for compiled code belongs to the user', () => {
    expect(cacheFolder({ XDG_CACHE_HOME: '/cache', HOME: '/home/ana' })).toBe('/cache/tillbox')
    const usual = process.platform === 'darwin' ? 'Library/Caches' : '.cache'
    if (process.platform !== 'win32')
      expect(cacheFolder({ XDG_CACHE_HOME: '', HOME: '/home/ana' })).toBe(`/home/ana/${usual}/tillbox`)
  })

  test('the folder for compiled code is never below the working folder', () => {
    expect(cacheFolder({ XDG_CACHE_HOME: 'cache', HOME: '/home/ana' })).toBe(null)
    expect(cacheFolder({ HOME: '.' })).toBe(null)
  })
})
