import { expect } from 'vitest'
import { runCommand } from '../../support/commands/command.ts'
import { fails } from '../../support/commands/launched.ts'
import { startAgain, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { openHolding } from '../../support/webhooks/holding-receiver.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'
import { listening } from '../listening.ts'

const sale = 'sale --amount 10.00'

test('webhook wait ends when --count matching deliveries are acknowledged, before or after its start', async () => {
  const target = await openReceiver()
  const sandbox = await startSandboxCommand(`--notify-url ${target.url}`)
  const waiting = sandbox.json('webhook wait --event payment --type sale --count 2')
  const { transactionId } = await sandbox.json(sale)
  await sandbox.json(sale)
  expect(await waiting).toMatchObject({ reached: true, acknowledgedCount: 2 })
  const text = 'sale approved 10.00 USD'
  await sandbox.prints(`webhook wait --transaction ${transactionId} --status approved`, text)
  const several = `webhook wait --transaction ${transactionId} --status declined,approved`
  expect(await sandbox.json(several)).toMatchObject({ reached: true, acknowledgedCount: 1 })
  const pending = 'webhook wait --status pending --timeout 100ms'
  expect(await sandbox.json(pending, 5)).toMatchObject({ reached: false, acknowledgedCount: 0 })
})

test('webhook wait ends with 5 at the timeout, and says what is missing', async () => {
  const target = await openReceiver()
  target.answer(500)
  const sandbox = await startSandboxCommand(`--notify-url ${target.url}`)
  const { transactionId } = await sandbox.json(sale)
  const missing = [/^0 of 1 acknowledged within 300ms\.\n/, `transaction ${transactionId} → ${target.url}`]
  const next = /500 after 1 try, next \d{4}-.* \(sandbox clock\)/
  const { stdout } = await sandbox.fails('webhook wait --timeout 300ms', 5, ...missing, next)
  expect(stdout).toBe('')
})

test('a webhook wait does not delay a stop of the sandbox', async ({ sandbox }) => {
  const waiting = sandbox.run('webhook wait --timeout 10m')
  await expect.poll(async () => (await sandbox.json('sandbox status')) !== undefined).toBe(true)
  await sandbox.stop('SIGTERM')
  expect([3, 5]).toContain((await waiting).code)
})

test('--wait-webhooks waits for retries that an advance of the clock makes due', async () => {
  const target = await openReceiver()
  target.answer(500)
  const sandbox = await startSandboxCommand(`--notify-url ${target.url} --retries 1h`)
  const text = 'Webhooks are not delivered within 200ms.\n'
  const failed = await sandbox.fails(`${sale} --wait-webhooks --wait 200ms --json`, 5, text)
  expect(JSON.parse(failed.stdout).transactionStatus).toBe('S')
  target.answer(200)
  await sandbox.json('sandbox clock --advance 1h --wait-webhooks')
  expect((await sandbox.json('webhook list')).deliveries).toMatchObject([{ state: 'delivered' }])
})

test('--wait-webhooks keeps the exit code of a declined payment, and for a test notification of @last waits for that transaction', async () => {
  const target = await openReceiver()
  const sandbox = await startSandboxCommand(`--notify-url ${target.url}`)
  await sandbox.json(`${sale} --outcome do-not-honor --wait-webhooks`, 4)
  expect(target.arrivals).toHaveLength(1)
  await sandbox.json(`${sale} --wait-webhooks`)
  await sandbox.json('webhook send @last --wait-webhooks --wait 5s')
  expect(target.arrivals).toHaveLength(3)
})

test('--wait-webhooks says how many were given up: of this payment, or else meanwhile', async () => {
  const target = await openReceiver()
  target.answer(500)
  const sandbox = await startSandboxCommand(`--notify-url ${target.url} --retries 10ms`)
  const given = '1 webhook given up: tillbox webhook list --failed'
  for (let count = 0; count < 2; count++) {
    const { code, stderr } = await sandbox.run(`${sale} --wait-webhooks`)
    expect([code, stderr]).toEqual([0, expect.stringContaining(given)])
  }
  expect((await sandbox.run('sandbox clock --advance 1s --wait-webhooks')).stderr).not.toContain('given up')
})

test('--wait-webhooks of a reset waits first, and deletes nothing when the wait fails', async () => {
  const target = await openReceiver()
  target.answer(500)
  const sandbox = await startSandboxCommand(`--notify-url ${target.url}`)
  await sandbox.json(sale)
  const reset = 'sandbox reset --yes --wait-webhooks --wait 100ms'
  expect(await sandbox.json(reset, 5)).toMatchObject({ status: 'kept', transactions: 1 })
  target.answer(200)
  await sandbox.json('sandbox clock --advance 5s')
  expect(await sandbox.json(reset)).toMatchObject({ status: 'reset' })
})

test.each([
  [['trigger', 'sale-approved']],
  [['terminal', 'present', 'TBX-ATTENDED-001', '--card', 'visa-contactless']],
  [['batch', 'close', '--yes']],
])('--wait-webhooks is a flag of %j', async (args, code = 0) => {
  const target = await openReceiver()
  const sandbox = await startSandboxCommand(`--notify-url ${target.url}`)
  if (args[0] === 'terminal') await sandbox.json(`${sale} --terminal TBX-ATTENDED-001 --no-wait`)
  if (args[0] === 'batch') await sandbox.json(sale)
  const { code: ended, stderr } = await sandbox.run([...args, '--wait-webhooks', '--json'])
  expect(ended, stderr).toBe(code)
  if (code === 0) expect(target.arrivals).toHaveLength(1)
})

test('webhooks are held, listed, released by name and all at once', async () => {
  const receiver = await openReceiver()
  const sandbox = await startSandboxCommand(`--notify-url ${receiver.url}`)
  const { run, json } = sandbox
  await sandbox.prints('webhook hold', /^Webhooks are held back\. tillbox webhook release sends them\.\n$/)
  await json(`${sale} --wait-webhooks`)
  expect((await run(`${sale} --wait-webhooks`)).stderr).toContain('held back (1)')
  await sandbox.prints('webhook hold', '2 deliveries are held.')
  expect((await sandbox.prints('webhook list')).match(/ held /g)).toHaveLength(2)
  await sandbox.prints('webhook wait --delivered', 'held back (2)')
  const { deliveries } = await json('webhook list')
  const [first, second] = deliveries.map(({ id }: { id: string }) => id)
  await sandbox.prints(`webhook show ${first}`, 'held: tillbox webhook release sends it')
  await sandbox.prints(`webhook release ${second}`, '1 delivery is still held.')
  expect(receiver.arrivals.map(({ id }) => id)).toEqual([second])
  receiver.answer(500)
  expect((await run(`webhook release ${first}`)).code).toBe(4)
  receiver.answer(200)
  const ended = await run('webhook release --wait-webhooks --wait 1ms')
  expect(ended).toMatchObject({ code: 5, stdout: 'Webhooks are sent as usual.\n' })
})

test('an id that is not held is refused by the name of the argument, and so are more ids than one release takes', async () => {
  const { run } = await startSandboxCommand()
  await fails(run('webhook release x'), 2, 'names x, but webhooks are not held')
  const ids = Array.from({ length: 101 }, (_, each) => String(each))
  await fails(runCommand(['webhook', 'release', ...ids]), 2, '101 webhooks are named')
})

test('webhook order is shown and set, survives a restart, and yields to a flag of the start', async () => {
  const sandbox = await startSandboxCommand()
  const shown = async () => (await sandbox.run('webhook order')).stdout
  expect(await shown()).toBe(
    'relaxed  To each URL one after another; later ones go on while a failed one is retried.\n',
  )
  const set = 'webhook order concurrent --concurrency 3'
  expect(await sandbox.json(set)).toMatchObject({ order: 'concurrent', concurrency: 3 })
  expect(await shown()).toBe('concurrent  To each URL at most 3 at the same time, in any order.\n')
  await sandbox.stop()
  const again = await startAgain(sandbox)
  await again.prints('webhook order', 'at most 3 at the same time')
  await again.stop()
  const strict = await startAgain(sandbox, '--set webhookOrder=strict')
  await strict.prints('webhook order', 'wait until a failed one is delivered or given up')
})

test('listen has as many attempts under way at once as the order allows', async () => {
  const target = await openHolding()
  const sandbox = await startSandboxCommand('--set webhookOrder=concurrent --set webhookConcurrency=3')
  await listening(sandbox, target.url, '--events', 'payment')
  for (let each = 0; each < 7; each++) await sandbox.json(sale)
  await target.got(3)
  target.releaseAll()
  await target.got(7)
  expect(target.mostOpen()).toBe(3)
})
