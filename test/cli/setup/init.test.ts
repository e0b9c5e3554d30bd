import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parse } from 'yaml'
import { moneyDirection } from '../../../src/contract/statuses.ts'
import { openTerminal, runCommand } from '../../support/commands/command.ts'
import { fails, prints } from '../../support/commands/launched.ts'
import { startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { fileWith, folderWith, scratchFolder } from '../../support/commands/scratch.ts'
import { folderContents } from '../../support/store/folder-contents.ts'

const frameworks = ['express', 'fastify', 'hono', 'next', 'node']
const root = resolve(import.meta.dirname, '../../..')

const init = (cwd: string, ...args: string[]) => runCommand(['init', ...args], { cwd })

/** States of the files by their path, of `init --json`. */
async function states(cwd: string, ...args: string[]) {
  const { code, stdout, stderr } = await init(cwd, ...args, '--json')
  if (code !== 0) throw new Error(stderr)
  const files: { path: string; state: string }[] = JSON.parse(stdout).files
  return Object.fromEntries(files.map(({ path, state }) => [path, state]))
}

const everything = [
  '.github/workflows/tillbox.yml',
  '.gitignore',
  'AGENTS.md',
  'tillbox.config.json',
  'tillbox/handle-webhook.mjs',
  'tillbox/smoke.test.mjs',
  'tillbox/verify-webhook.mjs',
  'tillbox/webhook.mjs',
  'tillbox/webhook.test.mjs',
]

test.each(frameworks)('init --framework %s writes every part', async (framework) => {
  const cwd = scratchFolder()
  const written = await states(cwd, '--framework', framework, '--yes')
  const route = framework === 'next' ? ['app/webhooks/route.js'] : []
  expect(Object.keys(written).sort()).toEqual([...everything, ...route].sort())
  for (const path of everything) expect(existsSync(join(cwd, path))).toBe(true)
  expect(new Set(Object.values(written))).toEqual(new Set(['created']))
  const handler = readFileSync(join(cwd, 'tillbox/webhook.mjs'), 'utf8')
  if (framework === 'next') expect(handler).toContain("import { POST } from '../app/webhooks/route.js'")
  else expect(handler).toContain("import { webhookReceiver } from './verify-webhook.mjs'")
  if (!['next', 'node'].includes(framework)) expect(handler).toContain(`from '${framework}'`)
  for (const path of everything.filter((each) => each.endsWith('.mjs')))
    execFileSync(process.execPath, ['--check', join(cwd, path)]) // throws where the syntax is wrong
})

test.each(['src/app', 'src/pages'])(
  'a project of Next.js with %s gets its route below src',
  async (there) => {
    const cwd = folderWith({})
    mkdirSync(join(cwd, there), { recursive: true })
    const written = await states(cwd, '--framework', 'next', '--yes')
    expect(written).toMatchObject({ 'src/app/webhooks/route.js': 'created' })
    expect(existsSync(join(cwd, 'app'))).toBe(false)
    const texts = ['src/app/webhooks/route.js', 'tillbox/webhook.mjs'].map((path) => [
      join(cwd, path, '..'),
      readFileSync(join(cwd, path), 'utf8'),
    ])
    for (const [folder = '', text = ''] of texts)
      for (const [, path = ''] of text.matchAll(/from '(\..*)'/g))
        expect([path, existsSync(join(folder, path))]).toEqual([path, true])
  },
)

test('init --only writes some parts, and --dry-run shows them without writing', async () => {
  const cwd = scratchFolder()
  expect(await states(cwd, '--only', 'config', '--only', 'smoke', '--dry-run')).toEqual({
    'tillbox.config.json': 'created',
    'tillbox/smoke.test.mjs': 'created',
  })
  expect((await init(cwd, '--only', 'config', '--dry-run')).stdout).toContain('"sandbox": {}')
  expect(readdirSync(cwd)).toEqual([])
})

test('an existing file is kept without --force, and the other files are written', async () => {
  const file = 'tillbox.config.json'
  const cwd = folderWith({ [file]: '{}' })
  const config = (...flags: string[]) => states(cwd, '--only', 'config', ...flags)
  const kept = { [file]: 'kept', '.github/workflows/tillbox.yml': 'created' }
  expect(await config('--only', 'ci', '--yes')).toEqual(kept)
  expect(await config('--force', '--dry-run')).toEqual({ [file]: 'replaced' })
  expect(readFileSync(join(cwd, file), 'utf8')).toBe('{}')
  expect((await init(cwd, '--only', 'config', '--yes')).stdout).toContain('--force replaces it')
  await config('--force', '--yes')
  expect(await config('--yes')).toEqual({ [file]: 'unchanged' })
})

test('AGENTS.md gets a section with the text of SKILL.md, once; what else is in it stays', async () => {
  const cwd = folderWith({ 'AGENTS.md': '# Ours\n\nUse tabs.' })
  const path = join(cwd, 'AGENTS.md')
  const text = () => readFileSync(path, 'utf8')
  const only = (...flags: string[]) => states(cwd, '--only', 'agents', '--yes', ...flags)
  expect(await only()).toEqual({ 'AGENTS.md': 'extended' })
  expect(text()).toMatch(
    /^# Ours\n\nUse tabs\.\n\n<!-- tillbox -->\n## tillbox\n[\s\S]*\n<!-- \/tillbox -->\n$/,
  )
  for (const part of ['### Wait for a result', 'tillbox webhook secret', 'Never use a live profile'])
    expect(text()).toContain(part)
  expect(await only()).toEqual({ 'AGENTS.md': 'unchanged' })
  const whole = text()
  writeFileSync(path, whole.replace('The main commands', 'Some commands'))
  expect(await only()).toEqual({ 'AGENTS.md': 'kept' })
  expect(await only('--force')).toEqual({ 'AGENTS.md': 'replaced' })
  expect(text()).toBe(whole)
})

test.each([
  ['no lock file', {}, '`npx tillbox`'],
  ['pnpm', { 'pnpm-lock.yaml': '' }, '`pnpm exec tillbox`'],
  ['yarn', { 'yarn.lock': '' }, '`yarn tillbox`'],
  ['bun', { 'bun.lock': '' }, '`bunx tillbox`'],
])('AGENTS.md says how tillbox is run in a project: %s', async (_, files, run) => {
  const cwd = folderWith(files)
  await init(cwd, '--only', 'agents', '--yes')
  expect(readFileSync(join(cwd, 'AGENTS.md'), 'utf8')).toContain(`type ${run} instead of \`tillbox\``)
})

test.each([
  ['tillbox', ['--only', 'webhook', '--framework', 'node']],
  ['.github', ['--only', 'ci']],
  ['.github/workflows', ['--only', 'ci']],
])('a part whose folder %s is a link is left out, and nothing is written into it', async (path, flags) => {
  const [cwd, elsewhere] = [scratchFolder(), scratchFolder()]
  mkdirSync(dirname(join(cwd, path)), { recursive: true })
  symlinkSync(elsewhere, join(cwd, path))
  for (const force of [[], ['--force']])
    await fails(init(cwd, ...flags, ...force, '--yes'), 2, `${path} is a link`)
  expect(readdirSync(elsewhere)).toEqual([])
})

test('what cannot be written is left out and named, and the other files are written', async () => {
  const cwd = folderWith({
    'CLAUDE.md': '# Ours',
    '.gitignore': Buffer.from('dist\n', 'utf16le').toString('latin1'),
  })
  symlinkSync('CLAUDE.md', join(cwd, 'AGENTS.md'))
  mkdirSync(join(cwd, 'tillbox.config.json'))
  const shown = await prints(init(cwd, '--yes'), 'AGENTS.md is a link', 'tillbox.config.json is no file')
  expect(shown).toMatch(/! +\.gitignore +left out: it cannot be read as UTF-8/)
  expect(await states(cwd, '--yes')).toMatchObject({
    'AGENTS.md': 'left-out',
    '.gitignore': 'left-out',
    'tillbox/webhook.mjs': 'unchanged',
    '.github/workflows/tillbox.yml': 'unchanged',
  })
  expect(readFileSync(join(cwd, 'CLAUDE.md'), 'utf8')).toBe('# Ours')
})

test('a checkout whose lines end with CRLF does not differ, and what is added ends so', async () => {
  const cwd = folderWith({ '.gitignore': 'dist\r\n', 'AGENTS.md': '# Ours\r\n' })
  await states(cwd, '--yes')
  for (const name of ['.gitignore', 'AGENTS.md'])
    expect(readFileSync(join(cwd, name), 'utf8').replaceAll('\r\n', '')).not.toContain('\n')
  for (const name of everything)
    writeFileSync(join(cwd, name), readFileSync(join(cwd, name), 'utf8').replaceAll(/\r?\n/g, '\r\n'))
  expect(new Set(Object.values(await states(cwd, '--yes')))).toEqual(new Set(['unchanged']))
})

test('init keeps each line that it does not write byte for byte: line ends, marks and blanks', async () => {
  const ours = ['\ufeff# Ours  \r\n', 'one\n', 'two\r\n', 'three\r\n', '\r\n', '\r\n'].join('')
  const cwd = folderWith({ '.gitignore': 'dist\r\nbuild\n\nlast', 'AGENTS.md': ours })
  await states(cwd, '--only', 'gitignore', '--only', 'agents', '--yes')
  expect(readFileSync(join(cwd, '.gitignore'), 'utf8')).toBe('dist\r\nbuild\n\nlast\n.tillbox/\n')
  const agents = () => readFileSync(join(cwd, 'AGENTS.md'), 'utf8')
  expect(agents()).toMatch(new RegExp(`^${ours}<!-- tillbox -->\r\n`))
  writeFileSync(join(cwd, 'AGENTS.md'), `${agents().replace('<!-- /tillbox', 'old\n$&')}more\nend`)
  await states(cwd, '--only', 'agents', '--force', '--yes')
  expect(agents()).toMatch(new RegExp(`^${ours}<!-- tillbox -->\r\n[^]*<!-- /tillbox -->\r\nmore\nend$`))
  expect(agents()).not.toContain('old\n')
})

test('init writes through no link; --force replaces a file, and not what it shares its text with', async () => {
  const cwd = scratchFolder()
  const target = join(scratchFolder(), 'elsewhere.json')
  symlinkSync(target, join(cwd, 'tillbox.config.json'))
  await fails(init(cwd, '--only', 'config', '--yes', '--force'), 2, 'tillbox.config.json is a link')
  expect(existsSync(target)).toBe(false)
  const [linked, mine] = [scratchFolder(), fileWith('mine', 'mine')]
  linkSync(mine, join(linked, 'tillbox.config.json'))
  const replaced = await states(linked, '--only', 'config', '--force', '--yes')
  expect(replaced).toEqual({ 'tillbox.config.json': 'replaced' })
  expect(readFileSync(mine, 'utf8')).toBe('mine')
})

test('init without a terminal ends with 2, says what is missing, and writes nothing', async () => {
  const cwd = folderWith({ 'package.json': '{"dependencies":{"fastify":"5"}}' })
  await fails(init(cwd, '--framework', 'node'), 2, 'Add --yes')
  expect(readdirSync(cwd)).toEqual(['package.json'])
})

test('init --yes takes the framework of package.json, else node, and prints no text of a file', async () => {
  const [cwd, empty] = [folderWith({ 'package.json': '{"dependencies":{"fastify":"5"}}' }), scratchFolder()]
  const { code, stdout, stderr } = await init(cwd, '--yes')
  expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining('import ')])
  await states(empty, '--yes')
  expect(readFileSync(join(cwd, 'tillbox/webhook.mjs'), 'utf8')).toContain("from 'fastify'")
  expect(readFileSync(join(empty, 'tillbox/webhook.mjs'), 'utf8')).toContain("from 'node:http'")
})

