import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { verifyWebhook } from '../../../src/signature/verify-webhook.ts'
import { runCommand, startCommand } from '../../support/commands/command.ts'
import { fails } from '../../support/commands/launched.ts'
import { startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

const sale = 'sale --amount 10.00'

test('the panel shows where webhooks go', async () => {
  const [own, all] = ['http://127.0.0.1:9/own', 'http://127.0.0.1:9/all']
  const sandbox = startCommand(`sandbox start --port 0 --notify-url ${own} --forward-to ${all}`)
  const shown = await sandbox.until(/Ctrl-C/)
  expect(shown).toMatch(new RegExp(`notify URL +${own}\n +forwards to +${all}\n`))
})

describe('how webhooks are sent', () => {
  test.each([
    [[] as string[], /^[0-9a-f]{64}$/],
    [['--set', 'signatureEncoding=base64'], /^[\w+/]{43}=$/],
  ])('webhooks are sent with %j, to --notify-url or to the URL of the request', async (flags, shape) => {
    const [target, own] = [await openReceiver(), await openReceiver()]
    const sandbox = await startSandboxCommand(['--notify-url', `${target.origin}/all?x=1`, ...flags])
    await sandbox.json(sale)
    await sandbox.json(`${sale} --notify-url ${own.url}`)
    const [post] = await target.got(1)
    await own.got(1)
    expect([target.arrivals.length, own.arrivals.length]).toEqual([1, 1])
    expect([post?.path, own.arrivals[0]?.path]).toEqual(['/all?x=1', '/hook'])
    expect(post?.headers['x-signature']).toMatch(shape)
    const { secret } = await sandbox.json('webhook secret')
    const encoding = flags.length > 0 ? 'base64' : 'hex'
    expect(post && verifyWebhook(post, secret, Date.now(), { encoding })).toEqual({ valid: true })
  })

  const own = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(
      ({ internal, family, address }) => !internal && family === 'IPv4' && !address.startsWith('169.254.'),
    )
  test.skipIf(own === undefined)('a URL of another machine is called only when it is allowed', async () => {
    const [url, host] = [`http://${own?.address}:9/`, own?.address ?? '']
    for (const [flags, reason] of [
      [[], 'allow the host with --allow-webhook-host'],
      [['--allow-webhook-host', '192.0.2.1'], 'allow the host with --allow-webhook-host'],
      [['--allow-webhook-host', '192.0.2.1', '--allow-webhook-host', host], 'nothing listens there'],
    ] as const) {
      const sandbox = await startSandboxCommand(['--retries', 'none', ...flags])
      await sandbox.json(`${sale} --notify-url ${url}`)
      const failed = async () => (await sandbox.json('webhook list --failed')).deliveries[0]?.last
      await expect.poll(failed).toContain(reason)
    }
  })

  test.each([
    [
      ['--retries', 'soon'],
      "--retries soon: it must be 'none', 'fast', 'default', or pauses such as [50, 1000] or '50ms,1s'",
    ],
    [['--set', 'webhookOrder=loose'], 'relaxed or strict or concurrent'],
    [['--set', 'signature=md5'], 'hmac or standard or none'],
    [['--set', 'signatureEncoding=hexx'], 'hex or base64'],
    [['--notify-url', 'localhost:3000'], '--notify-url localhost:3000: it must be a URL'],
    [['--forward-to', 'localhost:3000'], '--forward-to localhost:3000: it must be a URL'],
    [['--forward-to', 'http://192.0.2.2:8614/f'], 'Allow the host with --allow-webhook-host'],
    [
      ['--notify-url', 'http://192.0.2.2/a'],
      '192.0.2.2/a cannot be called: 192.0.2.2 is not on this machine',
    ],
    [['--notify-url', 'http://[2001:db8::1]/a'], '2001:db8::1 is not on this machine'],
    [['--notify-url', 'http://2852039166/'], '169.254.169.254 is link-local or a metadata address'],
    [['--allow-webhook-host', '169.254.169.254'], 'which is never called'],
    [['--allow-webhook-host', '[fe80::1]'], 'which is never called'],
    [['--allow-webhook-host', 'http://foo/'], '--allow-webhook-host: http://foo/ is not a host'],
    [['--allow-webhook-host', 'foo:8080'], 'foo:8080 is not a host'],
    [['--allow-webhook-host', 'a b'], 'a b is not a host'],
    [['--allow-webhook-host', '*.example.com'], 'is not a host'],
    [['--allow-webhook-host', ''], 'must not be empty'],
  ])('%j is wrong usage', async (flags, message) => {
    const { stdout, stderr } = await fails(
      runCommand(['sandbox', 'start', '--port', '0', ...flags]),
      2,
      message,
    )
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^ +do +\S/m)
  })

  test('a name is not looked up at the start, an address that is allowed may be any', async () => {
    const allowed = ['192.0.2.2', '[2001:DB8::1]', 'SHOP.example'].flatMap((host) => [
      '--allow-webhook-host',
      host,
    ])
    for (const url of [
      'http://192.0.2.2/a',
      'http://[2001:db8::1]/',
      'http://shop.example/',
      'http://other.example/',
    ]) {
      const sandbox = await startSandboxCommand(['--notify-url', url, '--forward-to', url, ...allowed])
      await sandbox.stop()
    }
  })
})

test.each([
  ['sign', ['lower-case hex', 'X-Timestamp is not', 'webhook-id.webhook-timestamp.body']],
  ['verify', ['lower-case hex', 'X-Timestamp is not', 'webhook-id.webhook-timestamp.body']],
  ['secret', ['HMAC-SHA256 of the raw body']],
  ['receive', ['HMAC-SHA256 of the raw body']],
])('help of webhook %s explains how to check a signature', async (name, phrases) => {
  const { stdout } = await runCommand(`webhook ${name} --help`)
  const text = stdout.replace(/\s+/g, ' ')
  for (const each of [...phrases, 'whsec_ included']) expect(text).toContain(each)
})
