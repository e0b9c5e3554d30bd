import { describe, expect, test } from 'vitest'
import { readAmount, type WholeNumbers } from '../../src/contract/written-amount.ts'

/** Minor units, or the kind of problem. */
function read(text: string, currency: string, whole: WholeNumbers): number | string {
  const amount = readAmount(text, currency, whole)
  return typeof amount === 'number' ? amount : amount.kind
}

describe('assumption written-amounts: one reading of amounts', () => {
  test.each<[text: string, currency: string, major: number | string, refused: number | string]>([
    ['10.00', 'USD', 1000, 1000],
    ['12.5', 'USD', 1250, 1250],
    ['0.01', 'USD', 1, 1],
    ['0', 'USD', 0, 0],
    ['0010', 'USD', 1000, 'bare'],
    ['10', 'USD', 1000, 'bare'],
    ['10.005', 'USD', 'decimals', 'decimals'],
    ['10', 'JPY', 10, 10],
    ['1000', 'JPY', 1000, 1000],
    ['10.0', 'JPY', 'decimals', 'decimals'],
    ['10', 'KWD', 10_000, 'bare'],
    ['10.00', 'KWD', 10_000, 10_000],
    ['1.2345', 'KWD', 'decimals', 'decimals'],
    ['1.2345', 'CLF', 12_345, 12_345],
    ['10,50', 'USD', 1050, 'unreadable'],
    ['1,000', 'USD', 'bare', 'unreadable'],
    ['1,000', 'KWD', 'bare', 'unreadable'], // 1.000, or a thousand
    ['1,5', 'KWD', 1_500, 'unreadable'],
    ['10000000000.00', 'USD', 1_000_000_000_000, 1_000_000_000_000],
    ['10000000000.01', 'USD', 'limit', 'limit'],
    ['999999999999999', 'USD', 'limit', 'limit'],
    ['1000000000001', 'JPY', 'limit', 'limit'],
    ['1000000000000000000.00', 'USD', 'limit', 'limit'],
    ['9'.repeat(400), 'JPY', 'limit', 'limit'],
    ...[
      '',
      ' ',
      '-5',
      '+5',
      '.50',
      '10.',
      '1.000,00',
      '1e3',
      '0x10',
      'ten',
      '$10',
      '10 USD',
      ' 10',
      '10\n',
    ].map((text) => [text, 'USD', 'unreadable', 'unreadable'] as [string, string, string, string]),
    ...['1.0.0', '١٠', 'NaN', 'Infinity'].map(
      (text) => [text, 'JPY', 'unreadable', 'unreadable'] as [string, string, string, string],
    ),
    ...['usd', 'XXX', 'EURO', '', 'DEM'].map(
      (code) => ['10.00', code, 'currency', 'currency'] as [string, string, string, string],
    ),
  ])('%j of %j is %s; where whole numbers are refused, it is %s', (text, currency, major, refused) => {
    expect([read(text, currency, 'major'), read(text, currency, 'refused')]).toEqual([major, refused])
  })

  test.each([
    ['1,000', 'USD', 'has a comma between thousands', 'Write 1000.00'],
    ['10,000', 'JPY', 'has a comma between thousands', 'Write 10000'],
    ['1,000', 'KWD', 'could be 1.000 or 1000.000 KWD', 'Write 1.000'],
  ])('where a whole number is an amount, %j of %s %s: %s', (text, currency, wrong, remedy) => {
    expect(readAmount(text, currency, 'major')).toMatchObject({ wrong, remedy })
  })

  test.each([
    ['10', 'USD', 'could be 10.00 or 0.10 USD', 'Write 10.00'],
    ['1250', 'KWD', 'could be 1250.000 or 1.250 KWD', 'Write 1250.000'],
    ['10.005', 'USD', 'has too many decimals: USD has 2', 'Write an amount such as 10.00'],
    ['10.00', 'JPY', 'has too many decimals: JPY has none', 'Write an amount such as 1000'],
    ['ten', 'KWD', 'is not an amount', 'Write an amount such as 10.000'],
    ['10,50', 'USD', 'is not an amount', 'Write 10.50'],
    ['1,000,000.00', 'USD', 'is not an amount', 'Write 1000000.00'],
    ['10,000', 'KWD', 'is not an amount', 'Write an amount such as 10.000'], // or ten thousand
    ['99999999999.00', 'USD', 'is over the limit of 10000000000.00 USD', 'Write at most 10000000000.00'],
    ['10.00', 'usd', 'usd is not an active ISO 4217 currency', 'Did you mean USD?'],
    ['10.00', 'XXX', 'XXX is not an active ISO 4217 currency', 'Use a code in capitals, such as USD'],
  ])('%j of %s %s: %s', (text, currency, wrong, remedy) => {
    expect(readAmount(text, currency, 'refused')).toMatchObject({ wrong, remedy })
  })
})
