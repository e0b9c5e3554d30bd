import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openTerminal, runCommand, startCommand } from '../../support/commands/command.ts'
import { fails, untilStderr } from '../../support/commands/launched.ts'
import { type LaunchedSandbox, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'
import { inOneLine, showsText } from '../../support/commands/terminal-text.ts'

const sale = ['sale', '--amount', '10.00']
const everywhere = '--host 0.0.0.0'
/** With which a sandbox is started. */
const start = 'a-token-of-the-test-0001'

test('a start without a token on an address that others reach ends with 2 and a remedy, and leaves nothing behind', async () => {
  for (const host of ['0.0.0.0', '::', '192.0.2.1']) {
    const { stdout } = await fails(runCommand(`sandbox start --port 0 --host ${host}`), 2, '--token generate')
    expect(stdout).toBe('')
  }
})

const wrongTokens = ['brief-1', 'with a space in it 123', '']
test.each(wrongTokens)('--token %j ends with 2 and is not shown', async (wrong) => {
  const refused = runCommand(['sandbox', 'start', '--port', '0', '--token', wrong])
  const { stderr } = await fails(refused, 2, '16 to 128')
  if (wrong !== '') expect(stderr).not.toContain(wrong)
})

test('--token generate creates a new token each time, and shows it once', async () => {
  const made = async () => {
    const sandbox = await startSandboxCommand(`${everywhere} --token generate`)
    return JSON.parse(sandbox.output().stdout).token as string
  }
  const [one, two] = [await made(), await made()]
  expect(one).toMatch(/^[\w-]{32}$/)
  expect(one).not.toBe(two)
  const shown = startCommand('sandbox start --port 0 --token generate')
  expect(await shown.until(/Ctrl-C/)).toMatch(/token +[\w-]{32}/)
})

test('on this machine commands, listen and logs tail find the token in the private lock file, and show it to nobody', async () => {
  const sandbox = await startSandboxCommand(`${everywhere} --token ${start}`)
  const tail = startCommand('logs tail --json', { cwd: sandbox.cwd })
  const listening = startCommand('listen --json', { cwd: sandbox.cwd })
  await untilStderr(tail, /Requests of/)
  await untilStderr(listening, /Listening to/)
  const { transactionId } = await sandbox.json(sale)
  for (const each of [tail, listening]) await each.until(new RegExp(transactionId))
  const outputs: unknown[] = [sandbox, tail, listening].map((each) => each.output())
  for (const line of [
    ...['sandbox status', `sandbox status --base-url ${sandbox.url}`, `query ${transactionId} --timeline`],
    `query ${transactionId} --base-url ${sandbox.url.replace('127.0.0.1', 'localhost')}`,
    ...['logs tail --no-follow', 'webhook list', 'sandbox clock --freeze'],
  ])
    for (const format of ['', '--json']) outputs.push(await sandbox.prints(`${line} ${format}`))
  expect(JSON.stringify(outputs)).not.toContain(start)
  const lock = join(sandbox.state, 'lock.json')
  expect(statSync(lock).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(lock, 'utf8')).token).toBe(start)
})

test('TILLBOX_TOKEN is what a sandbox starts with, and elsewhere what commands send; a missing or wrong one is reported', async () => {
  const sandbox = await startSandboxCommand(everywhere, { env: { TILLBOX_TOKEN: start } })
  expect((await sandbox.run(sale)).code).toBe(0)
  expect((await fetch(`${sandbox.url}/_sandbox/health`)).status).toBe(401)
  for (const command of ['sandbox status', 'sale --amount 10.00']) {
    const line = `${command} --base-url ${sandbox.url}`
    expect((await runCommand(line, { env: { TILLBOX_TOKEN: start } })).code).toBe(0)
    for (const env of [{}, { TILLBOX_TOKEN: 'a-token-of-the-test-0002' }]) {
      const { stderr } = await fails(runCommand(line, { env }), 1, 'TILLBOX_TOKEN')
      expect(stderr).not.toMatch(/a-token-of/)
    }
  }
})

/** Runs a command as on another machine: with a token, and without the state folder. */
const elsewhere = ({ url }: LaunchedSandbox, token: string, args: readonly string[]) =>
  runCommand(args, { cwd: scratchFolder(), env: { TILLBOX_BASE_URL: url, TILLBOX_TOKEN: token } })

