import fs, { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LogFile, lastLines } from '../../../src/cli/lifecycle/log-file.ts'
import { startArguments, startEnvironment, startRecord } from '../../../src/cli/lifecycle/start-record.ts'
import {
  isEphemeralFolder,
  makeEphemeralFolder,
  removeEphemeralFolder,
} from '../../../src/shared/files/ephemeral.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'
import { replaceFunctions } from '../../support/runner/replaced-functions.ts'

test('a temporary folder is for its owner alone, and is removed with its files; no other folder is ever removed', () => {
  const folder = makeEphemeralFolder()
  mkdirSync(join(folder, 'deep'))
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  removeEphemeralFolder(folder)
  expect(existsSync(folder)).toBe(false)
  const other = scratchFolder()
  const inside = join(other, 'tillbox-ephemeral-x')
  mkdirSync(inside)
  for (const path of [other, inside, '/', '.']) {
    expect(isEphemeralFolder(path)).toBe(false)
    expect(() => removeEphemeralFolder(path)).toThrow('not a temporary state folder')
  }
  expect(existsSync(inside)).toBe(true)
})

test('the log has a line with its time for each event, is for its owner alone, and follows no link in its place', () => {
  const path = join(scratchFolder(), 'sandbox.log')
  const log = new LogFile(path)
  log.note('first')
  log.note('\u001b[31msecond')
  log.close()
  expect(readFileSync(path, 'utf8')).toMatch(/^\d{4}-\S+Z first\n\d{4}-\S+Z ␛\[31msecond\n$/)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const folder = scratchFolder()
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'sandbox.log'))
  expect(() => new LogFile(join(folder, 'sandbox.log'))).toThrow('ELOOP')
})

test('the log is rotated at its limit, and a process that holds it open goes on writing', () => {
  const path = join(scratchFolder(), 'sandbox.log')
  const [log, other] = [new LogFile(path, 1_000), new LogFile(path, 1_000_000)]
  for (let count = 0; count < 200; count++) log.note(`line ${count}`)
  other.note('from elsewhere')
  const sizes = [path, `${path}.old`].map((name) => statSync(name).size)
  expect(Math.max(...sizes)).toBeLessThan(1_200)
  expect(readFileSync(path, 'utf8')).toContain('from elsewhere')
  for (const each of [log, other]) each.close()
})

test('a line of which a full disk took a part is counted as lost, and the next one begins a line', () => {
  const path = join(scratchFolder(), 'sandbox.log')
  const log = new LogFile(path)
  let isFull = true
  replaceFunctions(fs, ({ writeSync }) => ({
    writeSync: (file: number, data: Uint8Array) => writeSync(file, isFull ? data.subarray(0, 29) : data),
  }))
  log.note('in a part')
  isFull = false
  log.note('whole')
  log.close()
  expect(lastLines(path, 0)).toEqual([
    expect.stringMatching(/Z in a$/),
    expect.stringMatching(/^\S+Z whole \(1 line before this one could not be written\)$/),
  ])
})

test('the last lines of the log are read from a byte position on', () => {
  const path = join(scratchFolder(), 'sandbox.log')
  const log = new LogFile(path)
  log.note('before')
  const from = statSync(path).size
  for (const text of ['a', 'b', 'c']) log.note(text)
  log.close()
  expect(lastLines(path, from, 2).map((line) => line.slice(-1))).toEqual(['b', 'c'])
  expect(lastLines(`${path}.none`, 0)).toEqual([])
})

const flags = {
  port: 0,
  pace: '800',
  retries: undefined,
  strict: true,
  'like-production': false,
  fixtures: 'own.json',
  set: ['captureTip=30', 'extras=false'],
  json: true,
  state: 'x',
  'notify-url': 'http://me:password@localhost:9/',
  'allow-webhook-host': ['a', 'b c'],
}
const record = startRecord(flags, { apiKey: 'own-key', token: 'own-token-00000000' })

test('options are kept with absolute paths and resolved keys, and become a command line without secrets, and an environment with them', () => {
  expect(record).toEqual({
    port: 0,
    pace: '800',
    strict: true,
    'like-production': false,
    set: ['captureTip=30', 'extras=false'],
    fixtures: join(process.cwd(), 'own.json'),
    'notify-url': 'http://me:password@localhost:9/',
    'allow-webhook-host': ['a', 'b c'],
    'api-key': 'own-key',
    token: 'own-token-00000000',
  })
  expect(startArguments(record)).toEqual([
    '--port=0',
    '--pace=800',
    '--strict',
    '--no-like-production',
    `--fixtures=${join(process.cwd(), 'own.json')}`,
    '--set=captureTip=30',
    '--set=extras=false',
    '--allow-webhook-host=a',
    '--allow-webhook-host=b c',
  ])
  const env = { PATH: '/bin', TILLBOX_PORT: '1', TILLBOX_FORWARD_TO: 'http://x', TILLBOX_API_KEY: 'mine' }
  expect(startEnvironment(record, env)).toEqual({
    PATH: '/bin',
    TILLBOX_API_KEY: 'mine',
    TILLBOX_NOTIFY_URL: 'http://me:password@localhost:9/',
    TILLBOX_SANDBOX_API_KEY: 'own-key',
    TILLBOX_TOKEN: 'own-token-00000000',
  })
})
