import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { verifyWebhook } from '../../../src/contract/signature/verify-webhook.ts'
import type { StartedCommand } from '../../support/commands/command.ts'
import { fails, parseNdjson, untilStderr } from '../../support/commands/launched.ts'
import { startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'
import { listening } from '../listening.ts'

const sale = ['sale', '--amount', '10.00']
const saleEvents = ['ORDER_RECEIVED', 'PAYMENT_PRESENTED', 'PAYMENT_PROCESSING', null, 'TRANSACTION_ENDED']

test('listen forwards byte for byte, with path, query, signature and added headers', async () => {
  const target = await openReceiver()
  const sandbox = await startSandboxCommand()
  const to = `${target.origin}/deep/hook?shop=1&x=%20y`
  const headers = ['--header', 'X-Shop: café', '--header', 'X-Two:b:c']
  const listener = await listening(sandbox, '--json', '--forward-to', to, ...headers)
  await sandbox.json([...sale, '--set', 'description=Caffè ☕ "zwei"'])
  const arrivals = await target.got(saleEvents.length)
  await expect.poll(() => parseNdjson(listener.output().stdout).length).toBe(saleEvents.length)
  const notifications = parseNdjson(listener.output().stdout)
  const { secret } = await sandbox.json('webhook secret')
  for (const [index, arrival] of arrivals.entries()) {
    const { body, headers, forwarded } = notifications[index]
    const sent = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    const added = { 'x-shop': 'café', 'x-two': 'b:c' }
    const path = '/deep/hook?shop=1&x=%20y'
    expect(arrival).toMatchObject({ path, body, headers: { ...Object.fromEntries(sent), ...added } })
    expect(verifyWebhook(arrival, secret, Date.now())).toEqual({ valid: true })
    expect(forwarded).toMatchObject({ status: 200, error: null })
  }
  expect(notifications.map(({ event }) => event)).toEqual(saleEvents)
  expect((await listener.stop('SIGINT')).code).toBe(0)
})

test('listen sends the same as webhooks do, live and after an absence', async ({ sandbox }) => {
  const target = await openReceiver()
  const urls = ['--notify-url', target.url, '--set', `terminalEventNotifyUrl=${target.url}`]
  const sellAll = async () => {
    for (const more of [
      '--terminal TBX-AUTO-001',
      '--outcome do-not-honor',
      '--terminal TBX-CANCEL-001',
      '--terminal TBX-TIP20-001',
      '--set printReceipt=BOTH',
      '--set cardNetworkType=DEBIT', // with a PIN
    ])
      expect((await sandbox.run([...sale, ...more.split(' '), ...urls])).stderr).toBe('')
  }
  const heard = ({ output }: StartedCommand) =>
    parseNdjson(output().stdout)
      .map(({ id, body }) => [id, body])
      .sort()
  const sent = () => target.arrivals.map(({ headers, body }) => [headers['x-client-request-id'], body])
  const listener = await listening(sandbox, '--json')
  await sellAll()
  await sandbox.json('webhook wait --delivered')
  await expect.poll(() => heard(listener)).toEqual(sent().sort())
  await listener.stop('SIGINT')
  const count = sent().length
  await sellAll()
  await expect.poll(() => sent().length).toBe(2 * count)
  const again = await listening(sandbox, '--json')
  await expect.poll(() => heard(again)).toEqual(sent().slice(count).sort())
})

test('listen shows each answer in a line, and Ctrl-C ends it even when the server is down', async () => {
  const target = await openReceiver()
  target.answer(500)
  const sandbox = await startSandboxCommand()
  const listener = await listening(sandbox, target.url, '--events', 'payment')
  const { transactionId } = await sandbox.json(sale)
  await listener.until(/\n/)
  expect(listener.output().stdout).toMatch(
    new RegExp(
      `^↻ \\d\\d:\\d\\d:\\d\\dZ sale approved +10.00 USD  500 +\\d+ ms, again in 5 s  :\\d+/hook  ${transactionId}  [0-9a-f-]{36}\\n$`,
    ),
  )
  await target.close()
  await sandbox.json(sale)
  expect(await listener.stop('SIGINT')).toMatchObject({ code: 0, signal: null })
})

test('listen says that a later one forwards to the same URL, and that it goes on once that has ended', async ({
  sandbox,
}) => {
  const target = await openReceiver()
  const first = await listening(sandbox, target.url)
  const second = await listening(sandbox, target.url)
  await untilStderr(first, /a later tillbox listen forwards there/)
  await second.stop('SIGINT')
  await untilStderr(first, /notifications come here again\n/)
  await sandbox.json(sale)
  await first.until(/approved/)
})

test('listen hides the query of its targets', async ({ sandbox }) => {
  const target = await openReceiver()
  const listener = await listening(sandbox, `${target.url}?token=x1y2`, `${target.url}?token=x3y4`)
  await sandbox.json(sale)
  await listener.until(/200.*200/s)
  await target.close()
  await sandbox.json(sale)
  await untilStderr(listener, /notifications wait/)
  await listener.stop('SIGINT')
  const { stdout, stderr } = listener.output()
  expect(target.arrivals.map(({ path }) => path)).toContain('/hook?token=x1y2')
  expect(stderr).toContain('forwarding to')
  expect(`${stdout}${stderr}`).toContain('?***')
  expect(`${stdout}${stderr}`).not.toMatch(/x1y2|x3y4/)
})

test.each([
  [['--events', 'payment'], [null]],
  [['--events', 'terminal'], saleEvents.filter((event) => event !== null)],
  [
    ['--events', 'payment, ORDER_RECEIVED'],
    ['ORDER_RECEIVED', null],
  ],
  [['--events', 'payment', '--terminal', 'TBX-TIP20-001'], [null]],
])('listen with %j shows only matching notifications', async (args, events) => {
  const sandbox = await startSandboxCommand()
  const listener = await listening(sandbox, '--json', ...args)
  await sandbox.json(sale)
  if (args.includes('--terminal')) await sandbox.json([...sale, '--terminal', 'TBX-TIP20-001'])
  await expect.poll(() => parseNdjson(listener.output().stdout).length).toBe(events.length)
  const notifications = parseNdjson(listener.output().stdout)
  expect(notifications.map(({ event }) => event)).toEqual(events)
  if (args.includes('--terminal')) expect(notifications[0].terminalSn).toBe('TBX-TIP20-001')
  expect((await listener.stop('SIGTERM')).code).toBe(0)
})

test('--record writes the notifications as NDJSON', async ({ sandbox }) => {
  const listener = await listening(sandbox, '--record', 'heard.ndjson')
  await sandbox.json(sale)
  await expect.poll(() => listener.output().stdout.match(/\n/g)?.length).toBe(saleEvents.length)
  const recorded = parseNdjson(readFileSync(join(sandbox.cwd, 'heard.ndjson'), 'utf8'))
  expect(recorded.map(({ event }) => event)).toEqual(saleEvents)
  expect(statSync(join(sandbox.cwd, 'heard.ndjson')).mode & 0o777).toBe(0o600)
  for (const each of recorded)
    expect(each).toMatchObject({ at: expect.any(Number), body: expect.any(String), headers: {} })
})

test.skipIf(!existsSync('/dev/full'))('a recording on a full disk is no bug', async ({ sandbox }) => {
  const listener = await listening(sandbox, '--record', '/dev/full')
  await sandbox.json(sale)
  await fails(listener.ended(), 2, 'Cannot write /dev/full: its disk is full', /^ +do +\S/m)
})

test('a target with a self-signed certificate gets a remedy', async ({ sandbox }) => {
  const target = await startSandboxCommand('--https')
  const listener = await listening(sandbox, `${target.url}/hook`)
  await sandbox.json(sale)
  await untilStderr(listener, /NODE_EXTRA_CA_CERTS; notifications wait/)
  await listener.stop('SIGINT')
})

test.each([
  ['TBX-AUTO-01', 'The sandbox has no terminal TBX-AUTO-01 yet: did you mean TBX-AUTO-001?'],
  ['NOPE', 'the names are TBX-'],
])('listen reports that the terminal %s is still unknown, and goes on', async (serial, message) => {
  const sandbox = await startSandboxCommand()
  const listener = await listening(sandbox, '--terminal', serial)
  expect(listener.output().stderr).toContain(message)
  expect((await listener.stop('SIGINT')).code).toBe(0)
})

test('listen that begins on an older state gets no earlier notifications', async ({ sandbox }) => {
  await sandbox.json(sale)
  const listener = await listening(sandbox, '--events', 'payment', '--json')
  const { transactionId } = await sandbox.json(sale)
  await listener.until(/"payment"/)
  expect(parseNdjson(listener.output().stdout)).toMatchObject([{ transactionId }])
})

test('listen says how many were missed, and --from-now skips them', async ({ sandbox }) => {
  const listen = (...flags: string[]) => listening(sandbox, '--json', ...flags)
  await (await listen()).stop('SIGINT')
  await sandbox.json(sale)
  const two = await listen()
  await untilStderr(
    two,
    /^Listening to \S+\n5 notifications were missed meanwhile; those that fit the filters follow\n$/,
  )
  await two.until(/TRANSACTION_ENDED/)
  await two.stop('SIGINT')
  await sandbox.json(sale)
  const three = await listen('--from-now')
  const { transactionId } = await sandbox.json(sale)
  await three.until(/TRANSACTION_ENDED/)
  expect(new Set(parseNdjson(three.output().stdout).map((each) => each.transactionId))).toEqual(
    new Set([transactionId]),
  )
  expect((await three.stop('SIGINT')).stderr).not.toContain('missed')
})