test('init on a terminal asks for the framework, lists the files, and asks before it writes', async () => {
  const cwd = folderWith({ 'package.json': '{"dependencies":{"hono":"4"}}', 'tillbox.config.json': '{}' })
  const window = openTerminal('init', { cwd, columns: 120, rows: 40 })
  const sees = (text: RegExp) => expect.poll(() => window.written()).toMatch(text)
  await sees(/Framework of your webhook handler/)
  window.type('\r')
  await sees(/tillbox\.config\.json has another text\. Replace it\?/)
  expect(window.written()).toContain('tillbox/webhook.mjs')
  expect(window.written()).not.toContain('import {')
  expect(existsSync(join(cwd, 'tillbox'))).toBe(false)
  window.type('n\r')
  await sees(/Write 8 files\?/)
  window.type('\r')
  expect(await window.ended).toBe(0)
  expect(readFileSync(join(cwd, 'tillbox.config.json'), 'utf8')).toBe('{}')
  expect(readFileSync(join(cwd, 'tillbox/webhook.mjs'), 'utf8')).toContain('hono')
})

test.each([
  ['python', ['tillbox/tillbox_sandbox.py', 'tillbox/test_payments.py']],
  ['java', ['src/test/java/tillbox/Sandbox.java', 'src/test/java/tillbox/PaymentsTest.java']],
  ['go', ['tillbox/sandbox.go', 'tillbox/sandbox_test.go']],
  ['php', ['tests/UsesTillbox.php', 'tests/PaymentsTest.php']],
  ['ruby', ['spec/tillbox_sandbox.rb', 'spec/payments_spec.rb']],
])('--language %s writes a helper and tests, and says how to run them', async (language, paths) => {
  const cwd = scratchFolder()
  const { stdout } = await init(cwd, '--language', language, '--yes')
  for (const path of [...paths, '.gitignore']) expect(stdout).toMatch(new RegExp(`\\+ +${path} +written`))
  expect(Object.keys(folderContents(cwd)).sort()).toEqual([...paths, '.gitignore'].sort())
  expect(stdout).toMatch(/^ {2}npx tillbox exec -- .+$/m)
  for (const path of paths) {
    const text = readFileSync(join(cwd, path), 'utf8')
    expect(text).toBe(readFileSync(join(root, 'examples', language, path), 'utf8'))
    expect(text.split('\n').length).toBeLessThanOrEqual(160)
  }
})

