import fs, {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { fileFailure } from '../../../src/cli/errors/system-error.ts'
import { rememberRequest } from '../../../src/domain/state.ts'
import { repairState } from '../../../src/sandbox/store/file/repair.ts'
import { verifyState } from '../../../src/sandbox/store/file/verify.ts'
import { startSandbox } from '../../../src/server/server.ts'
import { NewerFormat, readChecked, replaceChecked } from '../../../src/shared/files/checked-json.ts'
import { replaceFile } from '../../../src/shared/files/files.ts'
import { replaceFunctions } from '../../support/runner/replaced-functions.ts'
import { askIn } from '../../support/service/ask.ts'
import {
  crashCopy,
  encodeLine,
  openService,
  sale,
  temporaryFolder,
  WallClock,
} from '../../support/service/service.ts'
import { folderContents } from '../../support/store/folder-contents.ts'
import { journalOf, stateFileOf } from '../../support/store/state-paths.ts'

const failureOf = async (work: Promise<unknown>) => (await work.catch((error: Error) => error)) as Error

describe('a link in the state folder', () => {
  test('a link in place of snapshots/ is refused with its path, and nothing is written where it leads', async () => {
    const [state, other] = [temporaryFolder(), temporaryFolder()]
    symlinkSync(other, join(state, 'snapshots'))
    const failure = await failureOf(startSandbox({ state }))
    expect(failure).toMatchObject({ code: 'ELOOP', path: join(state, 'snapshots') })
    expect(fileFailure(failure)?.[0]).toContain('snapshots: it is a link; links are never followed')
    expect(readdirSync(other)).toEqual([])
  })

  /** A folder with a link to a file of somebody else. */
  function withLink(name: string, text: string) {
    const [folder, other] = [temporaryFolder(), join(temporaryFolder(), 'other')]
    writeFileSync(other, text, { mode: 0o644 })
    symlinkSync(other, join(folder, name))
    const unchanged = () => {
      expect(readFileSync(other, 'utf8')).toBe(text)
      expect(statSync(other).mode & 0o777).toBe(0o644)
    }
    return { folder, unchanged }
  }

  test.each([
    ['journal-1.jsonl', encodeLine({ format: 3 })],
    ['state.json', '[]'],
    ['lock.json', '{"pid":1}'],
  ])('a start with a link in place of %s is refused', async (name, text) => {
    const { folder, unchanged } = withLink(name, text)
    expect(await failureOf(startSandbox({ state: folder }))).toMatchObject({
      code: 'ELOOP',
      path: join(folder, name),
    })
    unchanged()
  })

  test('a linked attempts.jsonl is reported, and nothing is written to the other file', async () => {
    const { folder, unchanged } = withLink('attempts.jsonl', 'precious\n')
    const reported: string[] = []
    const report = (message: string) => reported.push(message)
    const { call, sandbox } = await openService({ state: folder, report })
    await call('sale', sale(1, { notifyUrl: 'http://127.0.0.1:9/' }))
    await sandbox.courier.idle()
    await sandbox.attempts.written()
    expect(reported.join()).toContain('it is a link')
    unchanged()
  })

  test('a link planted under the name of an unfinished file is not followed', () => {
    const { folder, unchanged } = withLink('settings.json.new', 'precious')
    replaceFile(join(folder, 'state.json'), ['mine'])
    unchanged()
    expect(readFileSync(join(folder, 'state.json'), 'utf8')).toBe('mine')
  })
})

describe('a folder that others may write to', () => {
  test('the start is refused in a folder that every user may write to, and nothing is written', async () => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o777)
    const error = await failureOf(openService({ state: folder }))
    expect(error.message).toContain('Every user of this machine may replace the files')
    expect(readdirSync(folder)).toEqual([])
  })

  test.each([0o775, 0o1777])('a folder with the mode %o is reported with the remedy', async (mode) => {
    const folder = temporaryFolder()
    chmodSync(folder, mode)
    const reported: string[] = []
    await openService({ state: folder, report: (message) => reported.push(message) })
    expect(reported.join()).toContain(`chmod 700 ${folder}`)
  })
})

