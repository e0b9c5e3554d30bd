import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { verifyWebhook } from '../../../src/signature/verify-webhook.ts'
import { runCommand, startCommand } from '../../support/commands/command.ts'
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
