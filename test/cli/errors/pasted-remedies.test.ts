import { expect, test } from 'vitest'
import { fails } from '../../support/commands/launched.ts'
import { type LaunchedSandbox, startSandboxCommand } from '../../support/commands/running-sandbox.ts'

/** Runs a command that succeeds; the id of its transaction. */
async function idOf({ json }: LaunchedSandbox, ...args: string[]): Promise<string> {
  return (await json(args)).transactionId
}

const nextDay = ({ json }: LaunchedSandbox) => json('sandbox clock --advance 1d')
const sale = ['sale', '--amount', '10.00']
const auth = ['auth', '--amount', '10.00']
const waiting = [...sale, '--terminal', 'TBX-OFFLINE-001', '--no-wait']

/** A refusal: what leads to it, and the command that is refused. */
type Refused = (sandbox: LaunchedSandbox) => Promise<readonly string[]>

const refusals: Readonly<Record<string, Refused>> = {
  'a void of another day': async (sandbox) => {
    const id = await idOf(sandbox, ...sale, '--tip-amount', '1.00')
    await nextDay(sandbox)
    return ['void', id]
  },
  'a void of another day in a currency without decimals': async (sandbox) => {
    const id = await idOf(sandbox, 'sale', '--amount', '1000', '--price-currency', 'JPY')
    await nextDay(sandbox)
    return ['void', id]
  },
  'a void of a refund of another day': async (sandbox) => {
    const id = await idOf(sandbox, 'refund', await idOf(sandbox, ...sale), '--amount', '4.00')
    await nextDay(sandbox)
    return ['void', id]
  },
  'a void after the batch was closed': async (sandbox) => {
    const id = await idOf(sandbox, ...sale)
    await sandbox.json('batch close --yes')
    return ['void', id]
  },
  'a void of a payment that was refunded in part': async (sandbox) => {
    const id = await idOf(sandbox, ...sale)
    await sandbox.json(`refund ${id} --amount 4.00`)
    return ['void', id]
  },
  'a void of what was captured': async (sandbox) => {
    const id = await idOf(sandbox, ...auth)
    await sandbox.json(`post-auth ${id} --amount 10.00`)
    return ['void', id]
  },
  'a void of an online payment': async (sandbox) => [
    'void',
    await idOf(sandbox, 'checkout', 'sale', '--amount', '8.00'),
  ],
  'a void of an online payment that was refunded': async (sandbox) => {
    const id = await idOf(sandbox, 'checkout', 'sale', '--amount', '8.00')
    await sandbox.json(`checkout refund ${id}`)
    return ['void', id]
  },
  'a void of a hosted page that is not paid': async (sandbox) => {
    const session = await sandbox.json('checkout create --amount 9.00')
    const id = ['--original-transaction-request-id', session.transactionRequestId]
    return ['void', ...id]
  },
  'an online refund of a payment in person': async (sandbox) => [
    'checkout',
    'refund',
    await idOf(sandbox, ...sale),
  ],
  'a refund of an authorisation': async (sandbox) => [
    'refund',
    await idOf(sandbox, ...auth),
    '--amount',
    '1.00',
  ],
  'a refund of a voided authorisation': async (sandbox) => {
    const id = await idOf(sandbox, ...auth)
    await sandbox.json(`void ${id}`)
    return ['refund', id, '--amount', '1.00']
  },
  'a refund of a refund': async (sandbox) => {
    const id = await idOf(sandbox, 'refund', await idOf(sandbox, ...sale), '--amount', '4.00')
    return ['refund', id, '--amount', '1.00']
  },
  'a refund of a refund that is not linked': async (sandbox) => {
    const id = await idOf(sandbox, 'refund', '--reference-order-id', 'ORDER-A', '--amount', '4.00')
    return ['refund', id, '--amount', '1.00']
  },
  'a capture of a sale': async (sandbox) => ['post-auth', await idOf(sandbox, ...sale), '--amount', '1.00'],
  'a second capture': async (sandbox) => {
    const id = await idOf(sandbox, ...auth)
    await sandbox.json(`post-auth ${id} --amount 10.00`)
    return ['post-auth', id, '--amount', '10.00']
  },
  'a refund of a payment that waits': async (sandbox) => [
    'refund',
    await idOf(sandbox, ...waiting),
    '--amount',
    '1.00',
  ],
  'a larger tip of a settled payment': async (sandbox) => {
    const id = await idOf(sandbox, ...sale, '--tip-amount', '1.00')
    await sandbox.json('batch close --yes')
    return ['tip-adjust', id, '--tip-amount', '2.50']
  },
  'a smaller tip of a settled payment': async (sandbox) => {
    const id = await idOf(sandbox, ...sale, '--tip-amount', '1.00')
    await sandbox.json('batch close --yes')
    return ['tip-adjust', id, '--tip-amount', '0.40']
  },
  'a sale with a used id': async (sandbox) => {
    const id = ['--transaction-request-id', 'USED-1']
    await sandbox.json([...sale, ...id])
    return [...sale, ...id]
  },
  'a sale on an unknown terminal': async () => [...sale, '--terminal', 'DESK-9'],
}

/** Commands that a remedy prints, without those that it shows only by their form. */
const commandsIn = (remedy: string): readonly (readonly string[])[] =>
  [...remedy.matchAll(/tillbox ([a-z].*?)(?=\. |; |, or |$)/g)].map(([, line = '']) => line.split(' '))

/** Exit code of a command that only looks at a transaction: as the transaction ended. */
const expectedCodes = (args: readonly string[]): readonly number[] =>
  args[0] === 'query' ? [0, 3, 4, 5] : [0]

test.each(Object.entries(refusals))('every command that the remedy prints works: %s', async (_, refused) => {
  const sandbox = await startSandboxCommand()
  const { code, stdout } = await sandbox.run([...(await refused(sandbox)), '--json'])
  const { error } = JSON.parse(stdout)
  expect(code).toBe(1)
  const commands = commandsIn(error.remedy)
  expect(commands, error.remedy).not.toEqual([])
  const [args = []] = commands
  const pasted = await sandbox.run(args)
  expect(expectedCodes(args), `${args.join(' ')}\n${pasted.stderr}`).toContain(pasted.code)
})

test('assumption refund-without-reference: the note of a refund names a command that refunds the payment', async () => {
  const sandbox = await startSandboxCommand()
  const order = ['--reference-order-id', 'ORDER-A']
  const id = await idOf(sandbox, ...sale, ...order)
  const { code, stdout, stderr } = await sandbox.run(['refund', ...order, '--amount', '4.00'])
  expect([code, stdout]).toEqual([0, expect.stringMatching(/original +not linked/)])
  expect(stderr).toContain(`--reference-order-id: ORDER-A has the payment ${id}`)
  const [args = []] = commandsIn(stderr.trim())
  expect(args).toEqual(['refund', id, '--amount', '4.00'])
  expect((await sandbox.run(args)).code).toBe(0)
})

test('assumption batches: after an online payment only, batch query says so, and the refused close why', async () => {
  const sandbox = await startSandboxCommand()
  const id = await idOf(sandbox, 'checkout', 'sale', '--amount', '24.90')
  await sandbox.json(`checkout refund ${id} --amount 4.90`)
  const { stdout } = await sandbox.run('batch query')
  expect(stdout).toContain('No open batch: no terminal took a payment since the last close.')
  expect(stdout).toContain(
    'Online: 2 payments and refunds, 20.00 USD net. They settle outside of terminal batches.',
  )
  await fails(sandbox.run('batch close --yes'), 1, 'online payments settle outside')
})
