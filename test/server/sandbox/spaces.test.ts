import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunningSandbox, ServerOptions } from '../../../src/server/server.ts'
import { replaceChecked } from '../../../src/shared/files/checked-json.ts'
import type { AnyJson } from '../../support/any-json.ts'
import { askJson } from '../../support/network/ask-json.ts'
import { openRawSandbox } from '../../support/service/raw.ts'
import { salePath } from '../../support/service/requests.ts'
import { apiHeaders, apiKey, sale, temporaryFolder } from '../../support/service/service.ts'

interface SpacesServer extends RunningSandbox {
  readonly state: string
  /** Asks for a path and reads the answer as JSON. */
  ask(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<AnyJson>
  /** A sale with that key on a path; resolves to its envelope. */
  sale(key: string, base?: string, terminalSn?: string): Promise<AnyJson>
  /** Makes a space. */
  make(name: string, more?: object): Promise<AnyJson>
}

async function serve(given: Partial<ServerOptions> = {}): Promise<SpacesServer> {
  const state = given.state ?? temporaryFolder()
  const running = await openRawSandbox({ ...given, state })
  const { url } = running.connection
  const ask: SpacesServer['ask'] = (method, path, ...rest) => askJson(url + path, method, ...rest)
  const { appId, merchantId } = running.connection
  return {
    ...running,
    state,
    ask,
    sale: (key, base = '', terminalSn = 'TBX-AUTO-001') =>
      ask('POST', base + salePath, sale(100, { appId, merchantId, terminalSn }), apiHeaders(key)),
    make: async (name, more = {}) => (await ask('POST', '/_sandbox/spaces', { name, ...more })).data,
  }
}

/** Transactions of a space, as it counts them itself. */
const countIn = async ({ ask }: SpacesServer, base: string): Promise<number> =>
  (await ask('GET', `${base}/_sandbox/state`)).data.transactions

describe('a space', () => {
  test('a space has its own transactions: its key leads to it on plain paths, and its path to all of it', async () => {
    const server = await serve()
    const space = await server.make('ci-1')
    expect(space).toMatchObject({ name: 'ci-1', url: `${server.connection.url}/s/ci-1`, expiresAt: null })
    expect(space.apiKey).toMatch(/^tbx_sandbox_[\da-f]{24}$/)
    expect((await server.sale(space.apiKey)).code).toBe('0')
    expect((await server.sale(space.apiKey, '/s/ci-1')).code).toBe('0')
    expect((await server.sale(apiKey)).code).toBe('0')
    expect(await countIn(server, '/s/ci-1')).toBe(2)
    expect(await countIn(server, '/s/default')).toBe(1)
    expect(await countIn(server, '')).toBe(1)
  })

  test('a removed space takes its tokens with it, and they do not open a new one of the same name', async () => {
    const server = await serve()
    await server.make('ci-1')
    const board = { name: 'board', scope: 'viewer', space: 'ci-1' }
    const { token } = (await server.ask('POST', '/_sandbox/tokens', board)).data
    await server.ask('POST', '/_sandbox/tokens', { name: 'wall', scope: 'viewer' })
    await server.ask('DELETE', '/_sandbox/spaces/ci-1')
    const { tokens } = (await server.ask('GET', '/_sandbox/tokens')).data
    expect(tokens.map(({ name }: AnyJson) => name)).toEqual(['wall'])
    await server.make('ci-1')
    expect(await fetch(`${server.connection.url}/s/ci-1/?token=${token}`)).toMatchObject({ status: 401 })
  })

  test('a space that cannot be opened is not created, and the file in its place stays as it is', async () => {
    const server = await serve()
    mkdirSync(join(server.state, 'spaces'))
    writeFileSync(join(server.state, 'spaces', 'ci-1'), 'of somebody else')
    const refused = await server.ask('POST', '/_sandbox/spaces', { name: 'ci-1' })
    expect(refused).toMatchObject({ httpStatus: 503, code: 'SBX_STORE_FAIL' })
    const { spaces } = (await server.ask('GET', '/_sandbox/spaces')).data
    expect(spaces.map(({ name }: AnyJson) => name)).toEqual(['default'])
    expect(readFileSync(join(server.state, 'spaces', 'ci-1'), 'utf8')).toBe('of somebody else')
    rmSync(join(server.state, 'spaces', 'ci-1'))
    expect(await server.make('ci-1')).toMatchObject({ name: 'ci-1' })
  })

  test('a space has a clock, faults, terminals and a webhook secret of its own', async () => {
    const server = await serve()
    await server.make('one')
    await server.ask('POST', '/s/one/_sandbox/clock', { action: 'set', time: '2030-01-01T00:00:00Z' })
    await server.ask('POST', '/s/one/_sandbox/faults', { kind: 'http-503', times: 1 })
    await server.ask('POST', '/s/one/_sandbox/terminals', { terminalSn: 'DESK-2' })
    const ofBoth = (path: string) =>
      Promise.all(
        ['', '/s/one'].map(async (base) => (await server.ask('GET', `${base}/_sandbox/${path}`)).data),
      )
    expect((await ofBoth('clock')).map(({ now }) => now.slice(0, 4) === '2030')).toEqual([false, true])
    expect((await ofBoth('faults')).map(({ faults }) => faults.length)).toEqual([0, 1])
    const serials = (await ofBoth('terminals')).map(({ terminals }) =>
      terminals.map(({ terminalSn }: { terminalSn: string }) => terminalSn),
    )
    expect(serials.map((each) => each.includes('DESK-2'))).toEqual([false, true])
    const [first, second] = await ofBoth('webhook-secret')
    expect(second.secret).not.toBe(first.secret)
  })

  test('a space refuses the key of another space on its own path', async () => {
    const server = await serve()
    const [one] = [await server.make('one'), await server.make('two')]
    const refused = await server.sale(one.apiKey, '/s/two')
    expect([refused.httpStatus, refused.code]).toEqual([401, 'SBX_KEY_UNKNOWN'])
    expect(refused.remedy).toBe('Use the key of this space: `tillbox sandbox env --space two --show-key`')
    const ofFirst = await server.sale(apiKey, '/s/two')
    expect([ofFirst.code, ofFirst.remedy]).toEqual(['SBX_KEY_UNKNOWN', refused.remedy])
  })

  test('a new key of a space leads to it, and a reset of everything brings its first key back', async () => {
    const server = await serve()
    const space = await server.make('one')
    const { data } = await server.ask('POST', '/s/one/_sandbox/keys/regenerate', { graceMs: 0 })
    expect((await server.sale(data.apiKey ?? data.key)).code).toBe('0')
    expect(await countIn(server, '/s/one')).toBe(1)
    await server.ask('POST', '/s/one/_sandbox/reset', { everything: true })
    expect((await server.sale(space.apiKey)).code).toBe('0')
    expect(await countIn(server, '/s/one')).toBe(1)
    expect(await countIn(server, '')).toBe(0)
  })

  test('a space has its key and its transactions after a restart', async () => {
    const first = await serve()
    const { apiKey: key } = await first.make('one')
    await first.sale(key)
    await first.close()
    const second = await serve({ state: first.state })
    await second.sale(key)
    expect(await countIn(second, '/s/one')).toBe(2)
  })
})

describe('the list of spaces', () => {
  test('the list names each space with its URL, the first space first', async () => {
    const server = await serve()
    await server.make('b')
    await server.make('a')
    const { spaces } = (await server.ask('GET', '/_sandbox/spaces')).data
    const named = spaces.map(({ name, url }: AnyJson) => `${name} ${url.replace(server.connection.url, '')}`)
    expect(named).toEqual(['default ', 'b /s/b', 'a /s/a'])
  })

  test.each([
    ['default', 'SBX_SPACE_EXISTS', /default/, /^Choose another name$/],
    ['one', 'SBX_SPACE_EXISTS', /one/, /: `tillbox space remove one`$/],
    ['No', 'C17', /lower-case/, /field/],
    ['../x', 'C17', /lower-case/, /field/],
  ])('the name %s of a space is refused', async (name, code, detail, remedy) => {
    const server = await serve()
    await server.make('one')
    const refused = await server.ask('POST', '/_sandbox/spaces', { name })
    expect(refused.code).toBe(code)
    expect(refused.detail ?? refused.msg).toMatch(detail)
    expect(refused.remedy).toMatch(remedy)
  })

  test('a space without a given name gets one', async () => {
    const server = await serve()
    expect((await server.ask('POST', '/_sandbox/spaces', {})).data.name).toMatch(/^space-[\da-f]{8}$/)
  })

  test.each(['/s/nope/_sandbox/health', '/s/nope/v1/common/transaction/query', '/_sandbox/spaces/nope'])(
    'a request for %s is refused, as the space does not exist',
    async (path) => {
      const server = await serve()
      const { httpStatus, code, msg } = await server.ask('GET', path)
      expect([httpStatus, code, msg]).toEqual([404, 'SBX_SPACE_NONE', 'There is no space nope'])
    },
  )
})

describe('a removed space', () => {
  test('a removed space is gone with its folder, and its name can be used again', async () => {
    const server = await serve()
    const { apiKey: key } = await server.make('one')
    await server.sale(key)
    expect((await server.ask('DELETE', '/_sandbox/spaces/one')).data.spaces).toHaveLength(1)
    expect(existsSync(join(server.state, 'spaces', 'one'))).toBe(false)
    expect((await server.sale(key)).code).toBe('SBX_KEY_UNKNOWN')
    const again = await server.make('one')
    expect(again.apiKey).not.toBe(key)
    expect(await countIn(server, '/s/one')).toBe(0)
  })

  test('the first space cannot be removed', async () => {
    const server = await serve()
    expect((await server.ask('DELETE', '/_sandbox/spaces/default')).code).toBe('SBX_SPACE_FIRST')
  })

  test('a removal that a crash interrupted is completed by the next start', async () => {
    const first = await serve()
    await first.make('one')
    await first.ask('POST', '/_sandbox/tokens', { name: 'board', scope: 'viewer', space: 'one' })
    await first.close()
    const path = join(first.state, 'spaces.json')
    const { data } = JSON.parse(readFileSync(path, 'utf8'))
    expect(data.spaces[0].secret).toMatch(/^[\da-f]{64}$/)
    replaceChecked(path, { spaces: [{ ...data.spaces[0], isRemoved: true }] })
    const second = await serve({ state: first.state })
    expect((await second.ask('GET', '/s/one/_sandbox/health')).code).toBe('SBX_SPACE_NONE')
    await expect.poll(() => existsSync(join(first.state, 'spaces', 'one'))).toBe(false)
    expect((await second.ask('GET', '/_sandbox/tokens')).data.tokens).toEqual([])
  })

  test('a space that is removed before the start opened it stays removed', async () => {
    const first = await serve()
    for (let number = 0; number < 20; number += 1) await first.make(`s-${number}`)
    await first.close()
    const second = await serve({ state: first.state })
    await second.ask('DELETE', '/_sandbox/spaces/s-18')
    const open = async () =>
      (await second.ask('GET', '/_sandbox/spaces')).data.spaces.filter(({ inMemory }: AnyJson) => inMemory)
        .length
    await expect.poll(open).toBe(20)
    expect(existsSync(join(first.state, 'spaces', 's-18'))).toBe(false)
  })

  test('a space is removed when its time is over', async () => {
    let now = Date.now()
    const server = await serve({ wall: () => now })
    await server.make('short', { ttlMs: 60_000 })
    expect((await server.ask('GET', '/_sandbox/spaces')).data.spaces).toHaveLength(2)
    now += 60_000
    await expect.poll(async () => (await server.ask('GET', '/_sandbox/spaces')).data.spaces).toHaveLength(1)
  })
})

describe('a space that nobody uses', () => {
  test('an idle space leaves memory, and comes back with the next request without loss', async () => {
    const server = await serve({ spaceIdleMs: 0 })
    const { apiKey: key } = await server.make('one')
    await server.sale(key)
    const inMemory = async () => (await server.ask('GET', '/_sandbox/spaces')).data.spaces[1].inMemory
    await expect.poll(inMemory).toBe(false)
    expect(await countIn(server, '/s/one')).toBe(1)
    expect(await inMemory()).toBe(true)
  })

  test('an idle space stays in memory while an event stream of it is open', async () => {
    const server = await serve({ spaceIdleMs: 0 })
    await server.make('one')
    const stream = await fetch(`${server.connection.url}/s/one/_sandbox/events`)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect((await server.ask('GET', '/_sandbox/spaces')).data.spaces[1].inMemory).toBe(true)
    await stream.body?.cancel() // not before: a response that nobody holds any more is closed by the collector
  })
})

test.each([
  ['damaged', 'state.json', (path: string) => writeFileSync(path, 'not a state\n')],
  ['without its journal', 'journal-1.jsonl', (path: string) => rmSync(path)],
])('a space whose state is %s is refused, and the other spaces go on', async (_, file, damage) => {
  const first = await serve()
  await first.make('bad')
  await first.make('good')
  await first.close()
  const path = join('spaces', 'bad', file)
  damage(join(first.state, path))
  const reports: string[] = []
  const second = await serve({ state: first.state, report: (message) => reports.push(message) })
  const refused = await second.ask('GET', '/s/bad/_sandbox/state')
  expect([refused.httpStatus, refused.code]).toEqual([503, 'SBX_STORE_FAIL'])
  expect(refused.detail).toContain(path)
  expect(refused.remedy).toContain('tillbox sandbox repair')
  expect(await countIn(second, '/s/good')).toBe(0)
})
