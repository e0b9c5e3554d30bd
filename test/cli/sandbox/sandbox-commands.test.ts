import { expect } from 'vitest'
import { startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

const sale = 'sale --amount 10.00'

test('status shows the URL, the key, what is stored, and the terminals of its own application alone', async () => {
  const sandbox = await startSandboxCommand()
  await sandbox.json(sale)
  await sandbox.json('sale --amount 98.23', 4)
  const status = await sandbox.json('sandbox status')
  const { url, port, pid, appId, merchantId, state } = sandbox
  expect(status).toMatchObject({
    ...{ url, port, pid, appId, merchantId, state, health: { status: 'ok', pid } },
    ...{ apiKey: 'tbx_sandbox_…4d08', runs: 'foreground', logFile: null },
    stored: { transactions: 2, byStatus: { SUCCESS: 1, FAIL: 1 }, openBatches: 1 },
    clock: { frozen: false },
  })
  const facts = [url, 'tbx_sandbox_…4d08', String(pid), state, ...sandbox.terminals]
  const counted = ['2   1 approved, 1 declined', /in the foreground, up \d+ s, version \d/]
  expect(await sandbox.prints('sandbox status', ...facts, ...counted)).not.toContain(sandbox.apiKey)
  const { envelope } = await sandbox.send('GET', '/_sandbox/terminals')
  expect(envelope.data.terminals.length).toBeGreaterThan(sandbox.terminals.length)
  const { terminals } = await sandbox.json('sandbox status')
  expect(terminals.map(({ terminalSn }: { terminalSn: string }) => terminalSn)).toEqual(sandbox.terminals)
})

test('sandbox status names --like-production and which of its settings were changed', async () => {
  const plain = await startSandboxCommand()
  expect(await plain.prints('sandbox status')).not.toContain('preset')
  const like = await startSandboxCommand('--like-production --set terminals=open')
  const preset = 'like-production, but terminals open'
  expect(await like.json('sandbox status')).toMatchObject({ preset })
  await like.prints('sandbox status', new RegExp(`preset +${preset}\n`))
})

test('status shows where webhooks go, and how many are pending', async () => {
  const plain = await startSandboxCommand()
  expect(await plain.json('sandbox status')).toMatchObject({ notifyUrl: null, forwardTo: null })
  expect(await plain.prints('sandbox status')).not.toMatch(/notify URL|forwards to/)
  const closedReceiver = await openReceiver()
  await closedReceiver.close()
  const [notifyUrl, forwardTo] = ['http://joe:hidden@127.0.0.1:9/own', `${closedReceiver.origin}/all`]
  const sandbox = await startSandboxCommand(`--notify-url ${notifyUrl} --forward-to ${forwardTo}`)
  expect(sandbox).toMatchObject({ notifyUrl, forwardTo })
  const waiting = async () => {
    const status = await sandbox.json('sandbox status')
    expect(status).toMatchObject({ notifyUrl, forwardTo })
    return status.stored.webhooks.pending
  }
  expect(await waiting()).toBe(0)
  for (const _ of ['once', 'twice']) await sandbox.json(sale)
  await expect.poll(waiting).toBe(12) // 2 of them to the notify URL
  const texts = [/notify URL +http:\/\/\*{3}@127\.0\.0\.1:9\/own\n/, /forwards to +http:\S+\/all\n/]
  await sandbox.prints('sandbox status', ...texts)
  const back = await openReceiver(200, closedReceiver.port)
  await back.got(10)
  await expect.poll(waiting).toBe(2)
})

test('status shows queued outcomes, faults, and webhooks that wait or failed', async () => {
  const sandbox = await startSandboxCommand('--retries 1h')
  const [dead, other] = ['http://127.0.0.1:9/a', 'http://127.0.0.1:9/b']
  await sandbox.json(`${sale} --notify-url ${dead}`)
  await sandbox.json('sandbox fault drop --share 1')
  await sandbox.json(`${sale} --notify-url ${other}`)
  await sandbox.json('terminal queue TBX-SLOW-001 expired-card --times 2')
  const status = () => sandbox.json('sandbox status')
  const webhooks = { pending: 1, delivered: 0, failed: 1 }
  await expect.poll(status).toMatchObject({ stored: { webhooks }, faults: [{ kind: 'drop', share: 1 }] })
  await sandbox.prints(
    'sandbox status',
    /webhooks +1 pending, 1 failed, 0 delivered +see tillbox webhook list/,
    /faults +drop 100 % +turn them off: tillbox sandbox fault --clear/,
    /TBX-SLOW-001 .*next: expired-card ×2; shows each screen for 2 seconds/,
  )
})

test('--set, --freeze, --resume and --reset change the clock, and headers keep the wall clock', async () => {
  const sandbox = await startSandboxCommand()
  const set = await sandbox.json('sandbox clock --set 2030-01-31T12:00:00Z')
  expect(set).toMatchObject({ now: expect.stringMatching(/^2030-01-31T12:00:/), frozen: false })
  const frozen = await sandbox.json('sandbox clock --freeze')
  const advanced = await sandbox.json('sandbox clock --advance 2h')
  expect(Date.parse(advanced.now) - Date.parse(frozen.now)).toBe(7_200_000)
  expect([frozen.frozen, advanced.frozen]).toEqual([true, true])
  await sandbox.prints('sandbox clock', 'frozen')
  expect((await sandbox.json('sandbox clock --resume')).frozen).toBe(false)
  expect(await sandbox.json('sandbox clock --reset')).toMatchObject({ offsetMs: 0, frozen: false })
  await sandbox.prints('sandbox clock', 'in step with the wall clock')
})
