import { describe, expect, test } from 'vitest'
import { openRawSandbox } from '../../support/service/raw.ts'
import { apiKey, secondKey } from '../../support/service/service.ts'
import { openServer, type Sent } from '../../support/service/shared-server.ts'

const start = 'a-token-of-the-test-0001'
const form = { method: 'POST', headers: { Origin: 'http://localhost' } }

/** Tokens of the test: scope and space by name. */
const tokens = {
  admin: ['admin', undefined],
  maker: ['spaces', undefined],
  ofDefault: ['space', 'default'],
  ofOther: ['space', 'ci-1'],
  viewer: ['viewer', undefined],
  viewerOfDefault: ['viewer', 'default'],
  viewerOfOther: ['viewer', 'ci-1'],
} as const
type Who = keyof typeof tokens

const everybody = Object.keys(tokens) as Who[]
const clock: Sent = { method: 'POST', body: { action: 'freeze' } }
const all = ['admin', 'ofDefault', 'viewer', 'viewerOfDefault'] as const
const ofOther = ['admin', 'ofOther', 'viewer', 'viewerOfOther'] as const

/** Kinds of paths, and who may ask for them. */
const kinds: readonly (readonly [what: string, path: string, sent: Sent, who: readonly Who[]])[] = [
  ['a page', '/', {}, all],
  ['a page with its head alone', '/requests', { method: 'HEAD' }, all],
  ['the stream of a page', '/live', {}, all],
  ['a list as a file', '/transactions.csv', {}, all],
  ['a form of a page', '/clock', { ...form, body: 'order=freeze' }, ['admin', 'ofDefault']],
  ['health', '/_sandbox/health', {}, all],
  ['a look-up', '/_sandbox/connection', {}, ['admin', 'ofDefault']],
  ['the OpenAPI document', '/_sandbox/openapi.json', {}, all],
  ['a stream of the control interface', '/_sandbox/events', {}, ['admin', 'ofDefault']],
  ['a change', '/_sandbox/clock', clock, ['admin', 'ofDefault']],
  ['the audit log', '/_sandbox/audit', {}, ['admin', 'ofDefault']],
  ['the page of the audit log', '/audit', {}, ['admin', 'ofDefault']],
  ['the stream of its page', '/audit/live', {}, ['admin', 'ofDefault']],
  ['the page of tokens', '/tokens', {}, ['admin']],
  ['its form', '/tokens', { ...form, body: 'name=x&scope=admin' }, ['admin']],
  ['a path that does not exist', '/_sandbox/none', {}, ['admin', 'ofDefault']],
  ['a webhook with any body', '/_sandbox/webhooks/none/send', { method: 'POST', body: {} }, ['admin']],
  ['the page that sends one', '/webhooks/none/edit', { ...form, body: '' }, ['admin']],
  ['the tokens', '/_sandbox/tokens', {}, ['admin']],
  ['a new token', '/_sandbox/tokens', { method: 'POST', body: {} }, ['admin']],
  ['the end of a token', '/_sandbox/tokens/none', { method: 'DELETE' }, ['admin']],
  ['the spaces', '/_sandbox/spaces', {}, ['admin', 'maker']],
  ['a new space', '/_sandbox/spaces', { method: 'POST', body: {} }, ['admin', 'maker']],
  ['the record of another space', '/_sandbox/spaces/ci-2', {}, ['admin', 'maker']],
  ['the record of a space', '/_sandbox/spaces/ci-1', {}, ['admin', 'maker', 'ofOther']],
  ['the end of a space', '/_sandbox/spaces/ci-1', { method: 'DELETE' }, ['admin', 'maker']],
  ['the page of spaces', '/spaces', {}, ['admin']],
  ['a stop', '/_sandbox/stop', { method: 'POST', body: {} }, ['admin']],
  ['a page of another space', '/', { space: 'ci-1' }, ofOther],
  ['health of another space', '/_sandbox/health', { space: 'ci-1' }, ofOther],
  ['a look-up in another space', '/_sandbox/connection', { space: 'ci-1' }, ['admin', 'ofOther']],
  ['a change in another space', '/_sandbox/clock', { ...clock, space: 'ci-1' }, ['admin', 'ofOther']],
  ['the audit log of another space', '/_sandbox/audit', { space: 'ci-1' }, ['admin', 'ofOther']],
  ['the tokens, by the path of a space', '/_sandbox/tokens', { space: 'ci-1' }, []],
  ['the record of a space, by its own path', '/_sandbox/spaces/ci-1', { space: 'ci-1' }, []],
  ['the page of a shopper', '/checkout/none', {}, everybody],
  ['a shopper who pays', '/checkout/none/pay', { ...form, body: '' }, everybody],
  ['a file of the pages', '/_assets/none.css', {}, everybody],
  ['a path like one of the service', '/v1/none', {}, everybody],
]

