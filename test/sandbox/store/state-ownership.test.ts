import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SpaceRecords } from '../../../src/sandbox/store/space-list.ts'
import { startSandbox } from '../../../src/server/server.ts'
import { removeSpaceFolder, requireOwnState } from '../../../src/shared/files/state-ownership.ts'
import { folderWith } from '../../support/commands/scratch.ts'
import { crashCopy, openService, sale, temporaryFolder } from '../../support/service/service.ts'
import { disk, useTestDisk } from '../../support/store/disk.ts'
import { folderContents } from '../../support/store/folder-contents.ts'

/** A state folder with a payment, a snapshot and a space, left by a kill. */
async function usedFolder(): Promise<string> {
  const { call, sandbox, folder } = await openService()
  await call('sale', sale(1))
  await sandbox.snapshots.save('base', sandbox.engine.state as never, {
    name: 'base',
    savedAt: new Date().toISOString(),
    sandboxTime: new Date().toISOString(),
    transactions: 1,
    settings: {
      clock: { offset: 0, frozenAt: null },
      faultRules: [],
      webhookOrder: null,
      webhookHold: false,
    },
  })
  const copy = crashCopy(folder)
  new SpaceRecords(copy, () => undefined).add('one', Date.now(), null, null)
  cpSync(folder, join(copy, 'spaces/one'), { recursive: true })
  return copy
}

const starts = async (state: string) => (await startSandbox({ state })).close()

describe('files that others can open', () => {
  test.each([
    ['state.json', 0o644],
    ['journal-1.jsonl', 0o640],
    ['spaces.json', 0o602],
    ['snapshots/base.json', 0o604],
    ['spaces/one/journal-1.jsonl', 0o644],
    ['secret.json', 0o644],
    ['tokens.json', 0o644],
    ['tls-key.pem', 0o644],
    ['lock.json', 0o644],
    ['attempts.jsonl', 0o664],
  ])('%s with the mode %o is refused with the way out, and nothing is changed', async (name, mode) => {
    const state = await usedFolder()
    const path =
      name.startsWith('journal') || name.includes('/journal') ? journalIn(state, name) : join(state, name)
    if (!existsSync(path)) writeFileSync(path, '{}')
    chmodSync(path, mode)
    const before = folderContents(state)
    await expect(startSandbox({ state })).rejects.toMatchObject({
      name: 'ForeignState',
      message: expect.stringMatching(
        new RegExp(`open ${path};.*sandbox repair --take-over --state ${state}`),
      ),
    })
    expect(folderContents(state)).toEqual(before)
  })

  const journalIn = (state: string, name: string): string => {
    const folder = dirname(join(state, name))
    return join(folder, readdirSync(folder).find((each) => each.startsWith('journal-')) ?? '')
  }

  test('they say nothing on a file system without modes', async () => {
    const state = await usedFolder()
    chmodSync(join(state, 'state.json'), 0o777)
    expect(() => requireOwnState(state, () => false)).not.toThrow()
    expect(() => requireOwnState(state, () => true)).toThrow('other users can open')
  })

  test('the file that is made to see modes is gone afterwards', async () => {
    const state = await usedFolder()
    chmodSync(join(state, 'state.json'), 0o644)
    const before = readdirSync(state)
    expect(() => requireOwnState(state)).toThrow('other users can open')
    expect(readdirSync(state)).toEqual(before)
  })

  test.each(['EROFS', 'EACCES', 'ENOSPC'])(
    'a folder that takes no file (%s) is judged by its modes',
    async (code) => {
      const state = await usedFolder()
      useTestDisk()
      const gate = (call: string) => {
        if (call.startsWith('open')) throw Object.assign(new Error(code), { code })
      }
      disk.watcher = { folder: state, gate }
      onTestFinished(() => {
        disk.watcher = null
      })
      chmodSync(join(state, 'state.json'), 0o644)
      expect(() => requireOwnState(state)).toThrow('other users can open')
      chmodSync(join(state, 'state.json'), 0o600)
      expect(() => requireOwnState(state)).not.toThrow()
    },
  )

  test('a folder that gives its group to its files may be open to the group, and to nobody else', async () => {
    const state = await usedFolder()
    chmodSync(state, 0o2770)
    chmodSync(join(state, 'state.json'), 0o660)
    await starts(state)
    chmodSync(join(state, 'state.json'), 0o664)
    await expect(startSandbox({ state })).rejects.toThrow('other users can open')
  })
})

