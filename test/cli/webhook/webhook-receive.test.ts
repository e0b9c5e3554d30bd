import { createHmac } from 'node:crypto'
import { connect } from 'node:net'
import { describe, expect } from 'vitest'
import { runCommand, startCommand } from '../../support/commands/command.ts'
import { fails, parseNdjson, untilStderr } from '../../support/commands/launched.ts'
import { startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

const secret = 'whsec_dGlsbGJveCB0ZXN0IHNlY3JldA=='

/** A receiver, and how to post to it. */
async function receiverWith(...flags: string[]) {
  const receiver = startCommand(['webhook', 'receive', '--secret', secret, '--json', ...flags])
  const { url } = JSON.parse(await receiver.until(/\n/))
  const answers: unknown[] = []
  const post = async (key = secret, body = '{"a": 1}') => {
    const headers = {
      'X-Signature': createHmac('sha256', key).update(body).digest('hex'),
      'X-Timestamp': String(Date.now()),
    }
    const answer = await fetch(`${url}hook?x=1`, { method: 'POST', headers, body })
    answers.push(await answer.json())
    return answer.status
  }
  return { receiver, url, post, answers }
}

describe('webhook receive', () => {
  test('the receiver accepts valid signatures and refuses others, with a line for each', async () => {
    const { receiver, post, answers } = await receiverWith()
    expect([await post(), await post('other'), await post()]).toEqual([200, 401, 200])
    expect(answers).toEqual([
      { code: '0', message: 'received' },
      { code: '401', message: expect.stringContaining('fits neither'), remedy: expect.stringMatching(/./) },
      { code: '0', message: 'received' },
    ])
    await expect.poll(() => parseNdjson(receiver.output().stdout).length).toBe(4)
    const [, good, bad] = parseNdjson(receiver.output().stdout)
    expect(good).toMatchObject({ path: '/hook?x=1', body: '{"a": 1}', status: 200, verdict: { valid: true } })
    expect(bad).toMatchObject({ status: 401, verdict: { valid: false, why: expect.stringMatching(/./) } })
    const ended = await receiver.stop('SIGINT')
    expect(ended).toMatchObject({ code: 0, stderr: '' })
  })

  test('--status is answered --times times, then 200; refused webhooks do not count', async () => {
    const { post } = await receiverWith('--status', '503', '--times', '2', '--delay', '5ms')
    const statuses = [await post(), await post('other'), await post(), await post()]
    expect(statuses).toEqual([503, 401, 503, 200])
  })

  test('Ctrl-C ends the receiver even while an answer is held back, and a sender that hangs up does not', async () => {
    const { receiver, url, post } = await receiverWith('--delay', '1h')
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.end('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf')
    socket.resume()
    await new Promise((resolve) => socket.once('close', resolve))
    const held = post().catch(() => 'cut off')
    expect(await receiver.stop('SIGINT')).toMatchObject({ code: 0, signal: null, stderr: '' })
    expect(await held).toBe('cut off')
  })

  test('with a sandbox the receiver needs no secret, and shows people what arrived', async ({ sandbox }) => {
    const receiver = startCommand('webhook receive', { cwd: sandbox.cwd })
    await untilStderr(receiver, /Receiving at http:\S+\n/)
    const [, url = ''] = /at (\S+)/.exec(receiver.output().stderr) ?? []
    const { transactionId } = await sandbox.json(`sale --amount 10.00 --notify-url ${url}`)
    await receiver.until(/signature valid/)
    expect(receiver.output().stdout).toContain(transactionId)
  })

  test.each([
    ['none', [200, 200], /no signature/],
    ['hmac', [200, 401], /X-Signature is missing/],
  ])('the receiver checks webhooks of a sandbox that signs with %s', async (scheme, statuses, pattern) => {
    const sandbox = await startSandboxCommand(`--set signature=${scheme}`)
    const receiver = startCommand('webhook receive', { cwd: sandbox.cwd })
    await untilStderr(receiver, /Receiving at http:\S+\n/)
    const [, url = ''] = /at (\S+)/.exec(receiver.output().stderr) ?? []
    const { transactionId } = await sandbox.json('sale --amount 10.00')
    const sent = await sandbox.json(`webhook send ${transactionId} --to ${url}`)
    const bare = await fetch(url, { method: 'POST', body: '{}' })
    expect([sent.status, bare.status]).toEqual(statuses)
    await receiver.until(pattern)
  })

  test('the receiver goes on after a rotation of the secret', async ({ sandbox }) => {
    const receiver = startCommand('webhook receive', { cwd: sandbox.cwd })
    await untilStderr(receiver, /Receiving at http:\S+\n/)
    const [, url = ''] = /at (\S+)/.exec(receiver.output().stderr) ?? []
    const { transactionId } = await sandbox.json('sale --amount 10.00')
    await sandbox.json('webhook secret --rotate --grace 0s')
    expect(await sandbox.json(`webhook send ${transactionId} --to ${url}`)).toMatchObject({ status: 200 })
  })

  test('a port in use is wrong usage', async () => {
    const { port } = await openReceiver()
    const receive = runCommand(`webhook receive --secret ${secret} --port ${port}`)
    await fails(receive, 2, `Port ${port} is in use`)
  })
})