describe('assumption token-scopes', () => {
  test.each([[start], [null]])('each scope allows its operations, started with token %j', async (own) => {
    const server = await openServer(own)
    const made = {} as Record<Who, string>
    for (const who of everybody) {
      const [scope, space] = tokens[who]
      made[who] = await server.make(who, scope, space)
    }
    for (const [what, path, sent, allowed] of kinds) {
      const admitted: Who[] = []
      for (const who of everybody) {
        const { status, code } = await server.ask(path, { ...sent, token: made[who] })
        expect([what, who, code]).not.toEqual([what, who, 'SBX_TOKEN'])
        if (status !== 403) admitted.push(who)
        else if (sent.method !== 'HEAD') expect([what, who, code]).toEqual([what, who, 'SBX_SCOPE'])
      }
      expect([what, admitted]).toEqual([what, allowed])
    }
  })

  test('a request without a token is answered as the server was started', async () => {
    const [guarded, open] = [await openServer(start), await openServer()]
    for (const [what, path, sent, allowed] of kinds) {
      const isForAll = allowed === everybody
      expect([what, (await guarded.ask(path, sent)).status === 401]).toEqual([what, !isForAll])
      expect([what, (await open.ask(path, sent)).status === 403]).toEqual([what, allowed.length === 0])
    }
  })

  test('a refusal says which scope is needed, and the command that makes such a token', async () => {
    const { ask, make } = await openServer()
    const [viewer, ofOther] = [await make('board', 'viewer'), await make('ci', 'space', 'ci-1')]
    const answerTo = async (path: string, sent: Sent) => JSON.parse((await ask(path, sent)).text)
    expect(await answerTo('/_sandbox/clock', { ...clock, token: viewer })).toMatchObject({
      detail: 'the token board has scope viewer; this needs scope space for the space default',
      remedy: 'Use a token with that scope: `tillbox token create <name> --scope space --space default`',
    })
    expect(await answerTo('/_sandbox/tokens', { token: ofOther })).toMatchObject({
      detail: 'the token ci has scope space for the space ci-1; this needs scope admin',
      remedy: 'Use a token with that scope: `tillbox token create <name> --scope admin`',
    })
    expect(await answerTo('/_sandbox/tokens', { space: 'ci-1' })).toMatchObject({
      detail: 'the space ci-1 has no /_sandbox/tokens',
      remedy: 'Ask the server itself, without /s/ci-1: GET /_sandbox/tokens',
    })
    const page = await ask('/clock', { ...form, body: '', token: viewer, headers: { Accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([403, expect.stringContaining('html')])
  })
})

describe('assumption sandbox-token: a sandbox that requires no token', () => {
  test('a token counts, however it is sent', async () => {
    const { ask, make } = await openServer()
    const token = await make('board', 'viewer')
    const ways = [
      { headers: { 'X-Sandbox-Token': token } },
      { headers: { Authorization: `Bearer ${token}` } },
      { headers: { Cookie: `tillbox_token_80=${token}` } },
    ]
    for (const way of ways) {
      expect((await ask('/_sandbox/connection', way)).code).toBe('SBX_SCOPE')
      expect((await ask('/', way)).status).toBe(200)
    }
    const redirect = await ask(`/requests?token=${token}&status=refused`)
    expect([redirect.status, redirect.headers.get('location')]).toEqual([303, '/requests?status=refused'])
    expect(redirect.headers.get('set-cookie')).toContain(`tillbox_token_80=${token}`)
  })

  test('a link never exchanges the valid token of a browser, and may repeat it', async () => {
    const { ask, make } = await openServer()
    const [mine, other] = [await make('mine', 'admin'), await make('other', 'viewer')]
    const headers = { Cookie: `tillbox_token_80=${mine}`, Accept: 'text/html' }
    const exchanged = await ask(`/?token=${other}`, { headers })
    expect([exchanged.status, exchanged.headers.get('set-cookie')]).toEqual([401, null])
    expect(exchanged.text).toContain('This browser has another token already')
    expect((await ask(`/?token=${mine}`, { headers })).status).toBe(303)
  })

  test('an unknown token is refused, and a browser forgets it', async () => {
    const { ask } = await openServer()
    const token = `tbx_viewer_${'a'.repeat(43)}`
    const cookie = { Cookie: `tillbox_token_80=${token}` }
    for (const headers of [{ 'X-Sandbox-Token': 'other' }, { Authorization: `Bearer ${token}` }, cookie])
      expect((await ask('/_sandbox/health', { headers })).code).toBe('SBX_TOKEN')
    const page = await ask('/', { headers: { ...cookie, Accept: 'text/html' } })
    expect([page.status, page.text]).toEqual([401, expect.stringContaining('does not know the token')])
    expect(page.headers.get('set-cookie')).toMatch(/^tillbox_token_80=; Max-Age=0; Path=\//)
    expect((await ask(`/?token=${token}`)).status).toBe(401)
  })

  test('a bearer of another form is still the API key of an application; a token names none, so the first is used', async () => {
    const { ask, make } = await openServer()
    const appOf = async (key: string) => {
      const { text } = await ask('/_sandbox/webhook-secret', { headers: { Authorization: `Bearer ${key}` } })
      return JSON.parse(text)
    }
    expect((await appOf(apiKey)).data.appId).toBe('tbxapp0000000001')
    expect((await appOf(secondKey)).data.appId).toBe('tbxapp0000000002')
    expect((await appOf('nobody')).code).toBe('SBX_KEY_UNKNOWN')
    expect((await appOf(await make('ci', 'space', 'default'))).data.appId).toBe('tbxapp0000000001')
  })
})

describe('the interface of tokens', () => {
  test('a token is shown once, is listed without its text, and has a name of its own', async () => {
    const { ask, make } = await openServer(start)
    const token = await make('lee', 'admin')
    expect(token).toMatch(/^tbx_admin_[A-Za-z0-9_-]{43}$/)
    const { text } = await ask('/_sandbox/tokens', { token })
    expect(text).not.toContain(token)
    const listed = JSON.parse(text).data.tokens
    const times = { createdAt: expect.any(String), lastUsedAt: expect.any(String) }
    const own = { space: null, expiresAt: null, state: 'valid', scope: 'admin', ...times }
    expect(listed).toEqual([
      { ...own, id: 'start', name: 'start' },
      { ...own, id: expect.stringMatching(/^[0-9a-f]{8}$/), name: 'lee' },
    ])
    const again = { method: 'POST', body: { name: 'lee', scope: 'viewer' }, token }
    expect((await ask('/_sandbox/tokens', again)).code).toBe('SBX_TOKEN_EXISTS')
  })

  test('a token with a wrong name, scope, space or time is refused, and not created', async () => {
    const { ask, sandbox } = await openServer()
    for (const body of [
      { name: 'a b', scope: 'admin' },
      { name: '', scope: 'admin' },
      { name: 'a'.repeat(49), scope: 'admin' },
      { name: 'start', scope: 'admin' },
      { name: 'local', scope: 'admin' },
      { name: 'lee', scope: 'owner' },
      { name: 'lee', scope: 'space' },
      { name: 'lee', scope: 'admin', space: 'ci-1' },
      { name: 'lee', scope: 'spaces', space: 'ci-1' },
      { name: 'lee', scope: 'space', space: '-ci' },
      { name: 'lee', scope: 'viewer', ttlMs: 0 },
    ])
      expect([body, (await ask('/_sandbox/tokens', { method: 'POST', body })).code]).toEqual([body, 'C17'])
    expect(await sandbox.access.list()).toEqual([])
  })

  test('a revoked token is refused at once, and the token of the start cannot be revoked', async () => {
    const { ask, make } = await openServer(start)
    const [token, other] = [await make('lee', 'viewer'), await make('kim', 'viewer')]
    const revoke = (name: string) => ask(`/_sandbox/tokens/${name}`, { method: 'DELETE', token: start })
    expect((await ask('/', { token })).status).toBe(200)
    expect((await revoke('lee')).code).toBe('0')
    expect((await ask('/', { token })).code).toBe('SBX_TOKEN')
    expect((await ask('/', { token, headers: { Accept: 'text/html' } })).text).toContain(
      'token lee was revoked',
    )
    expect((await ask('/', { token: other })).status).toBe(200)
    for (const name of ['lee', 'start']) expect((await revoke(name)).code).toBe('SBX_TOKEN_NONE')
    expect((await ask('/_sandbox/tokens', { token: start })).code).toBe('0')
  })

  test('no answer, log or export has a token', async () => {
    const { ask, make, sandbox } = await openServer(start)
    const token = await make('lee', 'admin')
    const answers = [
      await ask(`/_sandbox/tokens/${token}`, { method: 'DELETE', token }),
      await ask('/_sandbox/export?secrets=true', { token }),
      await ask('/_sandbox/requests', { token }),
      await ask('/_sandbox/audit', { token }),
      await ask('/requests', { token }),
    ]
    for (const { traceId } of sandbox.log.list())
      answers.push(await ask(`/_sandbox/requests/${traceId}`, { token }))
    expect(answers.length).toBeGreaterThan(6)
    const exported = answers[1]?.text
    expect([exported?.includes('"secrets"'), exported?.includes('"lee"')]).toEqual([true, false])
    for (const secret of [token, token.slice(0, 40)])
      expect(answers.map(({ text }) => text.includes(secret))).not.toContain(true)
  })
})
const inControl = (path: string): string => `/_sandbox/${path}`

describe('event streams', () => {
  /** A server on a port, with a token and the ends of the streams that are open with it. */
  async function streaming(ttlMs?: number) {
    const running = await openRawSandbox({ token: start })
    const { sandbox, connection } = running
    const { token } = await sandbox.access.tokens.create({
      ...{ name: 'lee', scope: 'space', space: 'default', ttlMs: ttlMs ?? null },
    })
    const open = async (path: string, own: string) => {
      const headers = { 'X-Sandbox-Token': own }
      const answer = await fetch(`${connection.url}${path}`, { headers })
      expect(answer.headers.get('content-type')).toBe('text/event-stream')
      return answer.body?.pipeTo(new WritableStream()).then(
        () => 'ended',
        () => 'cut',
      )
    }
    return { ...running, token, open }
  }

  const paths = ['/live', ...['events', 'requests/events', 'terminals/TBX-AUTO-001/events'].map(inControl)]

  test('event streams end with their token, and no others do', async () => {
    const { sandbox, token, open, close } = await streaming()
    try {
      const ends = await Promise.all(paths.map(async (path) => ({ ended: open(path, token) })))
      await expect.poll(() => sandbox.streams.size).toBe(paths.length)
      const other = { ended: open('/_sandbox/events', start) }
      await expect.poll(() => sandbox.streams.size).toBe(paths.length + 1)
      await sandbox.access.tokens.revoke('lee')
      for (const { ended } of ends) expect(await ended).toBe('cut')
      await expect.poll(() => sandbox.streams.size).toBe(1)
      await close()
      await other.ended
    } finally {
      await close()
    }
  })

  test('event streams end when their token expires', async () => {
    const { sandbox, token, open, close } = await streaming(1_500)
    try {
      expect(await open('/_sandbox/events', token)).toBe('cut')
      expect(await sandbox.access.find(token)).toBeUndefined()
    } finally {
      await close()
    }
  })
})
