import { describe, expect, test } from 'vitest'
import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { parseAmount } from '../../../src/cli/input/amount.ts'
import { startSandboxCommand } from '../../support/commands/running-sandbox.ts'

/** What the user is told; fails the test when the amount is taken. */
function mistake(text: string, currency: string): UsageError {
  try {
    parseAmount(text, currency, 'amount')
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return error as UsageError
  }
  throw new Error(`${text} ${currency} was taken as an amount`)
}

describe('assumption minor units: an amount on the command line', () => {
  test.each([
    ['1000', 'USD', 1000],
    ['10.00', 'USD', 1000],
    ['0.01', 'USD', 1],
    ['0', 'USD', 0],
    ['0010', 'USD', 10],
    ['1000', 'JPY', 1000],
    ['10.000', 'KWD', 10_000],
    ['10', 'KWD', 10],
    ['1.2345', 'CLF', 12_345],
    ['999999999999999', 'USD', 999_999_999_999_999],
    ['9999999999999.99', 'USD', 999_999_999_999_999],
  ])('the amount %s %s is %i minor units', (text, currency, minorUnits) => {
    expect(parseAmount(text, currency, 'amount')).toBe(minorUnits)
  })

  test.each([
    ['10.5', 'USD', '2 decimals'],
    ['10.', 'USD', '2 decimals'],
    ['10.000', 'USD', '2 decimals'],
    ['10.00', 'JPY', 'no decimals'],
    ['10.0', 'JPY', 'no decimals'],
    ['10.00', 'KWD', '3 decimals'],
    ['10.0000', 'KWD', '3 decimals'],
    ['10.00', 'CLF', '4 decimals'],
  ])('the amount %s %s is refused, as the currency has %s', (text, currency, rule) => {
    const { message, remedy, field } = mistake(text, currency)
    expect(message).toContain(text)
    expect(message).toContain(`${currency} has ${rule}`)
    expect(remedy).toContain(rule === 'no decimals' ? 'a whole number' : 'minor units')
    expect(field).toBe('amount')
  })

  test('the remedy shows the decimals of the currency', () => {
    expect(mistake('10.5', 'USD').remedy).toContain('10.00')
    expect(mistake('10.5', 'KWD').remedy).toContain('10.000')
    expect(mistake('10.5', 'CLF').remedy).toContain('10.0000')
  })

  test.each([
    '',
    ' ',
    '-5',
    '+5',
    '.50',
    '1,000',
    '1.000,00',
    '1e3',
    '0x10',
    'ten',
    '$10',
    '10 USD',
    ' 10',
    '10\n',
    '1.0.0',
    '١٠',
    'NaN',
    'Infinity',
    '99999999999999999999',
    '999999999999999.99',
  ])('%j is not an amount', (text) => {
    expect(mistake(text, 'USD').message).toContain('is not an amount')
  })

  test.each(['usd', 'XXX', 'EURO', '', 'DEM'])('api service-6: %j is not a currency', (code) => {
    const { message, field } = mistake('10', code)
    expect(message).toContain('is not an active ISO 4217 currency')
    expect(field).toBe('priceCurrency')
  })
})

test('the binary reads and shows an amount of each currency', async () => {
  const { json, run } = await startSandboxCommand()
  const paid = async (amount: string, currency: string) => {
    const record = await json(['sale', '--amount', amount, '--price-currency', currency])
    return [record.transactionAmount, record.priceCurrency]
  }
  expect(
    await Promise.all([
      paid('10.00', 'USD'),
      paid('1234', 'JPY'),
      paid('1.234', 'KWD'),
      paid('1.2345', 'CLF'),
    ]),
  ).toEqual([
    [1000, 'USD'],
    [1234, 'JPY'],
    [1234, 'KWD'],
    [12_345, 'CLF'],
  ])
  const shown = await run(['sale', '--amount', '1234', '--price-currency', 'KWD'])
  expect(shown.stdout).toContain('1.234 KWD')
  const yen = await run(['sale', '--amount', '1234', '--price-currency', 'JPY'])
  expect(yen.stdout).toContain('1234 JPY')
})

test('a follow-up reads its amount in the currency of the original', async () => {
  const { json, run } = await startSandboxCommand()
  const { transactionId } = await json(['sale', '--amount', '10.000', '--price-currency', 'KWD'])
  const refused = await run(['refund', transactionId, '--amount', '4.00'])
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('KWD has 3 decimals')
  const refund = await json(['refund', transactionId, '--amount', '4.000'])
  expect(refund).toMatchObject({ transactionAmount: 4000, priceCurrency: 'KWD', transactionStatus: 'S' })
})
