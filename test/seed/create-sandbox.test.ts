import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createSandbox, InvalidOption, SeedError } from '../../src/index.ts'
import { fileWith, scratchFolder } from '../support/commands/scratch.ts'
import { openTestSandbox } from '../support/service/test-sandbox.ts'

/** A file with a scenario. */
const seedOf = (text: string) => fileWith('orders.yaml', text)

const twoSales = 'steps:\n  - sale: { amount: 1.00 USD }\n  - sale: { amount: 2.00 USD }\n'

describe('createSandbox({ seed })', () => {
  test('the sandbox begins with the orders of the seed, and a reset of everything brings them back', async () => {
    const sandbox = await openTestSandbox({ seed: seedOf(twoSales), clock: 'frozen' })
    const before = (await sandbox.payments.list()).map(({ transactionId }) => transactionId)
    expect(before).toHaveLength(2)
    await sandbox.client.sale({ amount: 300, priceCurrency: 'USD' })
    await sandbox.reset({ everything: true })
    const after = (await sandbox.payments.list()).map(({ transactionId }) => transactionId)
    expect(after).toEqual(before)
  })

  test('the seed runs each case of its scenario', async () => {
    const seed = seedOf(
      'cases: [{ amount: 1.00 USD }, { amount: 2.00 USD }]\nsteps:\n  - sale: { amount: $case.amount }\n',
    )
    const sandbox = await openTestSandbox({ seed })
    expect((await sandbox.payments.list()).map(({ amount }) => amount).sort()).toEqual([100, 200])
  })

  test('a used folder is not seeded, and its reset leaves it empty', async () => {
    const state = join(scratchFolder(), 'state')
    const first = await createSandbox({ state })
    await first.client.sale({ amount: 300, priceCurrency: 'USD' })
    await first.close()
    const reports: string[] = []
    const report = (line: string) => reports.push(line)
    const sandbox = await openTestSandbox({ state, seed: seedOf(twoSales), report })
    expect(reports).toEqual([expect.stringContaining('was not used')])
    expect((await sandbox.payments.list()).map(({ amount }) => amount)).toEqual([300])
    await sandbox.reset({ everything: true })
    expect(await sandbox.payments.list()).toEqual([])
  })

  test('a failing seed throws an error that names its place', async () => {
    const seed = seedOf('steps:\n  - sale: { amount: 97.34 USD }\n')
    await expect(createSandbox({ seed })).rejects.toThrow(SeedError)
    await expect(createSandbox({ seed })).rejects.toThrow(/orders\.yaml:2:\d+: sale: /)
    await expect(createSandbox({ seed: '' })).rejects.toThrow(InvalidOption)
  })
})
