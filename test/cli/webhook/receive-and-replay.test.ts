import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runCommand, startCommand } from '../../support/commands/command.ts'
import { fails, parseNdjson, prints, untilStderr } from '../../support/commands/launched.ts'
import { type LaunchedSandbox, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'
import { listening } from '../listening.ts'

const sale = 'sale --amount 10.00'

/** A folder with a recording of a sale, its lines these milliseconds apart. */
async function recorded(apart: number): Promise<string> {
  const sandbox = await startSandboxCommand()
  const { cwd } = sandbox
  const listener = await listening(sandbox, '--record', 'heard.ndjson', '--json')
  await sandbox.json(sale)
  await listener.until(/TRANSACTION_ENDED/)
  await Promise.all([listener.stop('SIGINT'), sandbox.stop()])
  const path = join(cwd, 'heard.ndjson')
  const lines = parseNdjson(readFileSync(path, 'utf8'))
  const spaced = lines.map((line, index) => `${JSON.stringify({ ...line, at: index * apart })}\n`)
  writeFileSync(path, spaced.join(''))
  return cwd
}

test('a replay needs no sandbox, and sends everything in order, byte for byte, with its headers', async () => {
  const cwd = await recorded(30)
  const target = await openReceiver()
  const replay = `webhook replay heard.ndjson --to ${target.origin}/again?x=1`
  const stdout = await prints(runCommand(`${replay} --json`, { cwd }))
  const recording = parseNdjson(readFileSync(join(cwd, 'heard.ndjson'), 'utf8'))
  expect(parseNdjson(stdout)).toMatchObject(recording.map(({ id }) => ({ id, forwarded: { status: 200 } })))
  const wanted = recording.map(({ body, headers }) => {
    const { 'X-Signature': signature, 'X-Timestamp': time } = headers
    return { path: '/again?x=1', body, headers: { 'x-signature': signature, 'x-timestamp': time } }
  })
  expect(target.arrivals).toMatchObject(wanted)
  target.answer(500)
  const { code, stdout: shown } = await runCommand(`${replay} --fast`, { cwd })
  const line = /^✗ \d\d:\d\d:\d\dZ .* 500 +\d+ ms, given up .*[0-9a-f-]{36}$/gm
  expect([code, shown.match(line)?.length]).toEqual([4, recording.length])
})

test('a byte order mark is ignored; a last line that is cut off is left out and reported', async () => {
  const cwd = await recorded(3_600_000)
  const target = await openReceiver()
  const path = join(cwd, 'heard.ndjson')
  const text = readFileSync(path, 'utf8')
  const replay = `webhook replay heard.ndjson --to ${target.url} --fast --json`
  writeFileSync(path, `\uFEFF${text.trimEnd()}`)
  const all = await runCommand(replay, { cwd })
  expect([all.code, all.stderr, target.arrivals.length]).toEqual([0, '', parseNdjson(text).length])
  writeFileSync(path, text.slice(0, -20))
  const most = await runCommand(replay, { cwd })
  expect(most).toMatchObject({ code: 0, stderr: expect.stringContaining('is incomplete and is skipped') })
  expect(parseNdjson(most.stdout)).toHaveLength(parseNdjson(text).length - 1)
})

test.each([
  ['an empty file', '', 'x.ndjson has no notification'],
  ['a single line that is cut off', '{"at":1,', 'x.ndjson has no notification'],
  ['no line of JSON', '\n\n{oops\n', 'Line 3 of x.ndjson'],
  ['JSON of something else', '{"at":1,"body":"{}"}\n', 'Line 1 of x.ndjson'],
])('%s is reported with its line, and nothing is sent', async (_, text, message) => {
  const [cwd, target] = [scratchFolder(), await openReceiver()]
  writeFileSync(join(cwd, 'x.ndjson'), text)
  const replay = `webhook replay x.ndjson --to ${target.url} --json`
  const { stdout } = await fails(runCommand(replay, { cwd }), 2, message)
  expect(JSON.parse(stdout).error).toMatchObject({ exitCode: 2, remedy: expect.stringMatching(/./) })
  expect(target.arrivals).toEqual([])
})

test('a webhook that is stored is sent by another command', async () => {
  await fails(
    runCommand('webhook replay 9bd81f17 --to http://127.0.0.1:1/'),
    2,
    'tillbox webhook resend <id> sends a stored webhook',
  )
})

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
  await prints(receiver.stop('SIGINT'))
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

/** A receiver beside a sandbox, for people, and where it is. */
async function receiverBeside({ cwd }: LaunchedSandbox) {
  const receiver = startCommand('webhook receive', { cwd })
  await untilStderr(receiver, /Receiving at http:\S+\n/)
  const [, url = ''] = /at (\S+)/.exec(receiver.output().stderr) ?? []
  return { receiver, url }
}

test('with a sandbox the receiver needs no secret, shows people what arrived, and goes on after a rotation of the secret', async () => {
  const sandbox = await startSandboxCommand()
  const { receiver, url } = await receiverBeside(sandbox)
  const { transactionId } = await sandbox.json(`sale --amount 10.00 --notify-url ${url}`)
  expect(await receiver.until(/signature valid/)).toContain(transactionId)
  const { transactionId: rotated } = await sandbox.json('sale --amount 10.00')
  await sandbox.json('webhook secret --rotate --grace 0s')
  expect(await sandbox.json(`webhook send ${rotated} --to ${url}`)).toMatchObject({ status: 200 })
})

test.each([
  ['none', [200, 200], /no signature/],
  ['hmac', [200, 401], /X-Signature is missing/],
])('the receiver checks webhooks of a sandbox that signs with %s', async (scheme, statuses, pattern) => {
  const sandbox = await startSandboxCommand(`--set signature=${scheme}`)
  const { receiver, url } = await receiverBeside(sandbox)
  const { transactionId } = await sandbox.json('sale --amount 10.00')
  const sent = await sandbox.json(`webhook send ${transactionId} --to ${url}`)
  const bare = await fetch(url, { method: 'POST', body: '{}' })
  expect([sent.status, bare.status]).toEqual(statuses)
  await receiver.until(pattern)
})

test('a port in use is wrong usage', async () => {
  const { port } = await openReceiver()
  const receive = runCommand(`webhook receive --secret ${secret} --port ${port}`)
  await fails(receive, 2, `Port ${port} is in use`)
})