test.each([
  ['flask', 'tillbox/flask_webhook.py', 'python3 tillbox/flask_webhook.py'],
  ['fastapi', 'tillbox/fastapi_webhook.py', 'python3 tillbox/fastapi_webhook.py'],
  ['spring', 'src/main/java/tillbox/WebhookController.java', 'mvn spring-boot:run'],
  ['net-http', 'webhook/webhook.go', 'go run ./webhook'],
])('--framework %s implies its language, and adds a webhook handler', async (framework, path, command) => {
  const cwd = scratchFolder()
  const { stdout } = await init(cwd, '--framework', framework, '--yes')
  expect(existsSync(join(cwd, path))).toBe(true)
  expect(stdout).toContain(`TILLBOX_WEBHOOK_SECRET=$(npx tillbox webhook secret) ${command}`)
  const alone = await states(scratchFolder(), '--framework', framework, '--only', 'webhook', '--yes')
  expect(Object.keys(alone)).toEqual([path])
})

test.each(['vitest', 'jest'] as const)('a project with %s gets tests for it', async (runner) => {
  const cwd = folderWith({ 'package.json': JSON.stringify({ devDependencies: { [runner]: '*' } }) })
  await states(cwd, '--framework', 'node', '--yes')
  for (const name of ['smoke', 'webhook']) {
    const text = readFileSync(join(cwd, `tillbox/${name}.test.mjs`), 'utf8')
    expect(text).toContain(`from 'tillbox/${runner}'`)
    expect(text.includes("import { jest, test } from '@jest/globals'")).toBe(runner === 'jest')
    expect(text).not.toMatch(/node:test|node-test|node --test/)
    if (runner === 'jest') expect(text).toContain(`jest --testMatch '**/tillbox/${name}.test.mjs'\n`)
  }
  const job = readFileSync(join(cwd, '.github/workflows/tillbox.yml'), 'utf8')
  const run = {
    vitest: /run: npx vitest run tillbox\//,
    jest: /run: npx --node-options=--experimental-vm-modules jest --testMatch/,
  }
  expect(job).toMatch(run[runner])
})