test('token create prints the token once, and how it is used; one of the environment is sent, in the folder of the sandbox, too', async () => {
  const sandbox = await startSandboxCommand(`--token ${start}`)
  const created = await sandbox.prints('token create lee --scope admin', 'It is shown only once')
  const [token = 'none'] = /tbx_admin_[\w-]{43}/.exec(created) ?? []
  const uses = [`${sandbox.url}/?token=${token}`, `TILLBOX_BASE_URL=${sandbox.url}`, `TILLBOX_TOKEN=${token}`]
  for (const text of uses) expect(created).toContain(text)
  expect((await elsewhere(sandbox, token, ['sandbox', 'status'])).code).toBe(0)
  const listed = await sandbox.prints('token list')
  expect(listed).not.toContain(token)
  expect(inOneLine(listed)).toMatch(
    /start admin every space .* until the sandbox stops lee admin every space 20\d\d-.* UTC until it is revoked/,
  )
  const { token: viewer } = await sandbox.json('token create board --scope viewer')
  const here = (TILLBOX_TOKEN: string, args: string) =>
    runCommand(args, { cwd: sandbox.cwd, env: { TILLBOX_BASE_URL: sandbox.url, TILLBOX_TOKEN } })
  await fails(here(viewer, 'sandbox clock --freeze'), 1, 'SBX_SCOPE')
  await fails(here('another-token-0123456789', 'list'), 1, 'SBX_TOKEN')
  expect((await here(start, 'sandbox clock --freeze')).code).toBe(0)
})

test('token create in a sandbox without a token warns that nobody else can call it; with one, it does not', async () => {
  const create = 'token create lee --scope admin'
  const { stderr } = await (await startSandboxCommand()).run(create)
  const warning = 'only this machine can call it. To share it: tillbox sandbox restart --host'
  expect(inOneLine(stderr)).toContain(warning)
  await (await startSandboxCommand(`--token ${start}`)).prints(create)
})

test('token list without a token says how to create one; token create for one space prints its paths, for a viewer the page alone', async () => {
  const sandbox = await startSandboxCommand()
  const none = 'There is no token. Make one: tillbox token create <name> --scope viewer'
  expect(inOneLine((await sandbox.run('token list')).stdout)).toContain(none)
  await sandbox.json('space create ci-1')
  const { stdout: ofSpace } = await sandbox.run('token create ci --scope space --space ci-1')
  for (const text of [`TILLBOX_BASE_URL=${sandbox.url}/s/ci-1`, 'space, the space ci-1'])
    expect(ofSpace).toContain(text)
  const { stdout } = await sandbox.run('token create board --scope viewer --ttl 30d')
  expect(stdout).toMatch(/valid +until 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC/)
  expect(stdout).toContain('/?token=tbx_viewer_')
  expect(stdout).not.toContain('TILLBOX_TOKEN')
})

test('revoke asks, or needs --yes without a terminal, and then the token is refused', async () => {
  const sandbox = await startSandboxCommand(`--token ${start}`)
  const { token } = await sandbox.json('token create lee --scope admin')
  await sandbox.fails('token revoke lee', 2, 'Add --yes')
  expect((await elsewhere(sandbox, token, ['token', 'list'])).code).toBe(0)
  const window = openTerminal('token revoke lee', { cwd: sandbox.cwd, columns: 100 })
  await showsText(window, /Revoke the token lee of the sandbox at \S+ for\s+good\?/)
  window.type('y\r')
  expect(await window.ended).toBe(0)
  const refused = await fails(elsewhere(sandbox, token, ['token', 'list']), 1, 'SBX_TOKEN')
  expect(refused.stderr).not.toContain(token)
  expect(inOneLine(refused.stderr)).toMatch(
    /The token of this request was revoked why the token lee was revoked .*tillbox token create lee --scope admin/,
  )
  const wrong = await elsewhere(sandbox, `${token.slice(0, -3)}AAA`, ['token', 'list'])
  expect(inOneLine(wrong.stderr)).toContain('is missing or wrong')
  expect(wrong.stderr).not.toContain('lee')
})

