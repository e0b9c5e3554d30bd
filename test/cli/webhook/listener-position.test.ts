import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { listenerPosition } from '../../../src/cli/webhook/listener-position.ts'
import { readChecked, replaceChecked } from '../../../src/files/checked-json.ts'
import { startCommand } from '../../support/commands/command.ts'
import { parseNdjson, untilStderr } from '../../support/commands/launched.ts'
import { type LaunchedSandbox, startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'

const baseUrl = 'http://127.0.0.1:1'
const never = (error: unknown) => {
  throw error
}

/** A position beside a state in that folder. */
const beside = (stateFolder: string, target = '', fromNow = false) =>
  listenerPosition({ baseUrl, stateFolder }, target, fromNow, never)

describe('the position of a listener', () => {
  test('a position is read back; the first is written at once, the last by flush', () => {
    const folder = scratchFolder()
    const position = beside(folder, 'a')
    expect(position.lastId()).toBeUndefined()
    position.advance('1')
    expect(beside(folder, 'a').lastId()).toBe('1')
    position.advance('2')
    position.advance('3')
    position.flush()
    expect(beside(folder, 'a').lastId()).toBe('3')
    expect(beside(folder, 'a', true).lastId()).toBeUndefined()
    expect(statSync(join(folder, 'listeners.json')).mode & 0o777).toBe(0o600)
  })

  test('many positions within 100 ms are written once', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const folder = scratchFolder()
      const position = beside(folder)
      for (let id = 1; id <= 50; id += 1) position.advance(String(id))
      expect(beside(folder).lastId()).toBe('1')
      vi.advanceTimersByTime(100)
      expect(beside(folder).lastId()).toBe('50')
    } finally {
      vi.useRealTimers()
    }
  })

  test('two listeners keep both positions, in whatever order they write', () => {
    const folder = scratchFolder()
    const [one, other] = [beside(folder, 'one'), beside(folder, 'other')]
    for (const id of ['1', '2', '3'])
      for (const position of [one, other, other, one]) {
        position.advance(id)
        position.flush()
      }
    replaceChecked(join(folder, 'listeners.json'), { other: '3' }) // as if written from an old reading
    one.flush()
    expect(readChecked(join(folder, 'listeners.json'))?.data).toEqual({ one: '3', other: '3' })
  })

  test.each([
    ['empty', () => ''],
    ['half', (text: string) => text.slice(0, text.length / 2)],
    ['changed', (text: string) => text.replace('"a": "7"', '"a": "8"')],
    ['a list', () => '[]'],
    ['with a place that is none', () => '{"a": 5}'],
    ['of a newer version', (text: string) => text.replace('"format": 1', '"format": 2')],
  ])('a file that is %s is reported with a remedy, and never counts as empty', (_, damage) => {
    const folder = scratchFolder()
    const path = join(folder, 'listeners.json')
    const position = beside(folder, 'a')
    position.advance('7')
    const damaged = damage(readFileSync(path, 'utf8'))
    writeFileSync(path, damaged)
    expect(() => beside(folder, 'a')).toThrow(/listeners\.json is damaged/)
    expect(() => position.flush()).toThrow(/listeners\.json is damaged/)
    expect(readFileSync(path, 'utf8')).toBe(damaged)
    rmSync(path)
    expect(beside(folder, 'a').lastId()).toBeUndefined()
  })

  test('a state that was deleted stays deleted', () => {
    const folder = join(scratchFolder(), 'state')
    mkdirSync(folder)
    const position = beside(folder)
    rmSync(folder, { recursive: true })
    position.advance('1')
    position.flush()
    expect(existsSync(folder)).toBe(false)
  })

  test('a file that cannot be written is reported to the listener', async () => {
    const folder = scratchFolder()
    const failed = vi.fn()
    const position = listenerPosition({ baseUrl, stateFolder: folder }, '', false, failed)
    position.advance('1')
    rmSync(join(folder, 'listeners.json'))
    mkdirSync(join(folder, 'listeners.json'))
    position.advance('2')
    await expect.poll(() => failed.mock.calls.length).toBe(1)
    expect(failed.mock.calls[0]?.[0]).toMatchObject({ name: 'UsageError' })
  })
})

