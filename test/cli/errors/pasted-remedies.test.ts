import { expect, test } from 'vitest'
import { startSandboxCommand } from '../../support/commands/running-sandbox.ts'

const sale = 'sale --amount 10.00'
const auth = 'auth --amount 10.00'
const nextDay = 'sandbox clock --advance 1d'

/** What leads to a refusal, one after the other, and the command that is refused; $0 is the id of the first transaction. */
const refusals: Readonly<Record<string, readonly string[]>> = {
  'a void of another day': [`${sale} --tip-amount 1.00`, nextDay, 'void $0'],
  'a void of another day in a currency without decimals': [
    ...['sale --amount 1000 --price-currency JPY', nextDay, 'void $0'],
  ],
  'a void of a refund of another day': [sale, 'refund $0 --amount 4.00', nextDay, 'void $1'],
  'a void after the batch was closed': [sale, 'batch close --yes', 'void $0'],
  'a void of a payment that was refunded in part': [sale, 'refund $0 --amount 4.00', 'void $0'],
  'a void of what was captured': [auth, 'post-auth $0 --amount 10.00', 'void $0'],
  'a void of an online payment': ['checkout sale --amount 8.00', 'void $0'],
  'a void of an online payment that was refunded': [
    ...['checkout sale --amount 8.00', 'checkout refund $0', 'void $0'],
  ],
  'a void of a hosted page that is not paid': [
    'checkout create --amount 9.00 --transaction-request-id PAGE-1',
    'void --original-transaction-request-id PAGE-1',
  ],
  'an online refund of a payment in person': [sale, 'checkout refund $0'],
  'a refund of an authorisation': [auth, 'refund $0 --amount 1.00'],
  'a refund of a voided authorisation': [auth, 'void $0', 'refund $0 --amount 1.00'],
  'a refund of a refund': [sale, 'refund $0 --amount 4.00', 'refund $1 --amount 1.00'],
  'a refund of a refund that is not linked': [
    ...['refund --reference-order-id ORDER-A --amount 4.00', 'refund $0 --amount 1.00'],
  ],
  'a capture of a sale': [sale, 'post-auth $0 --amount 1.00'],
  'a second capture': [auth, 'post-auth $0 --amount 10.00', 'post-auth $0 --amount 10.00'],
  'a refund of a payment that waits': [
    ...[`${sale} --terminal TBX-OFFLINE-001 --no-wait`, 'refund $0 --amount 1.00'],
  ],
  'a larger tip of a settled payment': [
    ...[`${sale} --tip-amount 1.00`, 'batch close --yes', 'tip-adjust $0 --tip-amount 2.50'],
  ],
  'a smaller tip of a settled payment': [
    ...[`${sale} --tip-amount 1.00`, 'batch close --yes', 'tip-adjust $0 --tip-amount 0.40'],
  ],
  'a sale with a used id': [
    `${sale} --transaction-request-id USED-1`,
    `${sale} --transaction-request-id USED-1`,
  ],
  'a sale on an unknown terminal': [`${sale} --terminal DESK-9`],
}

/** Commands that a remedy prints, without those that it shows only by their form. */
const commandsIn = (remedy: string): readonly (readonly string[])[] =>
  [...remedy.matchAll(/tillbox ([a-z].*?)(?=\. |; |, or |$)/g)].map(([, line = '']) => line.split(' '))

/** Exit code of a command that only looks at a transaction: as the transaction ended. */
const expectedCodes = (args: readonly string[]): readonly number[] =>
  args[0] === 'query' ? [0, 3, 4, 5] : [0]

test.each(Object.entries(refusals))('every command that the remedy prints works: %s', async (_, lines) => {
  const { json, run } = await startSandboxCommand()
  const ids: string[] = []
  const typed = (line: string) => line.replace(/\$(\d)/, (_, at) => ids[at] ?? '')
  for (const line of lines.slice(0, -1)) {
    const { transactionId } = await json(typed(line))
    if (transactionId !== undefined) ids.push(transactionId)
  }
  const { error } = await json(typed(lines.at(-1) ?? ''), 1)
  const [args = []] = commandsIn(error.remedy)
  expect(args, error.remedy).not.toEqual([])
  const pasted = await run(args)
  expect(expectedCodes(args), `${args.join(' ')}\n${pasted.stderr}`).toContain(pasted.code)
})

test('assumption refund-without-reference: the note of a refund names a command that refunds the payment', async () => {
  const sandbox = await startSandboxCommand()
  const order = '--reference-order-id ORDER-A'
  const { transactionId: id } = await sandbox.json(`${sale} ${order}`)
  const { code, stdout, stderr } = await sandbox.run(`refund ${order} --amount 4.00`)
  expect([code, stdout]).toEqual([0, expect.stringMatching(/original +not linked/)])
  expect(stderr).toContain(`--reference-order-id: ORDER-A has the payment ${id}`)
  const [args = []] = commandsIn(stderr.trim())
  expect(args).toEqual(['refund', id, '--amount', '4.00'])
  expect((await sandbox.run(args)).code).toBe(0)
})

test('assumption batches: after an online payment only, batch query says so, and the refused close why', async () => {
  const sandbox = await startSandboxCommand()
  const { transactionId } = await sandbox.json('checkout sale --amount 24.90')
  await sandbox.json(`checkout refund ${transactionId} --amount 4.90`)
  await sandbox.prints(
    'batch query',
    'No open batch: no terminal took a payment since the last close.',
    'Online: 2 payments and refunds, 20.00 USD net. They settle outside of terminal batches.',
  )
  await sandbox.fails('batch close --yes', 1, 'online payments settle outside')
})
