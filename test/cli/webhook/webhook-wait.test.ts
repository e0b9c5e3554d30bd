import { describe, expect } from 'vitest'
import { fails } from '../../support/commands/launched.ts'
import { startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

const sale = 'sale --amount 10.00'

describe('webhook wait', () => {
  test('wait ends when --count matching deliveries are acknowledged, before or after its start', async () => {
    const target = await openReceiver()
    const sandbox = await startSandboxCommand(`--notify-url ${target.url}`)
    const waiting = sandbox.json('webhook wait --event payment --type sale --count 2')
    const { transactionId } = await sandbox.json(sale)
    await sandbox.json(sale)
    expect(await waiting).toMatchObject({ reached: true, acknowledgedCount: 2 })
    const one = await sandbox.run(`webhook wait --transaction ${transactionId} --status approved`)
    expect(one).toMatchObject({ code: 0, stderr: '' })
    expect(one.stdout).toContain('sale approved 10.00 USD')
    const several = `webhook wait --transaction ${transactionId} --status declined,approved`
    expect(await sandbox.json(several)).toMatchObject({ reached: true, acknowledgedCount: 1 })
    const pending = 'webhook wait --status pending --timeout 100ms'
    expect(await sandbox.json(pending, 5)).toMatchObject({ reached: false, acknowledgedCount: 0 })
    await fails(sandbox.run('webhook wait --status approved,aproved'), 2, 'Did you mean approved?')
  })

  test('wait ends with 5 at the timeout, and says what is missing', async () => {
    const target = await openReceiver()
    target.answer(500)
    const sandbox = await startSandboxCommand(`--notify-url ${target.url}`)
    const { transactionId } = await sandbox.json(sale)
    const { stdout, stderr } = await fails(
      sandbox.run('webhook wait --timeout 300ms'),
      5,
      `transaction ${transactionId} → ${target.url}`,
    )
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^0 of 1 acknowledged within 300ms\.\n/)
    expect(stderr).toMatch(/500 after 1 try, next \d{4}-.* \(sandbox clock\)/)
  })

  test('a wait does not delay a stop of the sandbox', async ({ sandbox }) => {
    const waiting = sandbox.run('webhook wait --timeout 10m')
    await expect.poll(async () => (await sandbox.json('sandbox status')) !== undefined).toBe(true)
    await sandbox.stop('SIGTERM')
    expect([3, 5]).toContain((await waiting).code)
  })
})

describe('--wait-webhooks', () => {
  test('--wait-webhooks waits for retries that an advance of the clock makes due', async () => {
    const target = await openReceiver()
    target.answer(500)
    const sandbox = await startSandboxCommand(`--notify-url ${target.url} --retries 1h`)
    const failed = await fails(
      sandbox.run(`${sale} --wait-webhooks --wait-webhooks-timeout 200ms --json`),
      5,
      'Webhooks are not delivered within 200ms.\n',
    )
    expect(JSON.parse(failed.stdout).transactionStatus).toBe('S')
    target.answer(200)
    await sandbox.json('sandbox clock --advance 1h --wait-webhooks')
    expect((await sandbox.json('webhook list')).deliveries).toMatchObject([{ state: 'delivered' }])
  })

  test('--wait-webhooks keeps the exit code of a declined payment', async () => {
    const target = await openReceiver()
    const sandbox = await startSandboxCommand(`--notify-url ${target.url}`)
    await sandbox.json(`${sale} --outcome do-not-honor --wait-webhooks`, 4)
    expect(target.arrivals).toHaveLength(1)
  })

  test('--wait-webhooks of a reset waits first, and deletes nothing when the wait fails', async () => {
    const target = await openReceiver()
    target.answer(500)
    const sandbox = await startSandboxCommand(`--notify-url ${target.url}`)
    await sandbox.json(sale)
    const reset = 'sandbox reset --yes --wait-webhooks --wait-webhooks-timeout 100ms'
    expect(await sandbox.json(reset, 5)).toMatchObject({ status: 'kept', transactions: 1 })
    target.answer(200)
    await sandbox.json('sandbox clock --advance 5s')
    expect(await sandbox.json(reset)).toMatchObject({ status: 'reset' })
  })

  test.each([
    [['trigger', 'sale-approved']],
    [['checkout', 'cancel', 'cs_none'], 1],
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

  test('--wait-webhooks of a test notification of @last waits for that transaction', async () => {
    const target = await openReceiver()
    const sandbox = await startSandboxCommand(`--notify-url ${target.url}`)
    await sandbox.json(`${sale} --wait-webhooks`)
    await sandbox.json('webhook send @last --wait-webhooks --wait-webhooks-timeout 5s')
    expect(target.arrivals).toHaveLength(2)
  })
})