const ownSpace = async () => {
  const sandbox = await startSandboxCommand(`--token ${start}`)
  await sandbox.json('space create ci-1')
  const { token } = await sandbox.json('token create ci --scope space --space ci-1')
  return { sandbox, at: (...args: string[]) => elsewhere(sandbox, token, args) }
}

test('a token leads to its space when none is named; server-wide commands need an admin token, and a removed space is not another service', async () => {
  const { sandbox, at } = await ownSpace()
  expect((await at('sale', '--amount', '10.00')).code).toBe(0)
  expect((await sandbox.json('list --space ci-1')).transactions).toHaveLength(1)
  expect(JSON.parse((await at('list', '--json')).stdout).transactions).toHaveLength(1)
  expect((await at('space', 'show', 'ci-1')).stdout).toContain(`${sandbox.url}/s/ci-1`)
  expect((await at('sandbox', 'env')).stdout).toContain(`TILLBOX_BASE_URL='${sandbox.url}/s/ci-1'`)
  expect((await at('doctor')).stdout).toContain(`answers at ${sandbox.url}/s/ci-1`)
  expect((await at('space', 'list')).stderr).toContain('this needs scope admin')
  const { stderr } = await at('sale', '--amount', '10.00', '--space', 'gone')
  expect(stderr).toContain('There is no space gone')
})

test.each([
  ['token list', 'this needs scope admin'],
  ['sandbox wait', 'this needs scope space'],
])('the refusal of a viewer says at once which scope the command needs: %s', async (line, needed) => {
  const sandbox = await startSandboxCommand(`--token ${start}`)
  const { token } = await sandbox.json('token create board --scope viewer')
  await fails(elsewhere(sandbox, token, line.split(' ')), 1, needed)
})

test.each(['list', 'sale --amount 10.00'])('a space that was named is not replaced: %s', async (line) => {
  const { at } = await ownSpace()
  const texts = ['the token ci has scope space', 'Ask its own space: --space ci-1.']
  await fails(at(...line.split(' '), '--space', 'default'), 1, ...texts)
})

test('audit shows who did what, newest last, and who was refused', async () => {
  const sandbox = await startSandboxCommand(`--token ${start}`)
  const none = await startSandboxCommand()
  expect((await none.run('audit')).stdout).toBe('No entries.\n')
  const { token } = await sandbox.json('token create board --scope viewer')
  await sandbox.json('sandbox clock --freeze')
  await elsewhere(sandbox, token, ['sandbox', 'status'])
  const { stdout } = await sandbox.run('audit')
  const lines = stdout.trimEnd().split('\n').map(inOneLine)
  expect(lines).toEqual([
    expect.stringMatching(/^ time \(UTC\) token action space from result$/),
    expect.stringMatching(
      /^ 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d start create-token board default 127\.0\.0\.1 ✓ done$/,
    ),
    expect.stringMatching(/ start set-clock default 127\.0\.0\.1 ✓ done$/),
    expect.stringMatching(/ board connection default 127\.0\.0\.1 ✗ SBX_SCOPE$/),
  ])
  expect((await sandbox.json('audit --limit 1')).entries).toMatchObject([
    { token: 'board', scope: 'viewer', action: 'connection', code: 'SBX_SCOPE', status: 403 },
  ])
  await sandbox.json('space create ci-1')
  await sandbox.json('sandbox clock --freeze --space ci-1')
  const ofSpace = (await sandbox.json('audit --space ci-1')).entries
  expect(ofSpace).toMatchObject([{ token: 'start', action: 'set-clock', space: 'ci-1', code: '0' }])
})

test('a damaged tokens.json: 2, the file is named, and nothing of it is changed', async ({ sandbox }) => {
  await sandbox.json('token create lee --scope viewer')
  await sandbox.stop()
  const path = join(sandbox.state, 'tokens.json')
  const spoilt = readFileSync(path, 'utf8').replace('"viewer"', '"admin"')
  writeFileSync(path, spoilt)
  await sandbox.fails('sandbox start --port 0', 2, path)
  expect(readFileSync(path, 'utf8')).toBe(spoilt)
  const { stdout } = await sandbox.run('sandbox repair --yes')
  expect(inOneLine(stdout)).toMatch(/left out tokens\.json: .*checksum/)
  expect(existsSync(path)).toBe(false)
})