test.each([
  ['vitest', '{"devDependencies":{"vitest":"*"}}', false],
  ['vitest', '{}', true],
  ['jest', '{}', true],
  ['node', '{}', false],
])('--tests %s with %s says what is missing: %s', async (runner, packages, isMissing) => {
  const cwd = folderWith({ 'package.json': packages })
  const { stdout } = await init(cwd, '--framework', 'node', '--tests', runner, '--yes')
  expect(stdout.includes(`  npm install -D ${runner}\n`)).toBe(isMissing)
})

test('init adds its line to .gitignore once, after the existing lines', async () => {
  const cwd = folderWith({ '.gitignore': 'dist' })
  expect(await states(cwd, '--only', 'gitignore', '--dry-run')).toEqual({ '.gitignore': 'extended' })
  expect(readFileSync(join(cwd, '.gitignore'), 'utf8')).toBe('dist')
  await states(cwd, '--only', 'gitignore', '--yes')
  expect(readFileSync(join(cwd, '.gitignore'), 'utf8')).toBe('dist\n.tillbox/\n')
  expect(await states(cwd, '--only', 'gitignore', '--yes')).toEqual({ '.gitignore': 'unchanged' })
})

test('the settings are valid, and make the folder a project with a sandbox of its own', async () => {
  const { port } = await startSandboxCommand()
  const cwd = scratchFolder()
  const env = { TILLBOX_PORT: String(port) }
  await states(cwd, '--only', 'config', '--yes')
  await fails(runCommand('sale --amount 10.00', { cwd, env }), 3, "This project's sandbox does not run")
  const { $schema } = JSON.parse(readFileSync(join(cwd, 'tillbox.config.json'), 'utf8'))
  expect(existsSync(join(root, String($schema).replace('./node_modules/tillbox/', '')))).toBe(true)
})

