import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCommand, startCommand } from '../../support/commands/command.ts'
import {
  hostileServer,
  plantedFolder,
  plantedSecrets,
  refusedLocks,
  secretPattern,
  wholeOf,
} from '../../support/commands/planted.ts'

const [serial, transaction] = ['TBX-ATTENDED-001', '1795159696581000']
const webhook = '9bd81f17-e7fd-8000-8006-60b2cc789660'

/** What each command that talks to somebody needs to get that far. */
const commands: Readonly<Record<string, readonly string[]>> = {
  abort: [transaction],
  api: ['get', '/v1/merchant/query'],
  audit: [],
  auth: ['--amount', '10.00', '--wait', '1'],
  'batch:close': ['--yes', '--terminal', serial],
  'batch:list': [],
  'batch:query': ['--terminal', serial],
  cards: [],
  'checkout:cancel': ['cs_1'],
  'checkout:create': ['--amount', '10.00'],
  'checkout:expire': ['cs_1'],
  'checkout:list': [],
  'checkout:pay': ['cs_1'],
  'checkout:refund': [transaction, '--amount', '1.00'],
  'checkout:sale': ['--amount', '10.00', '--card', 'visa'],
  'checkout:show': ['cs_1'],
  'checkout:wallet-payload': ['--card', 'own-card'],
  'forced-auth': ['--amount', '10.00', '--wait', '1'],
  'incremental-auth': [transaction, '--amount', '1.00'],
  list: [],
  listen: [],
  'logs:show': ['1'],
  'logs:tail': [],
  'merchant:add': ['M3'],
  'merchant:list': [],
  'merchant:show': [],
  'merchant:terminals': [],
  outcomes: [],
  'post-auth': [transaction, '--amount', '1.00'],
  query: [transaction],
  refund: [transaction, '--amount', '1.00'],
  sale: ['--amount', '10.00', '--wait', '1'],
  'sandbox:checkpoint:diff': ['base'],
  'sandbox:checkpoint:list': [],
  'sandbox:checkpoint:remove': ['base', '--yes'],
  'sandbox:checkpoint:restore': ['base', '--yes'],
  'sandbox:checkpoint:save': ['base'],
  'sandbox:clock': ['--freeze'],
  'sandbox:export': [join(tmpdir(), `tillbox-${process.pid}-planted.jsonl`)],
  'sandbox:fault': ['lost-answer'],
  'sandbox:key:allow-ip': ['127.0.0.1'],
  'sandbox:key:list': [],
  'sandbox:key:rotate': [],
  'sandbox:open': [],
  'sandbox:import': [new URL('../../../package.json', import.meta.url).pathname, '--yes'],
  'sandbox:reset': ['--yes'],
  'sandbox:status': [],
  'sandbox:env': [],
  'sandbox:wait': ['--timeout', '50ms'],
  'scenario:record': [],
  'terminal:add': [serial],
  'terminal:open': [serial],
  'terminal:cancel': [serial],
  'terminal:list': [],
  'terminal:offline': [serial],
  'terminal:online': [serial],
  'terminal:pair': ['K7M3PX'],
  'space:create': ['ci-1'],
  'space:list': [],
  'space:remove': ['ci-1', '--yes'],
  'space:show': ['ci-1'],
  'terminal:pin': [serial],
  'terminal:present': [serial, '--card', 'visa-contactless'],
  'terminal:queue': [serial, 'decline'],
  'terminal:receipt': [transaction],
  'terminal:remove': [serial],
  'terminal:rename': [serial, 'Bar'],
  'terminal:set': [serial, '--pace', '1'],
  'terminal:show': [serial],
  'terminal:sign': [serial],
  'terminal:tip': [serial, '--amount', '1.00'],
  'terminal:unpair': [serial],
  test: [new URL('../../../fixtures/scenarios/void.yaml', import.meta.url).pathname, '--state', '.tillbox'],
  'token:create': ['lee', '--scope', 'admin'],
  'token:list': [],
  'token:revoke': ['lee', '--yes'],
  'tip-adjust': [transaction, '--tip-amount', '1.00'],
  trigger: ['refund-partial'],
  void: [transaction, '--wait', '1'],
  'webhook:fault': ['--drop', '1'],
  'webhook:hold': [],
  'webhook:list': [],
  'webhook:order': [],
  'webhook:replay': [webhook],
  'webhook:release': [webhook],
  'webhook:resend': [webhook],
  'webhook:secret': [],
  'webhook:send': [transaction],
  'webhook:show': [webhook],
  'webhook:sign': ['--body', '{}'],
  'webhook:receive': [],
  'webhook:verify': ['--body', '{}', '--header', 'X-Signature: 0'],
  'webhook:wait': ['--timeout', '1s'],
}

/** Take a URL and call nobody, or end otherwise. */
const silent = ['doctor', 'profile:set', 'whoami']

/** Goes on until it is stopped. */
const goesOn = new Set(['listen', 'logs:tail', 'webhook:receive'])

const typed = (id: string): string[] => [...id.split(':'), ...(commands[id] ?? [])]

