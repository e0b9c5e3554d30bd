import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readCode } from '../../../src/cli/start/compiled-code.ts'
import { loaderOf, startName } from '../../../src/cli/start/load.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'

/** A folder with these files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = scratchFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** Loads main.cjs, and keeps its code where `codeFile` names a file. */
function loadOf(dist: string, codeFile: string | null = null): unknown {
  const loader = loaderOf(dist, codeFile)
  const exported = loader.load(join(dist, 'main.cjs'))
  loader.keep()
  return exported
}

describe('a loader', () => {
  test('a loader loads a file and what it requires, each once', () => {
    const dist = folderOf({
      'main.cjs': `const one = require('./chunks/one.cjs'); exports.same = one === require(${'__dirname'} + '/chunks/one.cjs'); exports.one = one`,
      'chunks/one.cjs': `exports.base = require('node:path').basename(__filename); exports.list = require('../list.json')`,
      'list.json': '[1, 2]',
    })
    expect(loadOf(dist)).toEqual({ same: true, one: { base: 'one.cjs', list: [1, 2] } })
  })

  test('a loader uses the compiled code that was kept', () => {
    const dist = folderOf({ 'main.cjs': 'exports.value = (() => 1)()' })
    const codeFile = join(scratchFolder(), 'tillbox/build/sale')
    expect(loadOf(dist, codeFile)).toEqual({ value: 1 })
    // V8 compares the length of the text: the name of the build is what tells other texts apart.
    writeFileSync(join(dist, 'main.cjs'), 'exports.value = (() => 2)()')
    expect(loadOf(dist, codeFile)).toEqual({ value: 1 })
    expect(loadOf(dist)).toEqual({ value: 2 })
  })

  test('a loader compiles code again that V8 rejects, and keeps the result', () => {
    const dist = folderOf({ 'main.cjs': 'exports.value = 1' })
    const codeFile = join(scratchFolder(), 'tillbox/build/sale')
    loadOf(dist, codeFile)
    writeFileSync(join(dist, 'main.cjs'), 'exports.value = 12')
    expect(loadOf(dist, codeFile)).toEqual({ value: 12 })
    const before = statSync(codeFile).ino
    expect(loadOf(dist, codeFile)).toEqual({ value: 12 })
    expect(statSync(codeFile).ino).toBe(before)
  })

  test('a loader adds the code of a file that an earlier start did not load', () => {
    const dist = folderOf({
      'main.cjs': `if (globalThis.tillboxTestLoads) require('./chunks/' + globalThis.tillboxTestLoads)`,
      'chunks/one.cjs': '',
      'chunks/other.cjs': '',
    })
    const codeFile = join(scratchFolder(), 'tillbox/build/sale')
    for (const name of ['one.cjs', 'other.cjs']) {
      Object.assign(globalThis, { tillboxTestLoads: name })
      loadOf(dist, codeFile)
    }
    Object.assign(globalThis, { tillboxTestLoads: undefined })
    expect([...readCode(codeFile).keys()].sort()).toEqual(['chunks/one.cjs', 'chunks/other.cjs', 'main.cjs'])
  })

  test('a loader passes on the error of a file', () => {
    const dist = folderOf({ 'main.cjs': "throw new Error('of the file')" })
    expect(() => loadOf(dist)).toThrow('of the file')
  })
})

describe('the name of a start', () => {
  const nameOf = (line: string) => startName(commandFolder(), line === '' ? [] : line.split(' '))
  const commandFolder = () =>
    folderOf({
      'sale.cjs': '',
      '__complete.cjs': '',
      'sandbox/start.cjs': '',
      'sandbox/key/list.cjs': '',
    })

  test('the name of a start is that of the command, whatever its arguments are', () => {
    expect(nameOf('sale --amount 10.00')).toBe('sale')
    expect(nameOf('sale 179 --json')).toBe('sale')
    expect(nameOf('sale other')).toBe('sale')
    expect(nameOf('sandbox start --port 0')).toBe('sandbox.start')
    expect(nameOf('sandbox key list')).toBe('sandbox.key.list')
    expect(nameOf('__complete zsh')).toBe('__complete')
  })

  test('help and unknown commands share one name', () => {
    for (const line of [
      '',
      '--help',
      'sale --help',
      'sandbox',
      'sandbox -h',
      'unknown',
      '../sale',
      'sandbox/start',
    ])
      expect(nameOf(line)).toBe('other')
  })
})
