import { tmpdir } from 'node:os'
import { expect } from 'vitest'
import { failureOf } from '../../../src/cli/errors/failure.ts'
import { fileFailure, startFailureText } from '../../../src/cli/errors/system-error.ts'
import { withFileErrors } from '../../../src/cli/sandbox/state-file-errors.ts'
import { userFolder } from '../../../src/cli/settings/user-folder.ts'
import { Unreachable } from '../../../src/client/http.ts'
import { errorTable } from '../../../src/contract/errors.ts'
import { runCommand, startCommand } from '../../support/commands/command.ts'
import { fails } from '../../support/commands/launched.ts'
import { startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { foreignServer } from '../../support/network/foreign.ts'

test('success ends with 0, and a refusal with 1, the words of the specification and what is left', async () => {
  const sandbox = await startSandboxCommand()
  const { transactionId } = await sandbox.json('sale --amount 10.00')
  expect((await sandbox.run(`refund ${transactionId} --amount 4.00`)).code).toBe(0)
  const texts = {
    message: errorTable.SBX_OVER_REFUND.message,
    detail: '6.01 USD requested, 6.00 USD left',
    remedy: errorTable.SBX_OVER_REFUND.remedy,
  }
  const refund = `refund ${transactionId} --amount 6.01 --json`
  const refused = await sandbox.fails(refund, 1, ...Object.values(texts), /traceId\s+\S+/)
  const codes = { exitCode: 1, code: 'SBX_OVER_REFUND', field: 'amount', typed: '--amount', httpStatus: 200 }
  expect(JSON.parse(refused.stdout).error).toEqual({ ...texts, ...codes, traceId: expect.any(String) })
  const unknown = await sandbox.fails('query 1234567890123456', 1, 'has no transaction 1234567890123456')
  expect(unknown.stdout).toBe('')
})

test.each([
  ['a key with a line end', ['query', '1', '--base-url', 'http://127.0.0.1:9'], { TILLBOX_API_KEY: 'k\n' }],
  ['an outcome that no header can carry', ['sale', '--amount', '0.01', '--outcome', '→'], {}],
  ['a state folder that is a file', ['sandbox', 'start', '--port', '0', '--state', '.tillbox/lock.json'], {}],
])('the error for %s is not reported as a bug in tillbox', async (_, args, env) => {
  const { code, stderr } = await (await startSandboxCommand()).run(args, env)
  expect(code).toBeGreaterThan(0)
  expect(stderr).not.toContain('bug in tillbox')
})

test.each([
  ...['listen', 'logs tail', 'scenario record', 'trigger sale-approved', 'webhook receive', 'api get /v1/x'],
  'webhook verify --body {} --header a:b',
])('%s at a URL at which nobody listens ends with 3', async (line) => {
  const ended = await fails(runCommand(`${line} --base-url http://127.0.0.1:9 --json`), 3, 'Check --base-url')
  expect(JSON.parse(ended.stdout).error).toMatchObject({ exitCode: 3, remedy: expect.any(String) })
})

test.each([
  ['HTML', 200, '<html><body>Welcome</body></html>'],
  ['an empty body', 502, ''],
  ['JSON that is not an envelope', 200, '{"status":"ok"}'],
  ['a code that is not a string', 200, '{"code":0,"msg":"success"}'],
])('another server that answers %s ends with 3', async (_, status, body) => {
  const url = await foreignServer((_request, response) => response.writeHead(status).end(body))
  const env = { TILLBOX_BASE_URL: url, TILLBOX_API_KEY: 'secret-key-of-mine' }
  const refused = runCommand('query 1 --json', { env })
  const { stdout, stderr } = await fails(refused, 3, url, `HTTP ${status}`, 'not an answer of this API')
  expect(stderr).not.toContain('secret-key-of-mine')
  expect(JSON.parse(stdout).error).toMatchObject({ exitCode: 3 })
})

test.each([
  ['declined by amount', '--amount 98.23', 'F'],
  ['cancelled on the device', '--amount 10.00 --terminal TBX-CANCEL-001', 'C'],
])('a payment that is %s ends with 4', async (_, flags, letter) => {
  const sandbox = await startSandboxCommand()
  const { transactionId, transactionStatus } = await sandbox.json(`sale ${flags}`, 4)
  expect(transactionStatus).toBe(letter)
  const stdout = expect.stringContaining(letter === 'F' ? 'FAIL' : 'CLOSED')
  expect(await sandbox.run(`query ${transactionId}`)).toMatchObject({ code: 4, stdout })
})

const sale = ['sale', '--amount', '10.00', '--terminal', 'TBX-ATTENDED-001']

test('the message of exit code 5 names the transaction and how to look it up; with --no-wait the exit code is 0', async () => {
  const sandbox = await startSandboxCommand()
  const { stdout, stderr } = await sandbox.fails([...sale, '--wait', '200ms', '--json'], 5)
  const { transactionId, transactionStatus } = JSON.parse(stdout)
  expect(transactionStatus).toBe('P')
  expect(stderr).toContain(`tillbox query ${transactionId}`)
  expect((await sandbox.run([...sale, '--no-wait'])).code).toBe(0)
  expect((await sandbox.run([...sale, '--wait', '0'])).code).toBe(5)
})

test('Ctrl-C during a wait leaves the transaction, and the message says how to go on', async () => {
  const sandbox = await startSandboxCommand()
  const waiting = startCommand([...sale, '--json'], { cwd: sandbox.cwd })
  const isQueried = async () =>
    (await sandbox.send('GET', '/_sandbox/requests')).envelope.data.requests.some(
      ({ path }: { path: string }) => path.endsWith('/query'),
    )
  await expect.poll(isQueried).toBe(true)
  const { code, stdout, stderr } = await waiting.stop('SIGINT')
  const { transactionId, transactionStatus } = JSON.parse(stdout)
  expect([code, transactionStatus]).toEqual([5, 'P'])
  for (const command of ['query', 'abort']) expect(stderr).toContain(`tillbox ${command} ${transactionId}`)
  expect((await sandbox.json(`query ${transactionId}`)).transactionStatus).toBe('P')
})

test('assumption clocks: the refusal of a repeated request id says which clock counts', async () => {
  const sandbox = await startSandboxCommand()
  const sale = ['sale', '--amount', '10.00', '--client-request-id', crypto.randomUUID()]
  expect((await sandbox.run(sale)).code).toBe(0)
  await sandbox.json('sandbox clock --advance 11m')
  await sandbox.fails(sale, 1, 'The 10 minutes are of the wall clock: the sandbox clock does not end them')
  const late = await sandbox.send('GET', '/v1/merchant/query', {
    headers: { 'X-Timestamp': String(Date.now() + 660_000) },
  })
  expect(late.envelope.remedy).toContain('The wall clock counts, not the sandbox clock')
})

test.each([
  ['ENOSPC', 'its disk is full', /^Free disk space, or name another folder with --state$/],
  ['EROFS', 'its file system is read-only', /^Name another folder with --state$/],
])('a state folder with %s gets the reason in words, and a remedy', (code, why, remedy) => {
  const error = Object.assign(new Error(`${code}: as the system says it`), { code, syscall: 'write' })
  const [message, hint, field] = startFailureText(error)
  expect(message).toBe(`Cannot use the state folder: ${why}`)
  expect(hint).toMatch(remedy)
  expect(field).toBe('state')
})

test.each([
  [
    '/own/project/tillbox.config.json',
    'EACCES',
    /^See what is there, and whose it is: ls -ld \/own\/project/,
  ],
  [`${tmpdir()}/tillbox-ephemeral-XXXXXX`, 'EROFS', /TMPDIR/],
  [userFolder(), 'ENOTDIR', /^Your settings are kept in .*XDG_CONFIG_HOME/],
  ['/own/state/journal.jsonl', 'ENOSPC', /^Free disk space$/],
])('an error at %s (%s) names the path, and what to do by its purpose', (path, code, remedy) => {
  const [message, hint] = fileFailure(Object.assign(new Error(code), { code, path, syscall: 'open' })) ?? []
  expect(message).toContain(path)
  expect(hint).toMatch(remedy)
})

test('a sandbox that does not answer in time is not to be started once more', () => {
  const late = failureOf(
    new Unreachable('http://127.0.0.1:4242', 'no answer within 30 s', false, false, 'LATE'),
  )
  expect(late?.remedy).toMatch(/try again.*tillbox sandbox stop/)
})

test('an export to a full disk is told to free space, not to look at the path', async () => {
  const error = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', errno: -28, syscall: 'write' })
  await expect(withFileErrors('state.json', Promise.reject(error))).rejects.toMatchObject({
    message: 'state.json cannot be used: its disk is full',
    failure: { remedy: expect.stringMatching(/^Free disk space/) },
  })
})

test.each([
  [{ code: 'ENOENT', path: 'npm', syscall: 'spawn npm' }],
  [{ code: 'EACCES', syscall: 'listen' }],
  [{ code: 'ERR_ASSERTION', path: '/x' }],
])('an error of something else is not one of a file: %j', (members) => {
  expect(fileFailure(Object.assign(new Error('x'), members))).toBe(undefined)
})