describe('small files with a checksum', () => {
  const path = () => join(temporaryFolder(), 'file.json')

  test('data is read back as it was, and the file is its owner’s alone', () => {
    const file = path()
    replaceChecked(file, { text: 'é', list: [1, null] })
    expect(readChecked(file)).toEqual({ data: { text: 'é', list: [1, null] } })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('every flipped bit that changes the data is detected', () => {
    const file = path()
    replaceChecked(file, { clock: { offset: 0 }, keys: { a: ['b'] } })
    const bytes = readFileSync(file)
    const whole = JSON.stringify(JSON.parse(bytes.toString()))
    let noticed = 0
    for (let offset = 0; offset < bytes.length; offset++)
      for (let bit = 0; bit < 8; bit++) {
        const changed = Buffer.from(bytes)
        changed[offset] = (changed[offset] ?? 0) ^ (1 << bit)
        writeFileSync(file, changed)
        if (parsedText(changed.toString()) === whole) continue
        expect(() => readChecked(file)).toThrow(/is damaged/)
        noticed += 1
      }
    expect(noticed).toBeGreaterThan(bytes.length)
  })

  const parsedText = (text: string): string | null => {
    try {
      return JSON.stringify(JSON.parse(text))
    } catch {
      return null
    }
  }

  /** The text of a checked file of another version. */
  function newerFile(): string {
    const [format, version, data] = [2, '9.9.9', {}]
    const crc = crc32(JSON.stringify([format, version, data]))
      .toString(16)
      .padStart(8, '0')
    return JSON.stringify({ format, version, data, crc })
  }

  test('a file of a newer format names the version that wrote it', () => {
    const file = path()
    writeFileSync(file, newerFile())
    expect(() => readChecked(file)).toThrow('tillbox 9.9.9 wrote it in format 2; this tillbox reads format 1')
  })

  test.each([
    ['tokens.json', newerFile()],
    ['snapshots/base.json', `[\n${encodeLine({ format: 4, version: '9.9.9' })}]\n`],
  ])('a repair removes no %s of a newer format, and changes nothing', async (name, text) => {
    const state = temporaryFolder()
    await (await startSandbox({ state })).close()
    mkdirSync(join(state, 'snapshots'), { recursive: true })
    writeFileSync(join(state, name), text, { mode: 0o600 })
    const before = folderContents(state)
    expect(await failureOf(repairState(state, Date.now()))).toBeInstanceOf(NewerFormat)
    expect(folderContents(state)).toEqual(before)
  })
})

test.each([
  ['a file of another user is no damage', 'EACCES', /state\.json$/],
  ['a disk that fills up ends a repair', 'ENOSPC', /\.backup-.*state\.json$/],
])('%s, and it leaves no half copy', async (_, code, where) => {
  const root = temporaryFolder()
  const state = join(root, 'state')
  await (await startSandbox({ state })).close()
  writeFileSync(stateFileOf(state), 'damaged')
  const before = readdirSync(root, { recursive: true })
  replaceFunctions(fs, ({ openSync }) => ({
    openSync: (...given: Parameters<typeof openSync>) => {
      if (where.test(String(given[0]))) throw Object.assign(new Error(code), { code })
      return openSync(...given)
    },
  }))
  if (code === 'EACCES') expect(await failureOf(verifyState(state))).toMatchObject({ code })
  expect(await failureOf(repairState(state, Date.now()))).toMatchObject({ code })
  expect(readdirSync(root, { recursive: true })).toEqual(before)
})

test('a plain file among the spaces is no damage, and is left alone', async () => {
  const state = temporaryFolder()
  await (await startSandbox({ state })).close()
  mkdirSync(join(state, 'spaces'))
  writeFileSync(join(state, 'spaces', 'notes'), 'mine')
  expect(await verifyState(state)).toMatchObject({ sound: true, problems: [] })
})

test('one request id marked a year ahead does not keep the others from being forgotten', () => {
  const state = { requests: new Map(), requestsLookedAt: 0 } as unknown as Parameters<
    typeof rememberRequest
  >[0]
  const mark = (key: string, at: number) => rememberRequest(state, { key, at, fingerprint: '' })
  mark('ahead', 365 * 86_400_000)
  for (let minute = 0; minute < 100; minute++) mark(`at ${minute}`, minute * 60_000)
  expect(state.requests.size).toBeLessThanOrEqual(10 + 1)
  expect([state.requests.has('at 99'), state.requests.has('ahead')]).toEqual([true, false])
})

test.each([
  ['10 minutes', 600_000, 1, 'SBX_DUP_REQUEST'],
  ['a millisecond more than that', 600_001, 0, '0'],
])('a request id used %s before the stop counts for 10 minutes', async (_, elapsed, remaining, code) => {
  const clock = new WallClock(Date.UTC(2026, 10, 20, 12))
  const [state, wall] = [temporaryFolder(), clock.read]
  const id = { 'X-Client-Request-Id': '9a73140f-25f1-4d04-93b1-1f4e1a4a3b5c' }
  const first = await openService({ state, wall })
  await first.call('sale', sale(1000), id)
  clock.pass(elapsed)
  await first.close()
  const again = await openService({ state, wall })
  expect(again.sandbox.engine.state.requests.size).toBe(remaining)
  expect((await again.call('sale', sale(1000), id)).code).toBe(code)
})

test('a folder in place of a state file is named in the error', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'state.json')
  mkdirSync(path)
  expect(await failureOf(openService({ state: folder }))).toMatchObject({ path })
})

test('a group that stands there twice, and a transaction without its ledger, are found', async () => {
  const state = temporaryFolder()
  const running = await startSandbox({ state })
  await askIn(running.sandbox)('POST', '/v1/semi-integration/transaction/sale', sale(100))
  const killed = crashCopy(state)
  await running.close()
  const problemsAfter = async (folder: string, path: string, change: (lines: string[]) => string[]) => {
    writeFileSync(path, change(readFileSync(path, 'utf8').split('\n')).join('\n'))
    return (await verifyState(folder)).problems.join('\n')
  }
  const twice = (lines: string[]) =>
    lines.flatMap((line) => (line.startsWith('{"group"') ? [line, line] : [line]))
  expect(await problemsAfter(killed, journalOf(killed), twice)).toContain('group 1 follows group 1')
  const withoutLedgers = (lines: string[]) => lines.filter((line) => !line.startsWith('{"ledger"'))
  const missing = 'its ledger is missing before it'
  expect(await problemsAfter(state, stateFileOf(state), withoutLedgers)).toContain(missing)
})