test('every command that takes --base-url is among those below', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../../oclif.manifest.json', import.meta.url), 'utf8'))
  const known = Object.keys(manifest.commands).filter((id) => 'base-url' in manifest.commands[id].flags)
  expect([...Object.keys(commands), ...silent].sort()).toEqual(known.sort())
})

const talking = Object.keys(commands).filter((id) => id !== 'terminal:open') // which needs a window

describe('a lock file that came with a cloned repository', () => {
  test('doctor does not call the address in it either', async () => {
    const hostile = await hostileServer()
    const cwd = plantedFolder({ lock: { pid: 1, url: hostile.url }, mode: 0o644 })
    expect((await runCommand(['doctor'], { cwd, env: plantedSecrets })).code).toBe(1)
    expect(hostile.received).toEqual([])
  })

  test('every command ends with 3 and the reason, without calling the address in it', async () => {
    const wrong: unknown[] = []
    const { TILLBOX_WEBHOOK_SECRET: _, ...env } = plantedSecrets // with it the webhook commands need nobody
    for (const id of talking) {
      const hostile = await hostileServer()
      const cwd = plantedFolder({ lock: { pid: 1, url: hostile.url }, mode: 0o644 })
      const ended = await runCommand(typed(id), { cwd, env: { ...env, TILLBOX_STATE: '.tillbox' } })
      const isReported = ended.stderr.includes('.tillbox/lock.json was not used: ')
      if (ended.code !== 3 || !isReported || hostile.received.length > 0)
        wrong.push([id, ended, hostile.received])
    }
    expect(wrong).toEqual([])
  })

  test('a planted lock file that is valid in every detail still gets no secret from any command', async () => {
    const wrong: unknown[] = []
    for (const id of talking) {
      const hostile = await hostileServer()
      const lock = { ...wholeOf(hostile), token: 'a-planted-token-0001' }
      const running = startCommand(typed(id), { cwd: plantedFolder({ lock }), env: plantedSecrets })
      if (goesOn.has(id)) {
        await expect.poll(() => hostile.received.length).toBeGreaterThan(1)
        await running.stop('SIGINT')
      }
      const ended = await running.ended()
      const all = hostile.received.join('\n')
      const isSilent = all === '' && id !== 'webhook:sign' // which signs with the secret that is set
      if (isSilent || secretPattern.test(all)) wrong.push([id, ended, hostile.received])
    }
    expect(wrong).toEqual([])
  })

  test.each(Object.keys(refusedLocks))('%s: the reason is shown, and nothing is sent', async (name) => {
    const hostile = await hostileServer()
    const { reason, ...planted } = refusedLocks[name]?.(hostile) ?? expect.unreachable()
    const cwd = plantedFolder(planted)
    for (const command of [['sale', '--amount', '10.00'], ['sandbox', 'status'], ['listen']]) {
      const { code, stderr } = await runCommand([...command, '--state', '.tillbox'], {
        cwd,
        env: plantedSecrets,
      })
      expect([command, code, stderr]).toEqual([command, 3, expect.stringContaining(reason)])
      expect(stderr).not.toContain('bug in tillbox')
    }
    expect(hostile.received).toEqual([])
  })

  test('a sandbox that answers with another id gets nothing after the first question', async () => {
    const hostile = await hostileServer()
    const lock = { ...wholeOf(hostile), id: 'another', token: 'a-planted-token-0001' }
    const cwd = plantedFolder({ lock })
    const named = [
      'sale',
      '--amount',
      '10.00',
      '--state',
      '.tillbox',
      '--api-key',
      plantedSecrets.TILLBOX_API_KEY,
    ]
    const { code, stderr } = await runCommand(named, { cwd, env: plantedSecrets })
    expect([code, stderr]).toEqual([3, expect.stringContaining('not the one that answers')])
    expect(hostile.received).toEqual([expect.stringMatching(/^GET \/_sandbox\/connection/)])
    expect(hostile.received[0]).not.toMatch(secretPattern)
  })

  test('without a named folder one line says why the lock was not used, and the default port is tried', async () => {
    const hostile = await hostileServer()
    const cwd = plantedFolder({ lock: wholeOf(hostile), mode: 0o644 })
    const { stderr } = await runCommand(['query', '1'], { cwd, env: plantedSecrets })
    expect(stderr.split('\n')[0]).toBe(
      '! ./.tillbox/lock.json was not used: other users can open it: its mode is 0644, not 0600',
    )
    expect(hostile.received).toEqual([])
  })

  test('a typed key goes to a sandbox that was found, and one of the environment does not', async () => {
    const hostile = await hostileServer()
    const cwd = plantedFolder({ lock: wholeOf(hostile) })
    const key = plantedSecrets.TILLBOX_API_KEY
    await runCommand(['query', '1'], { cwd, env: { TILLBOX_API_KEY: key } })
    expect(hostile.received.join('\n')).not.toContain(key)
    expect(hostile.received.join('\n')).toContain('key-that-it-tells')
    await runCommand(['query', '1', '--api-key', key], { cwd, env: { TILLBOX_API_KEY: key } })
    expect(hostile.received.join('\n')).toContain(key)
  })
})
