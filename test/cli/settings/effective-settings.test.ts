import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AnyJson } from '../../support/any-json.ts'
import { runCommand } from '../../support/commands/command.ts'
import type { CommandLine } from '../../support/commands/command-line.ts'
import { fails, prints } from '../../support/commands/launched.ts'
import { startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { folderWith } from '../../support/commands/scratch.ts'
import { foreignServer } from '../../support/network/foreign.ts'

const project = 'tillbox.config.json'

/** A home with settings of the user, in which a project folder lies. */
function homeWith(user: object | null, config: unknown = null) {
  const text = typeof config === 'string' ? config : JSON.stringify(config)
  const files = {
    'project/deep/inside/a-file': '',
    ...(user && { '.config/tillbox/config.json': JSON.stringify(user) }),
    ...(config !== null && { [`project/${project}`]: text }),
  }
  const home = folderWith(files, 0o600)
  const folder = join(home, 'project')
  const run = (line: CommandLine, env = {}, cwd = folder) =>
    runCommand(line, { cwd, env: { HOME: home, ...env } })
  const whoami = async (args: readonly string[] = [], env = {}, cwd = folder) => {
    const { code, stdout, stderr } = await run(['whoami', '--json', ...args], env, cwd)
    if (code !== 0) throw new Error(stderr)
    const { settings, ...others } = JSON.parse(stdout)
    const byName = settings.map((each: AnyJson) => [each.setting, [each.value, each.source]])
    return { ...others, ...Object.fromEntries(byName) }
  }
  return { home, folder, run, whoami }
}

describe('assumption settings-precedence', () => {
  /** A profile of which each setting tells the number of its source. */
  const profileFrom = (number: number) => ({
    baseUrl: `http://127.0.0.1:${number}`,
    ...{ appId: `A${number}`, merchantId: `M${number}`, terminal: `T${number}` },
  })
  const user = { profile: 'p', profiles: { p: { ...profileFrom(3), apiKey: 'key-of-the-profile' } } }
  const env = {
    TILLBOX_BASE_URL: 'http://127.0.0.1:2',
    TILLBOX_APP_ID: 'A2',
    TILLBOX_MERCHANT_ID: 'M2',
    TILLBOX_TERMINAL_SN: 'T2',
  }
  const typed = ['--base-url', 'http://127.0.0.1:1', '--app-id', 'A1', '--merchant-id', 'M1']

  test('a flag wins over the environment, and that over the profile, each setting by itself', async () => {
    const { whoami, home } = homeWith(user)
    const file = join(home, '.config/tillbox/config.json')
    expect(await whoami()).toMatchObject({
      profile: ['p', file],
      baseUrl: ['http://127.0.0.1:3', file],
      appId: ['A3', file],
      terminal: ['T3', file],
    })
    const { TILLBOX_MERCHANT_ID: _, ...most } = env
    expect(await whoami([], most)).toMatchObject({
      baseUrl: ['http://127.0.0.1:2', 'TILLBOX_BASE_URL'],
      appId: ['A2', 'TILLBOX_APP_ID'],
      merchantId: ['M3', file],
      terminal: ['T2', 'TILLBOX_TERMINAL_SN'],
    })
    expect(await whoami(typed, env)).toMatchObject({
      baseUrl: ['http://127.0.0.1:1', '--base-url'],
      appId: ['A1', '--app-id'],
      merchantId: ['M1', '--merchant-id'],
      terminal: ['T2', 'TILLBOX_TERMINAL_SN'],
    })
  })

  test('a typed profile counts as a flag: it wins over the environment, and a typed URL over it', async () => {
    const { whoami } = homeWith(user)
    expect(await whoami(['--profile', 'p'], env)).toMatchObject({
      baseUrl: ['http://127.0.0.1:3', expect.any(String)],
      merchantId: ['M3', expect.any(String)],
    })
    expect(await whoami(['--profile', 'p', ...typed], env)).toMatchObject({
      baseUrl: ['http://127.0.0.1:1', '--base-url'],
      merchantId: ['M1', '--merchant-id'],
      terminal: ['T3', expect.any(String)],
    })
    expect(await whoami([], { ...env, TILLBOX_PROFILE: 'p' })).toMatchObject({
      baseUrl: ['http://127.0.0.1:2', 'TILLBOX_BASE_URL'],
    })
  })

  test('--profile, TILLBOX_PROFILE and profile use choose the profile, in this order', async () => {
    const profiles = Object.fromEntries(['p1', 'p2', 'p3'].map((name) => [name, { appId: name }]))
    const { whoami } = homeWith({ profile: 'p3', profiles })
    const named = { TILLBOX_PROFILE: 'p2' }
    expect((await whoami(['--profile', 'p1'], named)).appId[0]).toBe('p1')
    expect((await whoami([], named)).appId[0]).toBe('p2')
    expect((await whoami()).appId[0]).toBe('p3')
  })

  test('a flag, the environment and a profile win over the state folder of a project', async () => {
    const { whoami, folder } = homeWith(user, { state: 'here' })
    const here = [join(folder, 'here'), join(folder, project)]
    expect(await whoami([], { TILLBOX_STATE: '/there' })).toMatchObject({
      baseUrl: [null, ''],
      state: ['/there', 'TILLBOX_STATE'],
    })
    expect(await whoami()).toMatchObject({ baseUrl: ['http://127.0.0.1:3', expect.any(String)], state: here })
    expect(await homeWith(null, { state: 'here' }).whoami()).toMatchObject({
      baseUrl: [null, ''],
      state: [expect.stringMatching(/project\/here$/), expect.stringContaining(project)],
    })
  })

  test('whoami shows the settings in use, and none that another source overrides', async () => {
    const profiles = {
      staging: { baseUrl: 'https://api.example', apiKey: 'tbx_profile_key_1234', appId: 'A1' },
    }
    const { run, whoami, home } = homeWith({ profile: 'staging', profiles })
    const file = join(home, '.config/tillbox/config.json')
    const env = { TILLBOX_STATE: join(home, 'nothing'), TILLBOX_APP_ID: 'A2' }
    expect(await whoami([], env)).toMatchObject({
      baseUrl: [null, ''],
      state: [env.TILLBOX_STATE, 'TILLBOX_STATE'],
      apiKey: [null, ''],
      appId: ['A2', 'TILLBOX_APP_ID'],
    })
    const stdout = await prints(run('whoami', env), /sandbox +none runs on .*nothing +the environment/)
    expect(stdout).not.toMatch(/profile_key|api\.example/)
    expect(await whoami()).toMatchObject({ baseUrl: ['https://api.example', file], state: [null, ''] })
  })

  test('an unknown profile is refused with the nearest name', async () => {
    const refused = homeWith({ profiles: { staging: {} } }).run('whoami --profile stagin')
    await fails(refused, 2, 'Profile stagin does not exist', 'did you mean staging')
  })

  test('whoami shows a space as in use only where the base URL has it', async () => {
    const { whoami } = homeWith(null)
    const env = { TILLBOX_SPACE: 'ci-2' }
    const spaceAt = async (url: string, flags: readonly string[] = []) =>
      (await whoami(['--base-url', url, ...flags], env)).space
    expect(await spaceAt('http://127.0.0.1:1/s/ci-1')).toEqual([null, ''])
    expect(await spaceAt('http://127.0.0.1:1/s/ci-2')).toEqual(['ci-2', 'TILLBOX_SPACE'])
    expect(await spaceAt('http://127.0.0.1:1')).toEqual(['ci-2', 'TILLBOX_SPACE'])
    expect(await spaceAt('http://127.0.0.1:1', ['--space', 'default'])).toEqual(['default', '--space'])
  })

  test('a space belongs to the URL of its source, where that has one', async () => {
    const own = { baseUrl: 'http://127.0.0.1:1', space: 'ci-9' }
    const { whoami } = homeWith({ profile: 'ours', profiles: { ours: own, 'no-url': { space: 'ci-9' } } })
    const found = async (...args: readonly string[]) => {
      const { space, baseUrl } = await whoami(args)
      return [space[0], baseUrl[0]]
    }
    expect(await found()).toEqual(['ci-9', 'http://127.0.0.1:1/s/ci-9'])
    const other = ['--base-url', 'http://127.0.0.1:2']
    expect(await found(...other)).toEqual([null, 'http://127.0.0.1:2'])
    expect(await found(...other, '--profile', 'no-url')).toEqual(['ci-9', 'http://127.0.0.1:2/s/ci-9'])
    expect(await found('--state', '/nowhere')).toEqual([null, null])
  })

  test('the file of the project is found from its subfolders, and its state folder is beside it', async () => {
    const { run, folder, whoami } = homeWith(null, { state: '.tillbox' })
    const inside = join(folder, 'deep/inside')
    expect((await whoami([], {}, inside)).state[0]).toBe(join(folder, '.tillbox'))
    const sandbox = await startSandboxCommand([], { cwd: folder })
    const { code, stdout } = await run('sandbox status --json', {}, inside)
    expect([code, JSON.parse(stdout).state]).toEqual([0, sandbox.state])
    expect(sandbox.state).toBe(join(folder, '.tillbox'))
  })

  test.each([
    ['not JSON', '{"state": ', /tillbox\.config\.json is not JSON/],
    ['an unknown setting', { stat: 'x' }, /stat is not a setting/],
    ['a number for a text', { state: 5 }, /state must be a text$/m],
    [
      'a URL',
      { baseUrl: 'http://127.0.0.1:1' },
      /baseUrl is not a setting.*profile set <name> --base-url <url>/s,
    ],
    ['a key', { apiKey: 'x' }, /apiKey is not a setting.*profile set <name> --base-url <url> --api-key -$/ms],
    ['real money', { live: true }, /live is not a setting.*profile set <name> --base-url <url> --live$/ms],
    ['a terminal', { terminal: 'T' }, /terminal is not a setting.*profile set <name> --terminal/s],
    ['profiles', { profiles: { p: {} } }, /profiles is not a setting.*profile set <name> --base-url <url>/s],
    ['a profile', { profile: 'p' }, /profile is not a setting.*profile use <name>/s],
  ])('a project file with %s is refused, whatever the command', async (_, config, why) => {
    const { run } = homeWith(null, config)
    for (const command of ['whoami', 'sale --amount 10.00', 'sandbox start --port 0'])
      await fails(run(command), 2, why)
  })

  test('a project file must be a regular file', async () => {
    const { run, folder } = homeWith(null)
    const path = join(folder, project)
    mkdirSync(path)
    await fails(run('whoami'), 2, 'it is not a regular file')
    rmSync(path, { recursive: true })
    symlinkSync(project, path)
    await fails(run('whoami'), 2, 'tillbox.config.json cannot be read')
  })

  test('a file with keys that others can read is refused, with the command that mends it', async () => {
    const profiles = { p: { baseUrl: 'http://127.0.0.1:1', apiKey: 'a-secret-key-of-somebody' } }
    const { run, home } = homeWith({ profiles })
    const path = join(home, '.config/tillbox/config.json')
    chmodSync(path, 0o644)
    expect((await fails(run('whoami'), 2, `chmod 600 ${path}`)).stderr).not.toContain('a-secret-key')
  })

  test('--dotenv sets what is not set, for this command', async () => {
    const { whoami, folder } = homeWith(null)
    const path = join(folder, 'some.env')
    writeFileSync(path, 'TILLBOX_APP_ID=of-the-file\nTILLBOX_MERCHANT_ID="of the file"\n')
    expect(await whoami(['--dotenv', path], { TILLBOX_APP_ID: 'set' })).toMatchObject({
      appId: ['set', 'TILLBOX_APP_ID'],
      merchantId: ['of the file', expect.stringMatching(/^TILLBOX_MERCHANT_ID in .*some\.env$/)],
    })
    expect(await whoami()).toMatchObject({ merchantId: [null, ''] })
    await expect(whoami(['--dotenv=nowhere'])).rejects.toThrow('--dotenv nowhere cannot be read')
  })
})

test('assumption settings-precedence: of two sandboxes that are named, the stronger source says which; sandbox stop acts on no other', async () => {
  const [one, other] = [await startSandboxCommand(), await startSandboxCommand()]
  const { run } = homeWith({ profiles: { p: { baseUrl: other.url } } })
  const isEmptied = async (args: readonly string[], env: object) => {
    for (const sandbox of [one, other]) await sandbox.json('sale --amount 10.00')
    expect((await run(['sandbox', 'reset', '--yes', ...args], env)).code).toBe(0)
    const counts: number[] = []
    // One after the other: commands in this process share its working folder.
    for (const each of [one, other]) counts.push((await each.json('sandbox status')).stored.transactions)
    return counts.map((count) => count === 0)
  }
  const [ofOne, ofOther] = [{ TILLBOX_BASE_URL: one.url }, { TILLBOX_STATE: other.state }]
  expect(await isEmptied(['--state', other.state], ofOne)).toEqual([false, true])
  expect(await isEmptied(['--base-url', one.url], ofOther)).toEqual([true, false])
  expect(await isEmptied(['--profile', 'p'], ofOne)).toEqual([false, true])
  expect(await isEmptied([], { ...ofOne, ...ofOther })).toEqual([true, false]) // a URL beside a folder
  await fails(
    one.run('sandbox stop', { TILLBOX_BASE_URL: other.url }),
    2,
    'Two sandboxes are named',
    one.url,
    other.url,
  )
})

test('sandbox stop and restart act on what other commands mean, and stop no other sandbox than that of the folder', async () => {
  const { run, folder } = homeWith(
    { profile: 'shop', profiles: { shop: { baseUrl: 'https://pay.invalid' } } },
    { state: 'here' },
  )
  await prints(run('sandbox start --detach --port 0'), join(folder, 'here'))
  for (const [flags, env] of [
    [' --profile shop', {}],
    ['', { TILLBOX_PROFILE: 'shop' }],
  ] as const)
    await fails(run(`sandbox stop${flags}`, env), 2, 'https://pay.invalid')
  const texts = ['Two sandboxes are named', '--profile shop', `--state ${join(folder, 'here')}`]
  for (const line of ['sandbox restart', 'sandbox stop', 'sale --amount 10.00', 'batch close --yes'])
    await fails(run(line), 2, ...texts)
  const named = ` --state ${join(folder, 'here')}`
  await prints(run(`sandbox restart${named}`), 'was restarted')
  await prints(run(`sandbox stop${named}`), 'Stopped the sandbox', join(folder, 'here'))
  await fails(run('sandbox stop'), 2, 'is not the sandbox of')
})

test.each([
  ['a trigger', 'trigger sale-approved'],
  ['an outcome', 'sale --amount 10.00 --outcome do-not-honor'],
  ['an earlier result', 'void @last'],
])('%s is refused with 2, and the service gets only a health check, without the key', async (_, command) => {
  const seen: string[] = []
  const url = await foreignServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim())
    response.end('{"status":"ok"}')
  })
  const texts = [`needs a tillbox sandbox, and ${url} is not one`, 'Start one: tillbox sandbox start']
  await fails(runCommand(`${command} --base-url ${url} --api-key a-key`), 2, ...texts)
  expect(seen).toEqual(['GET /_sandbox/health'])
})

test('a control command says that the service is not a sandbox', async () => {
  const url = await foreignServer((_, response) => response.end('<html>'))
  const reset = runCommand(`sandbox reset --yes --base-url ${url}`)
  await fails(reset, 2, `${url} is not a tillbox sandbox`, 'Start one: tillbox sandbox start')
})