describe('the place where listen keeps its position', () => {
  /** Runs until it is ready, and a payment later ends. */
  async function listenToOne(sandbox: LaunchedSandbox, args: string[], cwd = sandbox.cwd, env = {}) {
    const listener = startCommand(['listen', '--events', 'payment', '--json', ...args], { cwd, env })
    await untilStderr(listener, /Listening to/)
    await sandbox.json(['sale', '--amount', '1.00'])
    await listener.until(/"payment"/)
    return listener.stop('SIGINT')
  }

  test('the position is kept beside the state that led to the sandbox', async () => {
    const sandbox = await startSandboxCommand()
    await listenToOne(sandbox, [])
    expect(Object.keys(readChecked(join(sandbox.state, 'listeners.json'))?.data as object)).toEqual([''])
  })

  test('with --base-url the position is kept in a folder of the user, by sandbox and target', async () => {
    const sandbox = await startSandboxCommand()
    const [home, before] = [scratchFolder(), readdirSync(sandbox.state)]
    const args = ['--base-url', sandbox.url]
    await listenToOne(sandbox, args, home)
    expect(readdirSync(sandbox.state)).toEqual(before)
    const folder = join(home, '.local/state/tillbox')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(Object.keys(readChecked(join(folder, 'listeners.json'))?.data as object)).toEqual([
      `${sandbox.url} `,
    ])
    const { transactionId } = await sandbox.json(['sale', '--amount', '2.00'])
    const again = startCommand(['listen', '--events', 'payment', '--json', ...args], { cwd: home })
    await again.until(/"payment"/)
    expect(parseNdjson(again.output().stdout)).toMatchObject([{ transactionId }])
    const state = scratchFolder()
    await listenToOne(sandbox, args, home, { XDG_STATE_HOME: state })
    expect(readdirSync(join(state, 'tillbox'))).toEqual(['listeners.json'])
  })

  test('each space of a server has its own position', () => {
    const home = scratchFolder()
    vi.stubEnv('XDG_STATE_HOME', home)
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const of = (path: string) =>
      listenerPosition({ baseUrl: `${baseUrl}${path}`, stateFolder: undefined }, 'a', false, never)
    const positions = [of(''), of('/s/ci-1')]
    for (const [index, position] of positions.entries()) position.advance(`${index + 1}`)
    expect(['/', '/s/ci-1/', '/s/ci-2'].map((path) => of(path).lastId())).toEqual(['1', '2', undefined])
    expect(Object.keys(readChecked(join(home, 'tillbox/listeners.json'))?.data as object)).toEqual([
      `${baseUrl} a`,
      `${baseUrl}/s/ci-1 a`,
    ])
    for (const position of positions) position.flush() // else it is written once more, after the test
  })

  test('the position is never kept in a folder that a server names', async () => {
    const sandbox = await startSandboxCommand()
    const [home, trap] = [scratchFolder(), scratchFolder()]
    const { foreignServer } = await import('../../support/network/foreign.ts')
    const url = await foreignServer(async (request, response) => {
      if (request.url === '/_sandbox/connection') {
        const data = { pid: 1, apiKey: 'k', state: trap, stateFolder: trap, baseUrl: sandbox.url }
        response.end(JSON.stringify({ code: '0', data }))
        return
      }
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('id: 7\n\n')
    })
    const listener = startCommand(['listen', '--base-url', url], { cwd: home })
    await untilStderr(listener, /Listening to/)
    await listener.stop('SIGINT')
    expect(readdirSync(trap)).toEqual([])
    const stored = readChecked(join(home, '.local/state/tillbox/listeners.json'))?.data
    expect(stored).toEqual({ [`${url} `]: '7' })
  })

  test('a damaged file ends listen with 2 before anything is sent', async () => {
    const sandbox = await startSandboxCommand()
    writeFileSync(join(sandbox.state, 'listeners.json'), '')
    const { code, stderr } = await sandbox.run(['listen'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/listeners\.json is damaged: it is empty/)
    expect(stderr).toContain('Delete it')
  })
})