describe('a folder of this user starts', () => {
  test('after a kill', async () => starts(await usedFolder()))

  test('after it was moved', async () => {
    const [state, moved] = [await usedFolder(), join(temporaryFolder(), 'moved')]
    renameSync(state, moved)
    await starts(moved)
  })

  test('after it was copied', async () => {
    const [state, copy] = [await usedFolder(), join(temporaryFolder(), 'copy')]
    cpSync(state, copy, { recursive: true })
    await starts(copy)
  })

  test('when it does not exist', async () => starts(join(temporaryFolder(), 'a/b')))

  test('when it is empty', async () => starts(temporaryFolder()))

  test.each([0o600, 0o644])('with only a log of the mode %o', async (mode) =>
    starts(folderWith({ 'sandbox.log': 'a line\n' }, mode)),
  )

  test('with files of others that no sandbox reads', async () => {
    const state = await usedFolder()
    writeFileSync(join(state, 'notes.txt'), '', { mode: 0o666 })
    symlinkSync('/nowhere', join(state, 'a-link'))
    await starts(state)
  })

  test('below a link', async () => {
    const [state, above] = [await usedFolder(), join(temporaryFolder(), 'link')]
    symlinkSync(dirname(state), above)
    await starts(join(above, state.slice(dirname(state).length)))
  })
})

describe('a link', () => {
  /** A folder that nothing may change. */
  function precious() {
    const folder = folderWith({ 'work/state.json': 'precious', 'work/notes.txt': 'mine' })
    const before = folderContents(folder)
    return { folder, unchanged: () => expect(folderContents(folder)).toEqual(before) }
  }

  test.each([
    '',
    'spaces',
    'snapshots',
    'spaces/one',
    'spaces/one/snapshots',
    'tls-key.pem',
    'secret.json',
    'attempts.jsonl',
  ])('in place of %j is refused, and nothing is changed where it leads', async (name) => {
    const { folder, unchanged } = precious()
    const state = join(temporaryFolder(), 'state')
    mkdirSync(dirname(join(state, name)), { recursive: true })
    symlinkSync(folder, join(state, name))
    await expect(startSandbox({ state })).rejects.toMatchObject({ code: 'ELOOP', path: join(state, name) })
    unchanged()
    expect(readFileSync(join(folder, 'work/notes.txt'), 'utf8')).toBe('mine')
  })

  test('in place of the folder of spaces is not followed when a space is removed or opened', () => {
    const { folder, unchanged } = precious()
    const state = temporaryFolder()
    symlinkSync(folder, join(state, 'spaces'))
    expect(() => removeSpaceFolder(state, 'work')).toThrow('it is a link')
    unchanged()
  })

  test('in place of a space is not followed when the space is removed', () => {
    const { folder, unchanged } = precious()
    const state = temporaryFolder()
    mkdirSync(join(state, 'spaces'))
    symlinkSync(join(folder, 'work'), join(state, 'spaces/work'))
    expect(() => removeSpaceFolder(state, 'work')).toThrow('it is a link')
    unchanged()
  })

  test('within a space is removed with it, and not what it leads to', () => {
    const { folder, unchanged } = precious()
    const state = folderWith({ 'spaces/one/state.json': '' })
    symlinkSync(folder, join(state, 'spaces/one/snapshots'))
    expect(removeSpaceFolder(state, 'one')).toBeUndefined()
    unchanged()
    expect(existsSync(join(state, 'spaces/one'))).toBe(false)
  })
})

test('a removed space keeps what no sandbox made, and says where', () => {
  const state = folderWith({ 'spaces/one/state.json': '', 'spaces/one/notes.txt': 'mine' })
  expect(removeSpaceFolder(state, 'one')).toBe(join(state, 'spaces/one'))
  expect(readdirSync(join(state, 'spaces/one'))).toEqual(['notes.txt'])
})

test('a space without a folder is removed', () => {
  expect(removeSpaceFolder(temporaryFolder(), 'one')).toBeUndefined()
})

test('files of a used folder have the mode 600', async () => {
  const state = await usedFolder()
  const files = readdirSync(state, { recursive: true, encoding: 'utf8' }).filter((each) =>
    lstatSync(join(state, each)).isFile(),
  )
  expect(files.filter((each) => statSync(join(state, each)).mode & 0o077)).toEqual([])
})
