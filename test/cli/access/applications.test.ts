import { expect } from 'vitest'
import { startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'

const [defaultKey, secondKey] = ['tbx_sandbox_5f3c9a71e24b4d08', 'tbx_sandbox_second_7e5d3b1f90']
const [first, second] = ['tbxapp0000000001', 'tbxapp0000000002']
const sale = 'sale --amount 10.00'

test('sandbox key list shows every key with its end alone, its environment, application and times', async () => {
  const sandbox = await startSandboxCommand()
  const { keys } = await sandbox.json('sandbox key list')
  expect(keys[0]).toEqual({
    ...{ key: 'tbx_sandbox_…4d08', appId: first, environment: 'sandbox', state: 'current' },
    ...{ since: null, validUntil: null },
  })
  expect(new Set(keys.map(({ state }: { state: string }) => state))).toEqual(
    new Set(['current', 'expired', 'other-environment']),
  )
  const stdout = await sandbox.prints('sandbox key list --merchant M2000000001', second)
  expect(stdout).not.toContain(first)
  for (const key of [defaultKey, secondKey]) expect(stdout).not.toContain(key)
})

test('sandbox key rotate keeps the old key valid until the overlap has passed on the sandbox clock, and commands find the new one', async () => {
  const sandbox = await startSandboxCommand()
  const made = await sandbox.run('sandbox key rotate --overlap 1h')
  const fresh = made.stdout.trim()
  expect(fresh).toMatch(/^tbx_sandbox_[0-9a-f]{24}$/)
  expect(made.stderr).toContain('The old key is accepted until ')
  for (const key of [defaultKey, fresh]) expect((await sandbox.run(`${sale} --api-key ${key}`)).code).toBe(0)
  const [now, old] = (await sandbox.json('sandbox key list')).keys
  expect([now.state, old.state, now.since === null]).toEqual(['current', 'ending', false])
  await sandbox.json('sandbox clock --advance 1h')
  await sandbox.fails(`${sale} --api-key ${defaultKey}`, 1, 'has expired')
  expect((await sandbox.run(`${sale} --api-key ${fresh}`)).code).toBe(0)
  const { apiKey } = await sandbox.json('sandbox key rotate --overlap 0 --yes')
  expect((await sandbox.json('sandbox env')).TILLBOX_API_KEY).toBe(apiKey)
  await sandbox.json(sale)
  await sandbox.json(`${sale} --base-url ${sandbox.url}`)
})

test('sandbox key allow-ip adds, removes and clears, and refuses to lock this machine out', async () => {
  const sandbox = await startSandboxCommand()
  const allow = (...args: string[]) => sandbox.json(['sandbox', 'key', 'allow-ip', ...args])
  await sandbox.fails(
    'sandbox key allow-ip 10.0.0.0/8',
    2,
    'Callers on this machine (127.0.0.1) would be refused with SBX_IP_BLOCKED',
    'allow-ip 127.0.0.1 10.0.0.0/8',
  )
  expect(await allow()).toMatchObject({ addresses: [] })
  const addresses = ['127.0.0.0/8', '10.0.0.0/8']
  expect(await allow(...addresses)).toMatchObject({ appId: first, addresses })
  expect((await sandbox.run(sale)).code).toBe(0)
  expect(await allow('2001:db8::7')).toMatchObject({ addresses: [...addresses, '2001:db8::7'] })
  expect((await sandbox.run('sandbox key allow-ip --remove 127.0.0.0/8')).code).toBe(2)
  await allow('--remove', '127.0.0.0/8', '--force')
  expect((await sandbox.json(sale, 1)).error.code).toBe('SBX_IP_BLOCKED')
  expect(await allow('--clear')).toMatchObject({ addresses: [] })
  expect((await sandbox.run(sale)).code).toBe(0)
})

test('merchant add gives a merchant a key, a secret and terminals, and calls with them succeed', async () => {
  const sandbox = await startSandboxCommand()
  const added = await sandbox.json(['merchant', 'add', 'M3', '--name', 'Third Shop'])
  const terminals = ['TBX-AUTO-002', 'TBX-ATTENDED-002']
  expect(added).toMatchObject({ merchantId: 'M3', name: 'Third Shop', terminals })
  expect(added.apiKey).not.toBe(sandbox.apiKey)
  const paid = await sandbox.json(`${sale} --api-key ${added.apiKey}`)
  expect([paid.transactionStatus, paid.terminalSn]).toEqual(['S', 'TBX-AUTO-002'])
  const shown = await sandbox.json(`merchant show --api-key ${added.apiKey}`)
  expect([shown.merchantId, shown.dbaName]).toEqual(['M3', 'Third Shop'])
  const { merchants } = await sandbox.json('merchant list')
  expect(merchants).toMatchObject(['M1000000001', 'M2000000001', 'M3'].map((merchantId) => ({ merchantId })))
  expect((await sandbox.run(`${sale} --merchant-id M3`)).stderr).toContain('belongs to another')
})

test('merchant add says which key is new, and which one a restore kept', async ({ sandbox }) => {
  await sandbox.json('sandbox snapshot save base')
  const keyAdded = async (...texts: RegExp[]) =>
    /API key +(\S+)/.exec(await sandbox.prints('merchant add M3', ...texts))?.[1]
  const key = await keyAdded(/application .* {3}new\n.*API key .* {3}new; shown once\n/)
  await sandbox.run('sandbox snapshot restore base --yes')
  const kept = /application .* {3}kept from before\n.*API key .* {3}kept from before\n/
  expect(await keyAdded(kept)).toBe(key)
  expect((await sandbox.json(`${sale} --api-key ${key}`)).transactionStatus).toBe('S')
  const joined = await sandbox.prints(`merchant add M4 --application ${first}`, /API key +\S+\n/)
  const [, tried = ''] = /Try:\n\s*tillbox (.*)\n/.exec(joined) ?? []
  expect((await sandbox.run(tried)).code).toBe(0)
})

test('merchant add puts the merchant into the named application', async ({ sandbox }) => {
  const added = await sandbox.json(`merchant add M3 --application ${first} --terminal DESK-1`)
  expect(added).toMatchObject({ appId: first, apiKey: sandbox.apiKey, terminals: ['DESK-1'] })
  expect((await sandbox.json(`${sale} --merchant-id M3`)).terminalSn).toBe('DESK-1')
  const twice = await sandbox.json('merchant add M3', 1)
  expect(twice.error).toMatchObject({ code: 'SBX_MERCH_EXISTS', typed: '<merchant-id>' })
  const taken = await sandbox.json('merchant add M4 --terminal DESK-1', 1)
  expect(taken.error).toMatchObject({ code: 'SBX_OTHER_OWNER', typed: '--terminal' })
  expect((await sandbox.json('merchant list')).merchants).toHaveLength(3)
})

test('the secret and the terminals are those of the merchant, application or key that is named', async () => {
  const sandbox = await startSandboxCommand()
  const added = await sandbox.json('merchant add M3')
  const secretOf = async (...flags: string[]) => (await sandbox.json(['webhook', 'secret', ...flags])).secret
  const ofDefault = await secretOf()
  expect(ofDefault).not.toBe(added.webhookSecret)
  for (const flags of ['--merchant M3', `--application ${added.appId}`, `--api-key ${added.apiKey}`])
    expect(await secretOf(...flags.split(' '))).toBe(added.webhookSecret)
  const env = { TILLBOX_BASE_URL: sandbox.url, TILLBOX_API_KEY: added.apiKey }
  expect((await sandbox.run('webhook secret', env)).stdout.trim()).toBe(added.webhookSecret)
  const named = { TILLBOX_MERCHANT_ID: 'M3' }
  expect((await sandbox.run('webhook secret', named)).stdout.trim()).toBe(added.webhookSecret)
  const typed = `webhook secret --api-key ${sandbox.apiKey}`
  expect((await sandbox.run(typed, named)).stdout.trim()).toBe(ofDefault)
  const home = { HOME: sandbox.cwd }
  await sandbox.run(['profile', 'set', 'third', '--merchant-id', 'M3', '--state', sandbox.state], home)
  for (const [flags, secret] of [
    ['', added.webhookSecret],
    [`--application ${first}`, ofDefault],
  ])
    expect((await sandbox.run(`webhook secret --profile third ${flags}`, home)).stdout.trim()).toBe(secret)
  const rotated = await secretOf('--rotate', '--merchant', 'M3')
  expect([await secretOf('--merchant', 'M3'), await secretOf()]).toEqual([rotated, ofDefault])
  await sandbox.json(`terminal add DESK-9 --api-key ${added.apiKey}`)
  const other = 'M2000000001'
  expect((await sandbox.json(`terminal add DESK-8 --merchant ${other}`)).merchantId).toBe(other)
  expect((await sandbox.json('merchant list')).merchants.at(-1).terminals).toContain('DESK-9')
  expect((await sandbox.run('webhook secret --api-key nobodys-key')).code).toBe(1)
  const both = `webhook secret --merchant M3 --application ${first}`
  expect((await sandbox.json(both, 1)).error).toMatchObject({ code: 'SBX_OTHER_OWNER', typed: '--merchant' })
})
