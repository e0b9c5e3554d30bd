import { expect, test } from 'vitest'
import { startSandboxCommand } from '../../support/commands/running-sandbox.ts'

test.each<[string[], string, string]>([
  [['sale', '--amount', '10.00', '--reference-order-id', 'x'], 'referenceOrderId', '--reference-order-id'],
  [['sale', '--amount', '0'], 'amount.orderAmount', '--amount'],
  [['sale', '--amount', '5.00', '--client-request-id', 'x y'], 'X-Client-Request-Id', '--client-request-id'],
  [['sandbox', 'clock', '--set', 'tomorrow'], 'time', '--set'],
  [['sandbox', 'clock', '--advance', '99999d'], 'milliseconds', '--advance'],
  [['batch', 'list', '--start-time', 'x'], 'startTime', '--start-time'],
  [['batch', 'close', '--yes', '--terminal', 'TBX-SLOW-001'], 'terminalSn', '--terminal'],
  [['batch', 'close', '--yes', '--channel-code', 'NONE'], 'channelCode', '--channel-code'],
  [['sale', '--amount', '1.00', '--terminal', 'NONE'], 'terminalSn', '--terminal'],
  [['webhook', 'resend', 'x'], 'id', '<id>'],
  [['webhook', 'fault', '--delay', '1s..9999d'], 'delayMs.1', '--delay'],
  [['webhook', 'secret', '--rotate', '--grace', '9999d'], 'graceMs', '--grace'],
  [['webhook', 'send', '7'], 'transactionId', '<transaction-id>'],
  [['webhook', 'show', 'x'], 'id', '<id>'],
  [['checkout', 'pay', 'x'], 'sessionId', '<session-id>'],
  [
    ['checkout', 'create', '--amount', '1.00', '--set', 'productList=[{"num":1}]'],
    'productList',
    '--set productList[0].name',
  ],
  [['refund', 'x', '--amount', '1.00'], 'transactionId', '<transaction-id>'],
  [['terminal', 'tip', 'TBX-ATTENDED-001', '--amount', '1.00'], 'transactionId', '<serial>'],
  [['terminal', 'sign', 'TBX-ATTENDED-001', '--transaction', '1'], 'transactionId', '--transaction'],
  [['space', 'show', 'nope'], 'space', '<name>'],
  [['space', 'remove', 'nope', '--yes'], 'space', '<name>'],
])('the refusal of %j names %s as %s', async (args, field, typed) => {
  const sandbox = await startSandboxCommand()
  const { code, stdout, stderr } = await sandbox.run([...args, '--json'])
  const { error } = JSON.parse(stdout)
  expect(code).toBe(['C17', 'SBX_REQ_ID_FORM'].includes(error.code) ? 2 : 1)
  expect(error).toMatchObject({ typed, field: expect.stringContaining(field.split('.')[0] as string) })
  expect(stderr.split('\n').map((line) => line.trim().split(/ +/).join(' '))).toContain(`field ${typed}`)
  if (error.code !== 'C17') return
  expect(error.message.startsWith(`${typed} `)).toBe(true)
  expect(error.remedy).toContain(typed)
})
