import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../support/commands/command.ts'
import { fails, prints } from '../../support/commands/launched.ts'
import { leftByKill, startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { folderWith } from '../../support/commands/scratch.ts'
import { hmacOf } from '../../support/webhooks/deliveries.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

const body = '{"transactionId": "1", "name": "Caffè ☕", "amount": {"orderAmount": 10.00}}\n'
const secret = 'whsec_dGlsbGJveCB0ZXN0IHNlY3JldA=='

/** A folder with the body in a file. */
const withBody = (text = body) => folderWith({ 'body.json': text })

type Headers = Readonly<Record<string, string>>

const flagsOf = (headers: Headers): string[] =>
  Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`])

/** What verify says of the body in the folder. */
async function verdictOf(cwd: string, headers: Headers, more: readonly string[] = ['--secret', secret]) {
  const verify = ['webhook', 'verify', '--body', '@body.json', ...flagsOf(headers), ...more, '--json']
  const { code, stdout } = await runCommand(verify, { cwd })
  return { code, ...(JSON.parse(stdout) as { valid: boolean; why?: string; remedy?: string }) }
}

const sign = async (cwd: string, ...flags: string[]): Promise<Headers> => {
  const args = ['webhook', 'sign', '--body', '@body.json', '--secret', secret, ...flags, '--json']
  const stdout = await prints(runCommand(args, { cwd }))
  return JSON.parse(stdout)
}

test.each([
  [['--signature-encoding', 'hex'], 'X-Signature', /^[0-9a-f]{64}$/],
  [['--signature-encoding', 'base64'], 'X-Signature', /^[\w+/]{43}=$/],
  [['--signature', 'standard', '--id', 'msg_1'], 'webhook-signature', /^v1,[\w+/]{43}=$/],
])('the signature of %j is valid', async (flags, name, shape) => {
  const cwd = withBody()
  const headers = await sign(cwd, ...flags)
  expect(headers[name]).toMatch(shape)
  const encoding = flags[0] === '--signature-encoding' ? flags : []
  expect(await verdictOf(cwd, headers, ['--secret', secret, ...encoding])).toEqual({ code: 0, valid: true })
  const strict = await verdictOf(cwd, headers)
  expect([strict.code, strict.valid]).toEqual(flags.includes('base64') ? [4, false] : [0, true])
})

test('the HMAC equals one made independently, from a file, standard input or text', async () => {
  const cwd = withBody()
  const env = { TILLBOX_WEBHOOK_SECRET: secret }
  for (const given of ['@body.json', '-', body]) {
    const options = { cwd, env, ...(given === '-' && { stdin: body }) }
    const printed = runCommand(['webhook', 'sign', '--body', given], options)
    const stdout = await prints(printed, `\nX-Signature: ${hmacOf(body, secret)}\n`)
    const lines = stdout.trim().split('\n')
    const headers = Object.fromEntries(lines.map((line) => line.split(': ')))
    const verify = ['webhook', 'verify', '--body', given, ...flagsOf(headers)]
    await prints(runCommand(verify, options), /^✓ The signature is valid\.\n$/)
  }
})

test('after a rotation the sandbox signs with both secrets, and so does webhook sign', async () => {
  const sandbox = await startSandboxCommand()
  const { secret: before } = await sandbox.json('webhook secret')
  await sandbox.json('sandbox clock --set 2031-05-06T07:00:00Z')
  const rotated = await sandbox.run('webhook secret --rotate --grace 1h --json')
  expect(rotated.stderr).toMatch(
    /^Until 2031-05-06 08:00:\d\d UTC \(sandbox clock\) the old secret stays valid, and webhooks carry both signatures\n$/,
  )
  const { secret: after } = JSON.parse(rotated.stdout)
  const previous = 'X-Sandbox-Previous-Signature'
  const both = { 'X-Signature': hmacOf('{}', after), [previous]: hmacOf('{}', before) }
  expect(await sandbox.json('webhook sign --body {}')).toMatchObject(both)
  expect(await sandbox.json(`webhook sign --body {} --secret ${after}`)).not.toHaveProperty(previous)
})

const now = { 'X-Timestamp': String(Date.now()) }

test('verify recognises a file name without @ and an empty body, and gives people the reason and a remedy', async () => {
  const cwd = withBody()
  for (const command of ['sign', 'verify']) {
    const more = command === 'sign' ? [] : ['--header', 'a:b']
    const args = ['webhook', command, '--body', 'body.json', '--secret', secret, ...more]
    await fails(runCommand(args, { cwd }), 2, 'To use the file: --body @body.json')
  }
  const empty = await verdictOf(withBody(''), { ...now, 'X-Signature': hmacOf(body, secret) })
  expect(empty).toMatchObject({ code: 4, why: 'the body is empty' })
  const verify = ['webhook', 'verify', '--body', '{}', '--header', 'X-Timestamp: 1', '--secret', secret]
  const { code, stdout } = await runCommand(verify)
  expect(code).toBe(4)
  expect(stdout).toMatch(/^✗ The webhook is not valid: .*\n +do +\S/)
})

test('verify knows that the running sandbox sends base64', async () => {
  const sandbox = await startSandboxCommand('--set signatureEncoding=base64')
  writeFileSync(join(sandbox.cwd, 'body.json'), body)
  const [{ secret: own }, sent] = [await sandbox.json('webhook secret'), await sign(withBody())]
  const hex = await verdictOf(sandbox.cwd, { ...sent, 'X-Signature': hmacOf(body, own) }, [])
  expect(hex).toMatchObject({ code: 4, why: expect.stringContaining('another encoding') })
  const base64 = { ...sent, 'X-Signature': Buffer.from(hmacOf(body, own), 'hex').toString('base64') }
  expect(await verdictOf(sandbox.cwd, base64, [])).toEqual({ code: 0, valid: true })
})

test('--json is exactly the secret, and it stays over a restart until it is rotated', async () => {
  const sandbox = await startSandboxCommand()
  const first = await sandbox.json('webhook secret')
  expect(first).toEqual({ secret: expect.stringMatching(/^whsec_/) })
  expect((await sandbox.run('webhook secret')).stdout).toBe(`${first.secret}\n`)
  const second = await sandbox.json('webhook secret --rotate')
  expect(second).toEqual({ secret: expect.stringMatching(/^whsec_/) })
  expect(second).not.toEqual(first)
  const again = await startSandboxCommand([], leftByKill(sandbox))
  expect(await again.json('webhook secret')).toEqual(second)
  const atOnce = await again.run('webhook secret --rotate --grace 0s')
  expect(atOnce).toMatchObject({
    stdout: expect.stringMatching(/^whsec_\S+\n$/),
    stderr: 'The old secret is not valid any more\n',
  })
})

test.each(['hmac', 'standard'])('%s: an old secret verifies in its grace period alone', async (scheme) => {
  const target = await openReceiver()
  const sandbox = await startSandboxCommand(`--notify-url ${target.url} --set signature=${scheme}`)
  const { secret: old } = await sandbox.json('webhook secret')
  const valid = { code: 0, valid: true }
  /** Rotates, and says of the next webhook what verify says with each secret; null: that of the sandbox. */
  const verdictsAfter = async (grace: string, count: number, ...secrets: (string | null)[]) => {
    await sandbox.json(`webhook secret --rotate --grace ${grace}`)
    await sandbox.json('trigger sale-approved')
    const post = (await target.got(count)).at(-1)
    writeFileSync(join(sandbox.cwd, 'body.json'), post?.body ?? '')
    const sent = Object.entries(post?.headers ?? {}).filter(([name]) => /^x-|^webhook-/.test(name))
    const verdicts: unknown[] = []
    for (const each of secrets)
      verdicts.push(
        await verdictOf(sandbox.cwd, Object.fromEntries(sent) as Headers, each ? ['--secret', each] : []),
      )
    return verdicts
  }
  const note = expect.stringMatching(/previous secret \(.*(X-Sandbox-Previous-Signature|not the first)/)
  expect(await verdictsAfter('1h', 1, old, null)).toEqual([{ ...valid, note }, valid])
  const { secret: middle } = await sandbox.json('webhook secret')
  const another = { code: 4, why: 'the signature fits neither this secret nor this body' }
  expect(await verdictsAfter('0s', 2, null, old, middle)).toMatchObject([valid, another, another])
  // What was signed before the rotation, checked with what the sandbox has now.
  const sign = `webhook sign --body @body.json --signature ${scheme} --secret ${middle}`
  const headers = await sandbox.json(sign)
  expect(await verdictOf(sandbox.cwd, headers, [])).toMatchObject({
    code: 4,
    why: 'it was signed with the secret before the last rotation',
  })
})