test.each([
  ['package-lock.json', 'npm', ['npm ci'], 'npm install'],
  ['pnpm-lock.yaml', 'pnpm', ['corepack enable', 'pnpm install --frozen-lockfile'], 'pnpm add'],
  ['yarn.lock', 'yarn', ['corepack enable', 'yarn install --frozen-lockfile'], 'yarn add'],
])(
  'with %s the CI job installs with %s, runs the tests, and asks for no right but to read',
  async (lock, name, installs, add) => {
    const cwd = folderWith({ [lock]: '' })
    const { stdout } = await init(cwd, '--framework', 'express', '--yes')
    for (const line of [`${add} -D ${root}`, `${add} express`]) expect(stdout).toContain(`  ${line}\n`)
    const job = parse(readFileSync(join(cwd, '.github/workflows/tillbox.yml'), 'utf8'))
    expect(job.permissions).toEqual({ contents: 'read' })
    const steps: { run?: string; with?: { cache: string } }[] = job.jobs.payments.steps
    expect(steps.flatMap(({ run }) => run ?? [])).toEqual([...installs, 'node --test tillbox/*.test.mjs'])
    expect(steps.flatMap((step) => step.with?.cache ?? [])).toEqual([name])
  },
)

const secret = 'whsec_of_this_test'
const core = import(join(root, 'fixtures/init/tillbox/verify-webhook.mjs')) as Promise<{
  webhookReceiver(
    secret: string | undefined,
    handle: (notification: { n: number }) => unknown,
  ): (headers: Readonly<Record<string, string | undefined>>, body: Buffer) => Promise<number>
}>
const body = Buffer.from('{"n":1}')
const sign = (text: Buffer) => createHmac('sha256', secret).update(text).digest('hex')
const headers = (changes: Readonly<Record<string, string | undefined>> = {}) => ({
  'x-client-request-id': 'one',
  'x-signature': sign(body),
  ...changes,
})

