import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runCommand } from '../../support/commands/command.ts'
import { prints } from '../../support/commands/launched.ts'
import { type LaunchedSandbox, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'
import { foreignServer } from '../../support/network/foreign.ts'

const open = (sandbox: LaunchedSandbox, ...more: string[]) =>
  sandbox.json(['checkout', 'create', '--amount', '24.90', ...more])

const statusOf = async (sandbox: LaunchedSandbox, requestId: string) =>
  (await sandbox.json(`query --transaction-request-id ${requestId}`)).transactionStatus

test('api operation-2-1: checkout create shows people the page and the next step, and programs the answer as JSON', async () => {
  const sandbox = await startSandboxCommand()
  const opened = [/^… open\n/, /^ {2}amount +25\.00 USD\n {2}page /m]
  const shown = await sandbox.prints('checkout create --amount 24.90 --set taxAmount=0.10', ...opened)
  const url = new RegExp(`${sandbox.url}/checkout/(cs_[0-9a-f]{40})`).exec(shown)
  expect(shown).toContain(`tillbox checkout pay ${url?.[1]}`)
  const request = /--transaction-request-id (\S+)/.exec(shown)?.[1] ?? ''
  expect(await statusOf(sandbox, request)).toBe('I')

  const products = '[{"name":"Coffee","amount":450,"num":2}]'
  const made = ['checkout', 'create', '--amount', '9.00', '--set', `productList=${products}`]
  const answer = await sandbox.json([...made, '--reference-order-id', 'ORDER-9'])
  expect(answer).toEqual({
    checkoutUrl: `${sandbox.url}/checkout/${answer.sessionId}`,
    sessionId: answer.sessionId,
    expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    ...{ transactionRequestId: expect.stringMatching(/./), merchantId: 'M1000000001' },
    ...{ referenceOrderId: 'ORDER-9', amount: { orderAmount: 900, priceCurrency: 'USD' } },
    ...{ description: expect.any(String), productList: JSON.parse(products) },
  })
})

test.skipIf(process.platform !== 'linux')('--open hands the page to the browser', async () => {
  const sandbox = await startSandboxCommand()
  const folder = scratchFolder()
  const opened = join(folder, 'opened')
  const script = `#!/bin/sh\nprintf %s "$1" > "${opened}.new" && mv "${opened}.new" "${opened}"\n`
  writeFileSync(join(folder, 'xdg-open'), script, { mode: 0o755 })
  const env = { PATH: `${folder}:${process.env.PATH}` }
  const create = 'checkout create --amount 1.00 --open --json'
  const stdout = await prints(sandbox.run(create, env))
  await expect.poll(() => existsSync(opened)).toBe(true)
  expect(readFileSync(opened, 'utf8')).toBe(JSON.parse(stdout).checkoutUrl)

  const empty = join(folder, 'empty')
  mkdirSync(empty)
  const without = await sandbox.run(create, { PATH: empty })
  expect([without.code, JSON.parse(without.stdout).sessionId]).toEqual([0, expect.stringMatching(/^cs_/)])
  expect(without.stderr).toBe('Cannot start a browser; open the page yourself.\n')
})

test('checkout pay exits with 0 when paid, 5 when open, 4 when failed and 1 when over, in text and in JSON', async () => {
  const sandbox = await startSandboxCommand()
  const { sessionId, transactionRequestId } = await open(sandbox)
  const pay = `checkout pay ${sessionId}`
  const stdout = expect.stringMatching(/^… open\n[\s\S]*005 Do not honor[\s\S]*1 of 3 declined/)
  const declined = await sandbox.run(`${pay} --card visa-declined`)
  expect(declined).toMatchObject({ code: 5, stderr: '', stdout })
  const paid = await sandbox.json(`${pay} --card amex-chip`)
  expect(paid).toMatchObject({ sessionId, state: 'paid', tries: 1, transactionRequestId })
  expect(await statusOf(sandbox, transactionRequestId)).toBe('S')
  await sandbox.fails(pay, 1, 'The session is over')

  const failing = await open(sandbox)
  const tries = async (code: number) =>
    (await sandbox.json(`checkout pay ${failing.sessionId} --card visa-lost`, code)).state
  expect([await tries(5), await tries(5), await tries(4)]).toEqual(['open', 'open', 'failed'])

  await sandbox.prints(`checkout pay ${(await open(sandbox)).sessionId}`, /^✓ paid\n/)
})

test('checkout pay exits with 5 while the host has not answered, and an advance of the clock brings the answer', async () => {
  const sandbox = await startSandboxCommand()
  const { sessionId, transactionRequestId } = await open(sandbox, '--outcome', 'late-approval')
  const shown = await sandbox.run(`checkout pay ${sessionId}`)
  expect([shown.code, shown.stdout.split('\n')[0]]).toEqual([5, '… processing'])
  for (const command of ['pay', 'cancel', 'expire'])
    await sandbox.fails(`checkout ${command} ${sessionId}`, 1, 'A payment of the session is under way')
  await sandbox.json('sandbox clock --advance 60s')
  expect(await statusOf(sandbox, transactionRequestId)).toBe('S')
})

test('checkout cancel ends a session as the shopper would', async ({ sandbox }) => {
  const { sessionId, transactionRequestId } = await open(sandbox)
  await sandbox.prints(`checkout cancel ${sessionId}`, /^■ cancelled\n/)
  const why = await sandbox.run(`query --transaction-request-id ${transactionRequestId}`)
  expect(why.stdout).toContain('given up on the hosted page')
  const other = await open(sandbox)
  expect((await sandbox.json(`checkout cancel ${other.sessionId}`)).state).toBe('cancelled')
  expect((await sandbox.run('checkout cancel cs_0')).code).toBe(1)
})

test('api operation-2-3: checkout expire takes the session or the request that opened it', async () => {
  const sandbox = await startSandboxCommand()
  const [one, two] = [await open(sandbox), await open(sandbox)]
  await sandbox.prints(
    ['checkout', 'expire', one.sessionId, '--reason', 'sold out'],
    /^Session cs_[0-9a-f]{40} is expired, and its transaction closed\.\n\n■ closed {2}sale {2}24\.90 USD\n/,
    'expired by the merchant',
  )
  const { transactionRequestId } = two
  const answer = await sandbox.json(`checkout expire --transaction-request-id ${transactionRequestId}`)
  expect(answer).toMatchObject({ sessionId: two.sessionId, sessionStatus: 'EXPIRED', transactionRequestId })
  expect((await sandbox.run(`checkout expire ${two.sessionId}`)).code).toBe(1)
})

test('an accepted expiry names the transaction even when it cannot be queried', async () => {
  const data = { sessionId: 'cs_1', sessionStatus: 'EXPIRED', transactionId: '1234567890123456' }
  const url = await foreignServer(({ method }, response) => {
    const accepted = { code: '0', msg: 'success', traceId: 't', data }
    const refused = { code: 'X1', msg: 'not now', traceId: 't' }
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(method === 'POST' ? accepted : refused))
  })
  const expire = `checkout expire cs_1 --base-url ${url} --api-key k --set appId=a`
  await prints(runCommand(`${expire} --merchant-id m`), 'checkout expire accepted', '1234567890123456')
})

