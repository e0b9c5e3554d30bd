import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runBinary } from '../../support/commands/binary.ts'
import { runCommand } from '../../support/commands/command.ts'
import type { CommandLine } from '../../support/commands/command-line.ts'
import { fails, prints } from '../../support/commands/launched.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'
import { foreignServer } from '../../support/network/foreign.ts'

const secret = 'the-key-of-a-profile-1234'

function newHome() {
  const home = scratchFolder()
  const folder = join(home, 'project')
  mkdirSync(folder)
  const file = join(home, '.config/tillbox/config.json')
  const run = (line: CommandLine, options: { env?: object; stdin?: string } = {}) =>
    runCommand(line, { cwd: folder, ...options, env: { HOME: home, ...options.env } })
  const readProfiles = () => JSON.parse(readFileSync(file, 'utf8'))
  return { home, folder, file, run, readProfiles }
}

/** A service that answers sales, and keeps what it was sent: method, path, key. */
async function newService() {
  const seen: string[] = []
  const url = await foreignServer((request, response) => {
    seen.push(`${request.method} ${request.url?.split('?')[0]} ${request.headers.authorization ?? ''}`.trim())
    const { url: path = '' } = request
    if (path.startsWith('/_sandbox')) return response.writeHead(404).end('{}')
    return response.end(JSON.stringify({ code: '0', data: { transactionId: '1', transactionStatus: 'I' } }))
  })
  // Not by a name of loopback, and yet this machine alone is asked.
  return { seen, url, beyond: url.replace('127.0.0.1', '0.0.0.0') }
}

const sale = ['sale', '--amount', '10.00', '--no-wait']

test('profile set keeps settings for the user alone; show and list redact the key', async () => {
  const { run, file, readProfiles } = newHome()
  const set = 'profile set p --base-url http://127.0.0.1:1 --api-key - --use'
  const { code, stdout, stderr } = await run(set, { stdin: `${secret}\n` })
  expect([code, stdout]).toEqual([0, expect.stringContaining('Saved p to')])
  expect(stdout + stderr).not.toContain(secret)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const p = { baseUrl: 'http://127.0.0.1:1', apiKey: secret }
  expect(readProfiles()).toEqual({ profile: 'p', profiles: { p } })
  for (const line of ['profile show', 'profile list --json', 'whoami', 'profile show p --json'])
    expect(await prints(run(line), '127.0.0.1:1', '…1234')).not.toContain(secret)
})

test('settings that are left out stay, and --unset removes them; show, list and whoami name the space of a profile', async () => {
  const { run, readProfiles } = newHome()
  await run('profile set p --base-url http://127.0.0.1:1 --app-id A --live')
  await run('profile set p --merchant-id M --unset appId --no-live')
  expect(readProfiles().profiles.p).toEqual({ baseUrl: 'http://127.0.0.1:1', merchantId: 'M', live: false })
  await run('profile set p --base-url http://127.0.0.1:1 --space ci-1 --use')
  for (const command of ['profile show p', 'profile list', 'whoami'])
    expect((await run(command)).stdout).toMatch(/space +ci-1/)
})

const wrongNames = ['constructor', 'a b']
test.each(wrongNames)('profile set refuses the name %s and keeps nothing', async (name) => {
  const { run, file } = newHome()
  const why = `The name ${name} must (not be a name that JavaScript reserves|be letters, digits and)`
  await fails(run(['profile', 'set', name, '--base-url', 'http://127.0.0.1:1']), 2, new RegExp(why))
  expect(existsSync(file)).toBe(false)
  await fails(run(['profile', 'show', name]), 2, 'There are no profiles yet. Create this one:')
})

