import { expect } from 'vitest'
import { failureOf } from '../../../src/cli/errors/failure.ts'
import { waitingFacts } from '../../../src/cli/operation/waiting-notes.ts'
import { statusNotReached } from '../../../src/cli/scenario/triggers.ts'
import { Unreachable } from '../../../src/client/http.ts'
import { asLostAnswer } from '../../../src/client/lost-answer.ts'
import { NoSandbox } from '../../../src/client/which-sandbox.ts'
import { runCommand } from '../../support/commands/command.ts'
import { type LaunchedSandbox, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { foreignServer } from '../../support/network/foreign.ts'
import { salePath } from '../../support/service/requests.ts'

const attended = 'TBX-ATTENDED-001'
const sale = (serial: string) => ['sale', '--amount', '25.00', '--terminal', serial]

/** What a sale on that terminal says when it is not final after no wait at all. */
const stderrOf = async ({ run }: LaunchedSandbox, serial: string, ...more: string[]) =>
  (await run([...sale(serial), '--wait', '0', ...more])).stderr

test('a payment that is not final says for what it waits, a person, a terminal, the host or a shopper, and how to go on', async () => {
  const sandbox = await startSandboxCommand()
  const page = `page         ${sandbox.url}/terminal/${attended}\n`
  const tip = ['--set', 'tipConfig={"onScreenTip":true}']
  const card = await stderrOf(sandbox, attended, ...tip)
  expect(card).toContain(`waits for    a person at ${attended}\n  ${page}`)
  expect(card).toContain(`act          tillbox terminal present ${attended} --card visa-contactless\n`)
  const next = async () => (await sandbox.run('query @last')).stderr
  await sandbox.json(`terminal present ${attended} --card visa-chip-pin --entry insert`)
  expect(await next()).toContain(`act          tillbox terminal tip ${attended} --amount `)
  await sandbox.json(`terminal tip ${attended} --none`)
  expect(await next()).toContain(`act          tillbox terminal pin ${attended}\n`)
  await sandbox.json(`terminal pin ${attended}`)
  expect((await sandbox.run('query @last')).code).toBe(0)
  const offline = 'TBX-OFFLINE-001'
  const online = `waits for    ${offline} to come online\n  act          tillbox terminal online ${offline}\n`
  expect(await stderrOf(sandbox, offline)).toContain(online)
  const late = await stderrOf(sandbox, 'TBX-LATE-001')
  expect(late).toMatch(/waits for {4}the host, until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC \(sandbox clock\)\n/)
  expect(late).toContain('act          tillbox sandbox clock --advance 60s\n')
  await sandbox.json('sandbox clock --advance 60s')
  expect((await sandbox.run('query @last')).code).toBe(0)
  const refund = await sandbox.run('refund @last --amount 1.00 --no-push-to-terminal --no-wait')
  expect(refund.stdout).toContain('✓ approved')
  expect(refund.stderr).not.toContain('Not final yet')
  const { sessionId, checkoutUrl } = await sandbox.json('checkout create --amount 9.00')
  const text = `page         ${checkoutUrl}\n  act          tillbox checkout pay ${sessionId}\n`
  await sandbox.fails('query @last', 5, text)
})

test('a payment that waits behind another names it, and how to go on with that; suggested commands name the sandbox', async () => {
  const sandbox = await startSandboxCommand()
  const first = await sandbox.json([...sale(attended), '--no-wait'])
  const behind = await stderrOf(sandbox, attended)
  const why = `it has ${first.transactionId} first, which waits for a person at ${attended}\n`
  expect(behind).toContain(`waits for    ${attended} to be free: ${why}`)
  expect(behind).toContain(`tillbox terminal present ${attended} --card`)
  expect(await stderrOf(sandbox, attended)).toContain(`${first.transactionId} and 1 more first`)
  const { stderr } = await runCommand([...sale(attended), '--wait', '0', '--base-url', sandbox.url])
  const where = ` --base-url ${sandbox.url}\n`
  expect(stderr).toContain(`--card visa-contactless${where}`)
  expect(stderr).toMatch(new RegExp(`tillbox query \\d{16} --wait 60s --base-url ${sandbox.url}\n`))
})

test('each cause of waiting is shown once on standard error', async ({ sandbox }) => {
  const waiting = sandbox.run([...sale(attended), '--wait', '30', '--json'])
  const screen = async () =>
    (await sandbox.send('GET', `/_sandbox/terminals/${attended}/screen`)).envelope.data.screen
  await expect.poll(screen).toBe('present-card')
  const queryCount = async () =>
    (await sandbox.send('GET', '/_sandbox/requests')).envelope.data.requests
      .filter(({ operation }: { operation: string }) => operation === 'query')
      .reduce((sum: number, { times }: { times: number }) => sum + times, 0)
  await expect.poll(queryCount).toBeGreaterThan(3)
  await sandbox.json(`terminal present ${attended} --card visa-contactless`)
  const page = `  page  ${sandbox.url}/terminal/${attended}\n`
  const act = `  act   tillbox terminal present ${attended} --card visa-contactless\n`
  const stderr = `Waiting for a person at ${attended}\n${page}${act}`
  const stdout = expect.stringContaining('"transactionStatus": "S"')
  expect(await waiting).toMatchObject({ code: 0, stdout, stderr })
})

test('a sandbox that ends while it is asked is no error: only the hint is missing', async ({ sandbox }) => {
  const { transactionId } = await sandbox.json([...sale(attended), '--no-wait'])
  const { envelope } = await sandbox.send('GET', `/_sandbox/transactions/${transactionId}`)
  const baseUrl = await foreignServer(({ url, socket }, response) =>
    url?.includes('/transactions/') ? response.end(JSON.stringify(envelope)) : socket.destroy(),
  )
  expect(await waitingFacts({ isSandbox: true, target: { baseUrl } }, transactionId)).toBeUndefined()
})

test('another service gets nothing but the operation, and its id is one word of the commands', async () => {
  const paths: (string | undefined)[] = []
  const url = await foreignServer((request, response) => {
    paths.push(request.url)
    response.end(JSON.stringify({ code: '0', data: { transactionId: '1; touch x', transactionStatus: 'I' } }))
  })
  const env = { TILLBOX_BASE_URL: url, TILLBOX_API_KEY: 'key' }
  const { stderr } = await runCommand('sale --amount 1.00 --no-wait', { env })
  expect(stderr).toContain("Not final yet.\n  check again  tillbox query '1; touch x' --wait 60s")
  expect(stderr).toContain("tillbox abort '1; touch x'")
  expect(paths).toEqual([salePath])
})

test('a path and an id of a remedy are one word each', () => {
  expect(failureOf(new NoSandbox('a b'))?.remedy).toContain("--state 'a b'")
  const lost = asLostAnswer(new Unreachable('http://h', ''), 'sale', { transactionRequestId: '1; x' })
  expect(failureOf(lost)?.remedy).toContain("--transaction-request-id '1; x'")
})

test('a trigger that waits in vain says for what, and how to go on', () => {
  const waits = { what: 'a person at DESK-1', act: 'tillbox terminal pin DESK-1' }
  const status = { transactionId: '1', status: 'PROCESSING', wanted: 'SUCCESS', isFinal: false } as const
  expect(statusNotReached(status, waits).failure).toMatchObject({
    exitCode: 5,
    message: 'Transaction 1 is PROCESSING, not SUCCESS: it waits for a person at DESK-1',
    remedy: 'Go on with it: `tillbox terminal pin DESK-1`',
  })
})
