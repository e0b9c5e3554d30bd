import { expect } from 'vitest'
import { leftByKill, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'

const sale = 'sale --amount 10.00 --no-wait'

test('a sale whose answer is lost is found by its id; log, list and remedy show the fault, its amount as typed and how long it holds', async () => {
  const sandbox = await startSandboxCommand()
  const on = /^Fault f1 is on: lost-answer for sale, once\.\nRemove it: tillbox sandbox fault --clear f1\n$/
  await sandbox.prints('sandbox fault lost-answer --operation sale', on)
  await sandbox.fails(`${sale} --transaction-request-id LOST-1`, 3, 'may have been carried out')
  const found = await sandbox.json('query --transaction-request-id LOST-1')
  expect(found.transactionStatus).toBe('S')
  await sandbox.prints('logs tail --no-follow --operation sale', 'injected: lost-answer')
  const { traceId } = await sandbox.json('logs tail --no-follow --operation sale')
  const fault = /fault +injected: lost-answer; the answer is the one without it/
  await sandbox.prints(`logs show ${traceId}`, fault, found.transactionId)
  expect((await sandbox.run(sale)).code).toBe(0)
  await sandbox.prints('sandbox fault', /f1 +lost-answer +sale +once +1 +used-up/)
  await sandbox.json('sandbox fault http-429=3 --operation sale')
  const { error } = await sandbox.json(`${sale} --transaction-request-id BUSY-1`, 1)
  expect(error.remedy).toMatch(/^Try again in 3 s\. /)
  expect(error.transactionRequestId).toBe('BUSY-1')
  await sandbox.json('sandbox fault lost-request --operation sale')
  await sandbox.fails(`${sale} --transaction-request-id LOST-2`, 3, 'query --transaction-request-id LOST-2')
  const sendAgain = 'it was not carried out: send it again with the same id'
  await sandbox.fails('query --transaction-request-id LOST-2', 1, sendAgain)
  await sandbox.prints('sandbox fault empty --amount 7.77', 'of amount 7.77 (777 minor units), once')
  await sandbox.json('sandbox clock --set 2026-11-20T12:00:00Z')
  await sandbox.json('sandbox clock --freeze')
  const { now } = await sandbox.json('sandbox clock')
  const { until, times } = await sandbox.json('sandbox fault empty --until 10m')
  expect([Date.parse(until) - Date.parse(now), times]).toEqual([600_000, null])
})

test('faults are set, listed and cleared, survive a restart, and appear in the panels', async () => {
  const sandbox = await startSandboxCommand()
  expect((await sandbox.run('sandbox fault')).stdout).toBe('No fault is injected.\n')
  const flags = '--operation sale --terminal TBX-AUTO-001 --merchant M1000000001 --amount 10.00'
  const often = '--times 3 --share 0.2 --seed 7 --from 2026-01-01T00:00:00Z --until 2100-01-01T00:00:00Z'
  const set = await sandbox.json(['sandbox', 'fault', 'http-503=2', ...`${flags} ${often}`.split(' ')])
  expect(set).toEqual({
    ...{ id: 'f1', kind: 'http-503=2', state: 'on', used: 0 },
    ...{ operation: 'sale', terminalSn: 'TBX-AUTO-001', merchantId: 'M1000000001', amount: 1000 },
    ...{ times: 3, share: 0.2, seed: 7 },
    ...{ from: '2026-01-01T00:00:00.000Z', until: '2100-01-01T00:00:00.000Z' },
  })
  const endless = await sandbox.json('sandbox fault latency=5 --always')
  expect(endless).toMatchObject({ id: 'f2', times: null })
  const again = await startSandboxCommand([], leftByKill(sandbox))
  expect(await again.json('sandbox fault')).toEqual({ faults: [set, endless] })
  const text = /faults +http-503=2 20 % for sale at TBX-AUTO-001 of merchant M1000000001/
  await again.prints('sandbox status', text)
  expect(await again.json('sandbox fault --clear f1')).toEqual({ faults: [endless] })
  expect(await again.json('sandbox fault --clear')).toEqual({ faults: [] })
  expect((await again.run('sandbox status')).stdout).not.toContain('faults')
  await again.json('sandbox fault reset')
  await again.json('sandbox fault stale --times 2')
  await again.prints('sandbox fault --clear f3', /^Cleared f3 \(reset\)\.\n[\s\S]*\bf4 +stale\b/)
  await again.prints('sandbox fault --clear', /^Cleared f4 \(stale\)\.\nNo fault is injected\.\n$/)
  await again.prints('sandbox fault --clear', /^No fault is injected\.\n$/)
})