test('profile use chooses a profile, and remove needs --yes without a terminal and forgets the choice', async () => {
  const { run, readProfiles } = newHome()
  for (const name of ['one', 'two']) await run(['profile', 'set', name, '--base-url', 'http://127.0.0.1:1'])
  expect((await run('profile use on')).stderr).toContain('Did you mean one?')
  expect((await run('profile use default')).stderr).toContain('tillbox profile use --none')
  expect((await run('profile use one')).stderr).toBe('')
  expect(readProfiles().profile).toBe('one')
  expect((await run('profile remove one')).code).toBe(2)
  expect((await run('profile remove one --yes')).code).toBe(0)
  expect(readProfiles()).toEqual({ profiles: { two: { baseUrl: 'http://127.0.0.1:1' } } })
  await run('profile use two')
  await run('profile use --none')
  expect(readProfiles().profile).toBeUndefined()
})

test('profiles that are set at the same time leave a whole file, and the chosen one is in it', async () => {
  const { home, readProfiles, folder } = newHome()
  const names = Array.from({ length: 4 }, (_, index) => `p${index}`)
  // Processes: within one, a change is never interrupted by another.
  const set = (name: string) =>
    runBinary(`profile set ${name} --base-url http://127.0.0.1:1 --use`, { cwd: folder, env: { HOME: home } })
  for (const { code, stderr } of await Promise.all(names.map(set)))
    expect([code, stderr]).toEqual([0, expect.any(String)])
  const { profile: chosen, profiles } = readProfiles()
  const kept = Object.entries(profiles)
  expect(Object.keys(profiles)).toContain(chosen)
  for (const [name, profile] of kept)
    expect([names.includes(name), profile]).toEqual([true, { baseUrl: 'http://127.0.0.1:1' }])
})

test.each([
  ['--api-key -', ['--api-key', '-'], { stdin: `${secret}\n` }],
  ['apiKeyEnv of a profile', ['--profile', 'env'], { env: { SHOP_KEY: secret } }],
  ['a key of a profile', ['--profile', 'own'], {}],
])('a key is given by %s', async (_, flags, options) => {
  const { url, seen } = await newService()
  const { run } = newHome()
  await run(`profile set env --base-url ${url} --api-key-env SHOP_KEY`)
  await run(`profile set own --base-url ${url} --api-key -`, { stdin: secret })
  const where = flags.includes('--profile') ? [] : ['--base-url', url]
  expect((await run([...sale, ...flags, ...where], options)).code).toBe(0)
  expect(seen).toEqual([`POST /v1/semi-integration/transaction/sale Bearer ${secret}`])
})

test('a key is given by --api-key @file, and a missing or empty file is refused', async () => {
  const { url, seen } = await newService()
  const { run, folder } = newHome()
  writeFileSync(join(folder, 'key'), `${secret}\n`)
  writeFileSync(join(folder, 'empty'), '\n')
  const withKey = (key: string) => run([...sale, '--base-url', url, '--api-key', key])
  expect((await withKey('@key')).code).toBe(0)
  await fails(withKey('@nowhere'), 2, 'cannot be read')
  await fails(withKey('@empty'), 2, 'has no key')
  expect(seen).toHaveLength(1)
})

test('the key of a profile does not follow to another URL', async () => {
  const { url, seen } = await newService()
  const { run } = newHome()
  await run('profile set p --base-url http://127.0.0.1:1 --api-key -', { stdin: secret })
  const refused = run([...sale, '--profile', 'p', '--base-url', url])
  const { stderr } = await fails(refused, 2, 'no API key is set for it')
  expect(seen.join() + stderr).not.toContain(secret)
})

test('a typed profile is called with its own key, and a chosen one with that of the environment', async () => {
  const { url, seen } = await newService()
  const { run } = newHome()
  await run(`profile set p --base-url ${url} --api-key - --use`, { stdin: secret })
  const env = { TILLBOX_API_KEY: 'of-the-environment' }
  for (const flags of [['--profile', 'p'], []]) expect((await run([...sale, ...flags], { env })).code).toBe(0)
  expect(seen.map((line) => line.split(' ').at(-1))).toEqual([secret, env.TILLBOX_API_KEY])
})

