import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AnyJson } from '../../support/any-json.ts'
import { runCommand } from '../../support/commands/command.ts'
import type { CommandLine } from '../../support/commands/command-line.ts'
import { fails, prints } from '../../support/commands/launched.ts'
import { startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { folderWith, scratchFolder } from '../../support/commands/scratch.ts'
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
  const user = { profile: 'p', profiles: { p: { ...profileFrom(4), apiKey: 'key-of-the-user-file' } } }
  const config = { profiles: { p: profileFrom(3) } }
  const env = {
    TILLBOX_BASE_URL: 'http://127.0.0.1:2',
    TILLBOX_APP_ID: 'A2',
    TILLBOX_MERCHANT_ID: 'M2',
    TILLBOX_TERMINAL_SN: 'T2',
  }
  const typed = ['--base-url', 'http://127.0.0.1:1', '--app-id', 'A1', '--merchant-id', 'M1']

  test('a flag wins over the environment, that over the project, and that over the user', async () => {
    const { whoami, home, folder } = homeWith(user, config)
    const userFile = join(home, '.config/tillbox/config.json')
    expect(await homeWith(user).whoami()).toMatchObject({
      appId: ['A4', expect.any(String)],
      terminal: ['T4', expect.any(String)],
    })
    expect(await whoami()).toMatchObject({
      profile: ['p', userFile],
      baseUrl: ['http://127.0.0.1:3', join(folder, project)],
      merchantId: ['M3', join(folder, project)],
    })
    const { TILLBOX_MERCHANT_ID: _, ...most } = env // each setting by itself
    expect(await whoami([], most)).toMatchObject({
      baseUrl: ['http://127.0.0.1:2', 'TILLBOX_BASE_URL'],
      appId: ['A2', 'TILLBOX_APP_ID'],
      merchantId: ['M3', join(folder, project)],
      terminal: ['T2', 'TILLBOX_TERMINAL_SN'],
    })
    expect(await whoami(typed, env)).toMatchObject({
      baseUrl: ['http://127.0.0.1:1', '--base-url'],
      appId: ['A1', '--app-id'],
      merchantId: ['M1', '--merchant-id'],
      terminal: ['T2', 'TILLBOX_TERMINAL_SN'],
    })
  })

  test('settings of a project beside its profiles do not mix with a named profile of the user', async () => {
    const { whoami } = homeWith(user, { merchantId: 'M0', state: 'here' })
    for (const [args, env] of [
      [['--profile', 'p'], {}],
      [[], { TILLBOX_PROFILE: 'p' }],
    ] as const)
      expect(await whoami(args, env)).toMatchObject({
        merchantId: ['M4', expect.any(String)],
        state: [null, ''],
      })
    const without = homeWith(null, { merchantId: 'M0', state: 'here' })
    expect(await without.whoami()).toMatchObject({
      merchantId: ['M0', join(without.folder, project)],
      state: [join(without.folder, 'here'), join(without.folder, project)],
    })
  })

  test('the profile of profile use is not used where the project names a sandbox, and whoami shows this', async () => {
    const { whoami, folder, run } = homeWith(user, { merchantId: 'M0', state: 'here' })
    expect(await whoami()).toMatchObject({
      profile: [null, ''],
      baseUrl: [null, ''],
      state: [join(folder, 'here'), join(folder, project)],
      apiKey: [null, ''],
      merchantId: ['M0', join(folder, project)],
      terminal: [null, ''],
    })
    expect((await run('profile use p')).stderr).toContain('It is not used here')
    const stdout = await prints(run('whoami'), /profile +not set *\n +p +not used: /, /M4 +not used: /)
    expect(stdout).not.toContain('is not approved') // it leads to this machine only
  })

  test('where the project names no sandbox, each of its settings wins over that of profile use', async () => {
    const { whoami } = homeWith(user, { terminal: 'T0' })
    expect(await whoami()).toMatchObject({
      profile: ['p', expect.any(String)],
      baseUrl: ['http://127.0.0.1:4', expect.any(String)],
      merchantId: ['M4', expect.any(String)],
      terminal: ['T0', expect.stringContaining(project)],
    })
  })

  test('--profile, TILLBOX_PROFILE, the project and the user choose the profile, in this order', async () => {
    const profiles = Object.fromEntries(['p1', 'p2', 'p3', 'p4'].map((name) => [name, { appId: name }]))
    const { whoami } = homeWith({ profile: 'p4', profiles }, { profile: 'p3' })
    const named = { TILLBOX_PROFILE: 'p2' }
    expect((await whoami(['--profile', 'p1'], named)).appId[0]).toBe('p1')
    expect((await whoami([], named)).appId[0]).toBe('p2')
    expect((await whoami()).appId[0]).toBe('p3')
    expect((await homeWith({ profile: 'p4', profiles }).whoami()).appId[0]).toBe('p4')
  })

  test('whoami shows the settings in use, and marks those that another source overrides as not used', async () => {
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
    const { settings } = JSON.parse((await run('whoami --json', env)).stdout)
    const unused = Object.fromEntries(settings.map((each: AnyJson) => [each.setting, each.unused]))
    expect(unused).toMatchObject({
      baseUrl: [{ value: 'https://api.example', source: file }],
      state: [],
      apiKey: [{ value: expect.stringMatching(/…1234$/), source: file }],
      appId: [{ value: 'A1', source: file }],
    })
    const printed = run('whoami', env)
    const stdout = await prints(printed, /base URL +not set *\n +https:\/\/api\.example +not used: /)
    expect(stdout).not.toContain('profile_key')
    expect(await whoami()).toMatchObject({ baseUrl: ['https://api.example', file], state: [null, ''] })
  })

  test('an unknown profile is refused with the nearest name', async () => {
    const refused = homeWith({ profiles: { staging: {} } }).run('whoami --profile stagin')
    await fails(refused, 2, 'Profile stagin does not exist', 'did you mean staging')
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
    ['a key', { profiles: { p: { apiKey: 'x' } } }, /profiles\.p\.apiKey is not a setting.*apiKeyEnv/s],
    ['no URL', { baseUrl: 'localhost:1' }, /baseUrl must be a URL/],
    ['a number for a text', { state: 5 }, /state must be a text$/m],
  ])('a project file with %s is refused, whatever the command', async (_, config, why) => {
    const { run } = homeWith(null, config)
    for (const command of ['whoami', 'sale --amount 10.00', 'sandbox start --port 0'])
      await fails(run(command), 2, why)
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

describe('assumption settings-precedence: settings that name different sandboxes', () => {
  /** Two sandboxes, each with a transaction. */
  async function two() {
    const [one, other] = [await startSandboxCommand(), await startSandboxCommand()]
    for (const sandbox of [one, other]) await sandbox.json('sale --amount 10.00')
    const counts = async () => {
      const found: number[] = []
      // One after the other: commands in this process share its working folder.
      for (const each of [one, other]) found.push((await each.json('sandbox status')).stored.transactions)
      return found
    }
    return { one, other, counts }
  }

  test('state folder and base URL conflict, but a typed URL wins over a folder of the environment; sandbox stop acts as the others do', async () => {
    const { one, other, counts } = await two()
    const reset = ['sandbox', 'reset', '--yes', '--state', other.state]
    const cwd = scratchFolder()
    const both = [...reset, '--base-url', one.url]
    await fails(runCommand(reset, { cwd, env: { TILLBOX_BASE_URL: one.url } }), 2, 'do not name the same')
    await fails(runCommand(both, { cwd }), 2, 'do not name the same sandbox')
    expect(await counts()).toEqual([1, 1])
    for (const [args, env] of [
      [[], { TILLBOX_BASE_URL: other.url }],
      [['--state', one.state], { TILLBOX_BASE_URL: other.url }],
    ] as const) {
      await fails(one.run(['sandbox', 'stop', ...args], env), 2, /not the sandbox of|do not name the same/)
    }
    expect(await counts()).toEqual([1, 1])
    const env = { TILLBOX_BASE_URL: one.url, TILLBOX_STATE: other.state }
    expect((await runCommand('sandbox reset --yes', { cwd, env })).code).toBe(2)
    expect(await counts()).toEqual([1, 1])
    const typed = ['sandbox', 'reset', '--yes', '--base-url', one.url]
    expect((await runCommand(typed, { cwd, env: { TILLBOX_STATE: other.state } })).code).toBe(0)
    expect(await counts()).toEqual([0, 1])
  })

  test('a typed profile conflicts with the environment', async () => {
    const { one, other, counts } = await two()
    const { run } = homeWith({ profiles: { p: { baseUrl: other.url } } })
    const reset = ['sandbox', 'reset', '--yes', '--profile', 'p']
    await fails(run(reset, { TILLBOX_BASE_URL: one.url }), 2, 'Unset TILLBOX_BASE_URL')
    expect(await counts()).toEqual([1, 1])
    expect((await run(reset, { TILLBOX_BASE_URL: other.url.replace('127.0.0.1', 'localhost') })).code).toBe(0)
    expect(await counts()).toEqual([1, 0])
  })

  test('one sandbox by its URL and its folder is not a conflict', async () => {
    const { one, counts } = await two()
    const reset = `sandbox reset --yes --state ${one.state}`
    expect((await runCommand(reset, { env: { TILLBOX_BASE_URL: one.url } })).code).toBe(0)
    expect(await counts()).toEqual([0, 1])
  })
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
