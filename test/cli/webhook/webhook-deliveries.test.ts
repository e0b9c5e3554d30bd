import { expect } from 'vitest'
import { timeText } from '../../../src/cli/output/render-time.ts'
import { verifyWebhook } from '../../../src/contract/signature/verify-webhook.ts'
import type { AnyJson } from '../../support/any-json.ts'
import { parseNdjson, prints } from '../../support/commands/launched.ts'
import { type LaunchedSandbox, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'
import { listening } from '../listening.ts'

const sale = 'sale --amount 10.00'

/** Deliveries once so many are in that state. */
async function deliveries(sandbox: LaunchedSandbox, state: string, count: number) {
  const list = async (): Promise<AnyJson[]> => (await sandbox.json('webhook list')).deliveries
  await expect.poll(async () => (await list()).filter((each) => each.state === state)).toHaveLength(count)
  return list()
}

/** A sandbox that gives up at once, with a webhook that was taken and one that was not. */
async function oneOfEach() {
  const target = await openReceiver()
  const sandbox = await startSandboxCommand(`--notify-url ${target.url} --retries none`)
  const taken = await sandbox.json(sale)
  await deliveries(sandbox, 'delivered', 1)
  target.answer((_, response) => response.writeHead(503).end('{}'))
  const lost = await sandbox.json(sale)
  const [second, first] = await deliveries(sandbox, 'failed', 1)
  target.answer(200)
  return { target, sandbox, taken, lost, first, second }
}

test('webhook list filters, as JSON and for people; webhook show has every attempt in full', async () => {
  const { sandbox, taken, lost, first, second, target } = await oneOfEach()
  expect(first).toMatchObject({ transactionId: taken.transactionId, state: 'delivered', last: 200 })
  expect(second).toMatchObject({ transactionId: lost.transactionId, state: 'failed', last: 503, attempts: 1 })
  const list = async (...flags: string[]) =>
    (await sandbox.json(['webhook', 'list', ...flags])).deliveries.map(({ id }: { id: string }) => id)
  expect(await list('--failed')).toEqual([second.id])
  expect(await list('--pending')).toEqual([])
  expect(await list('--transaction', taken.transactionId)).toEqual([first.id])
  expect(await list('--since', second.createdAt)).toEqual([second.id])
  expect(await list('--since', '1d')).toEqual([second.id, first.id])
  expect(await list('--limit', '1')).toEqual([second.id])
  const shown = await prints(sandbox.run('webhook list'))
  const rows = shown.split('\n').map((line) => line.trim().split(/ {2,}/))
  for (const [mark, { transactionId }, { id, url, createdAt }, result] of [
    ['✓', taken, first, '200'],
    ['✗', lost, second, '503'],
  ] as const) {
    const time = timeText(createdAt).replace(' UTC', '')
    const cells = [mark, time, 'sale approved 10.00 USD', result, '1', url, transactionId, id]
    expect(rows).toContainEqual(cells)
  }
  await sandbox.prints('webhook list --pending', /^No webhook matches/)
  const { deliveries: found } = await sandbox.json(`webhook show ${second.id}`)
  const answer = { status: 503, responseBody: '{}', error: null, url: target.url }
  const requestHeaders = { 'X-Client-Request-Id': second.id }
  const attempt = { ...answer, requestBody: target.arrivals[1]?.body, requestHeaders }
  expect(found).toMatchObject([{ tries: [attempt] }])
  expect((await sandbox.json('webhook show @last')).deliveries).toContainEqual(found[0])
  const texts = ['attempt 1', 'HTTP 503', `POST ${target.url}`, 'X-Signature: ', second.id]
  await sandbox.prints(`webhook show ${second.id}`, ...texts)
})

test('an empty webhook list says how to get one; --set accepts exactly the members of notifications', async () => {
  const sandbox = await startSandboxCommand()
  await sandbox.prints('webhook list', '--notify-url')
  expect(await sandbox.json('webhook list')).toEqual({ deliveries: [] })
  const target = await openReceiver()
  const { transactionId } = await sandbox.json(sale)
  for (const [type, set] of [
    ['payment', 'attach=x'],
    ['terminal', 'eventType=x'],
  ] as const) {
    const send = ['webhook', 'send', transactionId, '--type', type, '--to', target.url]
    const { requestBody } = await sandbox.json(send)
    const { test: _, ...members } = JSON.parse(requestBody)
    const each = Object.keys(members).flatMap((name) => ['--set', `${name}=x`])
    expect(await sandbox.json([...send, ...each])).toMatchObject({ status: 200 })
    expect((await sandbox.run([...send, '--set', set])).code).toBe(0)
  }
})

test('webhooks are resent by id, transaction, failed, since, all, to another URL, and with another body byte for byte, once', async () => {
  const { sandbox, target, first, second, taken } = await oneOfEach()
  const resend = async (...args: string[]) => (await sandbox.json(['webhook', 'resend', ...args])).resent
  expect(await resend(first.id)).toEqual([first.id])
  expect((await target.got(3))[2]).toMatchObject({ id: first.id, body: target.arrivals[0]?.body })
  expect(await resend('--failed')).toEqual([second.id])
  await deliveries(sandbox, 'failed', 0)
  expect(await resend('--failed')).toEqual([])
  expect(await resend(taken.transactionId, '@last')).toEqual([first.id, second.id])
  const other = await openReceiver()
  expect(await resend(first.id, second.id, '--to', other.url)).toEqual([first.id, second.id])
  await other.got(2)
  expect(other.arrivals.map(({ path }) => path)).toEqual(['/hook', '/hook'])
  expect(await resend('--since', second.createdAt)).toContain(second.id)
  expect(new Set(await resend('--all'))).toEqual(new Set([first.id, second.id]))
  await sandbox.prints(
    `webhook resend ${first.id}`,
    /^2 deliveries of 1 webhook, one to each URL, are resent; tillbox webhook list shows the result\.\n$/,
  )
  const third = await openReceiver()
  const body = '{ "edited": 1.00 }'
  const sent = await sandbox.json(['webhook', 'resend', first.id, '--body', body, '--to', third.url])
  expect(sent).toMatchObject({ status: 200, requestBody: body })
  expect(third.arrivals).toMatchObject([{ path: '/hook', body, id: first.id }])
  const lost = await sandbox.run(`webhook resend ${first.id} --body x --to localhost:1`)
  expect(lost).toMatchObject({ code: 4, stdout: expect.stringContaining('nothing listens there') })
})

test('a resend of forwarded notifications goes through listen, and waits until it is connected', async () => {
  const target = await openReceiver()
  const sandbox = await startSandboxCommand()
  const { url } = target
  const listener = await listening(sandbox, url, '--events', 'payment')
  await sandbox.json(`${sale} --wait-webhooks`)
  const [{ id, createdAt }] = await deliveries(sandbox, 'delivered', 1)
  const resend = ['webhook', 'resend', '--since', createdAt]
  expect(await sandbox.json([...resend, '--wait-webhooks'])).toEqual({ resent: [id] })
  expect(target.arrivals).toMatchObject([{ id }, { id, body: target.arrivals[0]?.body }])
  expect(await deliveries(sandbox, 'delivered', 1)).toMatchObject([{ attempts: 1, last: 200 }])
  await listener.stop('SIGINT')
  expect(await sandbox.json(resend)).toEqual({ resent: [id] })
  await deliveries(sandbox, 'pending', 1)
  expect(await sandbox.json('webhook wait --delivered')).toMatchObject({ pendingCount: 0 })
  expect(target.arrivals).toHaveLength(2)
  const again = await listening(sandbox, url, '--events', 'payment')
  await deliveries(sandbox, 'delivered', 1)
  expect(target.arrivals).toHaveLength(3)
  await again.stop('SIGINT')
  await sandbox.json(`webhook resend ${id} --to ${url} --wait-webhooks`)
  expect(target.arrivals).toHaveLength(4)
})

test('a transaction without a webhook is told with the command that sends one', async ({ sandbox }) => {
  const { transactionId } = await sandbox.json(sale)
  const { url } = await openReceiver()
  for (const verb of ['show', 'resend']) {
    const { stderr } = await sandbox.fails(`webhook ${verb} ${transactionId}`, 1, 'has no webhook')
    const [, send = ''] = /Send one: tillbox (.*) <url>$/m.exec(stderr) ?? []
    expect(await sandbox.json(`${send} ${url}`)).toMatchObject({ status: 200 })
  }
})

test('webhook resend of what was only heard needs --to', async () => {
  const sandbox = await startSandboxCommand()
  const listener = await listening(sandbox, '--json')
  await sandbox.json(sale)
  await listener.until(/TRANSACTION_ENDED/)
  const [{ id }] = parseNdjson(listener.output().stdout)
  await sandbox.fails(['webhook', 'resend', id], 2, '--to is required')
})

test('webhook send edits members by type, signs, marks a test, and exits with 0 or 4; a terminal event needs --to', async () => {
  const { sandbox, target, taken } = await oneOfEach()
  const add = ['a=1', 'b=true', 'c=null', 'd=007', 'e=x=y', 'f=']
  const edits = ['--set', 'transactionStatus=F', ...add.flatMap((each) => ['--add', each])]
  const send = ['webhook', 'send', taken.transactionId, ...edits]
  expect(await sandbox.json(send)).toMatchObject({ status: 200, error: null })
  const [, , post] = await target.got(3)
  const { secret } = await sandbox.json('webhook secret')
  expect(post && verifyWebhook(post, secret, Date.now())).toEqual({ valid: true })
  const members = { transactionStatus: 'F', a: 1, b: true, c: null, d: '007', e: 'x=y', f: '', test: true }
  expect(post?.json).toMatchObject({ transactionId: taken.transactionId, ...members })
  target.answer(500)
  expect(await sandbox.json(send, 4)).toMatchObject({ status: 500 })
  const failed = { code: 4, stdout: expect.stringContaining('HTTP 500') }
  expect(await sandbox.run(send)).toMatchObject(failed)
  const other = await openReceiver()
  const sendEvent = ['webhook', 'send', taken.transactionId, '--type', 'terminal']
  await sandbox.json([...sendEvent, '--to', other.url])
  expect(other.arrivals).toMatchObject([{ json: { eventType: 'TRANSACTION_ENDED', test: true } }])
  const refused = await sandbox.json(sendEvent, 2)
  expect(refused.error).toMatchObject({ field: 'to', typed: '--to' })
  await other.close()
  const { error, status } = await sandbox.json([...sendEvent, '--to', other.url], 4)
  expect([error, status]).toEqual(['nothing listens there', null])
})