test('--dotenv sets only variables of tillbox and of apiKeyEnv, and a URL of the file gets no key of the shell', async () => {
  const { url, seen } = await newService()
  const { run, folder, home } = newHome()
  writeFileSync(join(folder, '.env'), `TILLBOX_BASE_URL=${url}\nXDG_CONFIG_HOME=${folder}\n`)
  expect((await run([...sale, '--dotenv', '.env'], { env: { TILLBOX_API_KEY: secret } })).code).toBe(2)
  expect(seen.join()).not.toContain(secret)
  await run(`profile set p --base-url ${url} --api-key-env P_KEY --dotenv .env`)
  expect(existsSync(join(home, '.config/tillbox/config.json'))).toBe(true)
  writeFileSync(join(folder, '.env'), `P_KEY=${secret}\n`)
  expect((await run([...sale, '--profile', 'p', '--dotenv', '.env'])).code).toBe(0)
  expect(seen.at(-1)).toContain(secret)
})

describe('assumption live-profiles', () => {
  test('the settings of a profile do not apply to a URL that another source names, loopback or not', async () => {
    const { url, beyond, seen } = await newService()
    const { run } = newHome()
    await run('profile set dev --base-url http://127.0.0.1:1 --no-live --use')
    expect((await run([...sale, '--base-url', beyond, '--api-key', secret])).stderr).toContain('Add --live')
    await run(`profile set tunnel --base-url ${url} --live`)
    expect((await run([...sale, '--base-url', url, '--api-key', secret])).stderr).toContain('Add --live')
    await run('profile use tunnel')
    const other = await newService()
    expect((await run([...sale, '--base-url', other.url, '--api-key', secret])).code).toBe(0)
    expect(seen.filter((line) => line.startsWith('POST'))).toEqual([])
  })

  const answered = { stdin: '' }

  test.each([
    ['a profile that says so', () => '--profile real'],
    [
      'a URL beyond loopback that no profile knows',
      (beyond: string) => `--base-url ${beyond} --api-key ${secret}`,
    ],
  ])('a change without a terminal needs --live for %s, named in the error', async (_, flagsFor) => {
    const { url, beyond, seen } = await newService()
    const { run } = newHome()
    await run(`profile set real --base-url ${url} --api-key - --live`, { stdin: secret })
    const where = flagsFor(beyond)
    for (const command of [
      'sale --amount 10.00 --no-wait',
      'refund 1 --amount 1.00 --price-currency USD --no-wait',
      'refund 1 --amount 1.00 --no-wait',
      'abort 1',
      'batch close --yes',
    ])
      await fails(run(`${command} ${where}`, answered), 2, 'Add --live')
    expect(seen.filter((line) => line.startsWith('POST') || line.includes('/query'))).toEqual([])
    const live = await run(`sale --amount 10.00 --no-wait ${where} --live --json`, answered)
    const warning = expect.stringMatching(/! .*live .*(real|0\.0\.0\.0)/i)
    expect(live).toMatchObject({ code: 0, stdout: expect.stringContaining('"1"'), stderr: warning })
    expect(seen.filter((line) => line.startsWith('POST'))).toHaveLength(1)
  })

  test('look-ups ask nothing; beyond loopback changes ask nothing only where a profile says live: false', async () => {
    const { url, beyond, seen } = await newService()
    const { run } = newHome()
    await run(`profile set real --base-url ${url} --api-key - --live`, { stdin: secret })
    await run(`profile set known --base-url ${beyond} --api-key -`, { stdin: secret })
    expect((await run('merchant show --profile real')).stderr).not.toContain('--live')
    await fails(run([...sale, '--profile', 'known'], answered), 2, 'Add --live')
    await run('profile set known --no-live')
    expect((await run([...sale, '--profile', 'known'])).code).toBe(0)
    expect((await run([...sale, '--base-url', beyond, '--api-key', secret])).code).toBe(0)
    expect(seen.filter((line) => line.startsWith('POST'))).toHaveLength(2)
  })
})