test('the handler handles a notification once, before the answer', async () => {
  const { webhookReceiver } = await core
  const handledNumbers: number[] = []
  const receive = webhookReceiver(secret, async ({ n }) => {
    await Promise.resolve()
    handledNumbers.push(n)
  })
  const answers = await Promise.all([receive(headers(), body), receive(headers(), body)])
  expect([answers, handledNumbers]).toEqual([[200, 200], [1]])
  expect(await receive(headers(), body)).toBe(200)
  expect(await receive(headers({ 'x-client-request-id': 'two' }), body)).toBe(200)
  expect(handledNumbers).toEqual([1, 1])
})

test('the handler answers 500 after a failure, and handles the next attempt', async () => {
  const { webhookReceiver } = await core
  const error = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => error.mockRestore())
  const stored: number[] = []
  let isDown = true
  const receive = webhookReceiver(secret, ({ n }) => {
    if (isDown) throw new Error('The database is down')
    stored.push(n)
  })
  expect(await Promise.all([receive(headers(), body), receive(headers(), body)])).toEqual([500, 500])
  expect(error.mock.calls[0]?.join(' ')).toContain('Webhook one was not handled: Error: The database is down')
  isDown = false
  expect(await receive(headers(), body)).toBe(200)
  expect(stored).toEqual([1])
})

test('the handler does not start without a secret, and refuses what is no notification and a missing id', async () => {
  const { webhookReceiver } = await core
  expect(() => webhookReceiver(undefined, () => undefined)).toThrow('TILLBOX_WEBHOOK_SECRET')
  const receive = webhookReceiver(secret, () => expect.unreachable())
  for (const text of ['<xml>', 'null', '1', '[]'].map((each) => Buffer.from(each)))
    expect(await receive(headers({ 'x-signature': sign(text) }), text)).toBe(400)
  expect(await receive(headers({ 'x-client-request-id': undefined }), body)).toBe(400)
})

const handler = import(join(root, 'fixtures/init/tillbox/handle-webhook.mjs'))

/** What the handler logs about a notification. */
async function loggedOf(transactionType: string, transactionStatus: string): Promise<unknown[][]> {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  onTestFinished(() => log.mockRestore())
  const { handleWebhook } = await handler
  await handleWebhook({ transactionType, transactionStatus, transactionId: 'T1', referenceOrderId: 'O1' })
  return log.mock.calls
}

test.each([
  ['SALE', 'S', 'paid with T1'],
  ['AUTH', 'S', 'reserved with T1, not paid'],
  ['REFUND', 'S', 'paid back with T1'],
  ['VOID', 'S', 'voided with T1'],
  ['SALE', 'F', 'SALE T1 ended with F'],
  ['SALE', 'P', 'T1 is pending'],
])('the handler logs a %s with status %s as: %s', async (type, status, message) => {
  expect(await loggedOf(type, status)).toEqual([[`Order O1: ${message}`]])
})

test.each(Object.entries(moneyDirection))('the handler knows a %s', async (type, direction) => {
  const [[line] = []] = await loggedOf(type, 'S')
  expect(String(line).includes(': paid with')).toBe(direction === 1)
})

test('an unknown type is an error, so that the notification comes again', async () => {
  const { handleWebhook } = await handler
  const unknown = { transactionType: 'PAYOUT', transactionStatus: 'S', transactionId: 'T1' }
  await expect(handleWebhook(unknown)).rejects.toThrow('Unknown transaction type PAYOUT')
})