test('api operation-2-2: a sale takes a test card, or a payload made by wallet-payload', async () => {
  const sandbox = await startSandboxCommand()
  const sale = ['checkout', 'sale', '--amount', '5.00']
  const texts = [/^✓ approved {2}sale {2}5\.00 USD\n/, 'AMEX 378282*****0005 (GOOGLE_PAY, NOT_AUTHENTICATED)']
  await sandbox.prints([...sale, '--card', 'amex-chip'], ...texts)

  for (const wallet of ['GOOGLE_PAY', 'APPLE_PAY']) {
    const make = `checkout wallet-payload --payment-method ${wallet} --card diners-chip`
    const pay = (payload: string) => [
      ...sale,
      '--payment-method',
      wallet,
      '--card-encrypted-data',
      payload.trim(),
    ]
    const made = await prints(runCommand(make))
    const paid = { transactionStatus: 'S', maskedPan: '305693****5904', subPaymentMethod: wallet }
    expect(await sandbox.json(pay(made))).toMatchObject(paid)
    const { paymentMethod, cardEncryptedData } = await sandbox.json(make)
    expect([paymentMethod, (await sandbox.run(pay(cardEncryptedData))).code]).toEqual([wallet, 0])
    const broken = await runCommand(`${make} --corrupt signature`)
    await sandbox.fails(pay(broken.stdout), 1, 'its signature is wrong')
  }
})

test('the exit code is 4 when declined and 5 when not final, without advice that would be refused', async () => {
  const sandbox = await startSandboxCommand()
  const declined = { transactionStatus: 'F', transactionResultCode: '005' }
  expect(await sandbox.json('checkout sale --amount 98.23', 4)).toMatchObject(declined)
  const advice =
    /^Not final yet\.\n {2}waits for {4}the host, until .* UTC \(sandbox clock\)\n {2}act {10}tillbox sandbox clock --advance 60s\n {2}check again {2}tillbox query \d{16} --wait 60s\n$/
  await sandbox.fails('checkout sale --amount 5.00 --outcome late-approval --wait 0', 5, advice)
  const walletFlags = '--payment-method APPLE_PAY --card-encrypted-data {}'
  const strange = await sandbox.run(`checkout sale --amount 1.00 ${walletFlags}`)
  expect(strange.code).toBe(0)
  expect(strange.stderr).toContain('! --card-encrypted-data: is not in the shape of APPLE_PAY')
})
