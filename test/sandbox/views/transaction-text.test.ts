import { expect, test } from 'vitest'
import { openDashboard } from '../../support/pages/dashboard.ts'

test('a text is found in ids, order, description, result, card and amount, each word by itself', async () => {
  const { get, sell } = await openDashboard()
  const named = (id: string) => ({ transactionRequestId: `REQ-${id}`, referenceOrderId: `ORDER-${id}` })
  const good = await sell(2399, { ...named('a'), referenceOrderId: 'Table-7', description: 'Two lunches' })
  const bad = await sell(9734, named('abc'))
  const yen = await sell(1800, { ...named('d'), priceCurrency: 'JPY' })
  const large = await sell(123_450, named('e'))
  /** Those, and whichever has the digits in its id, which is made of the time. */
  const orInId = (digits: string, ...found: string[]) =>
    [large, yen, bad, good].filter((id) => found.includes(id) || id.includes(digits))
  const find = async (q: string) => (await get(`/?q=${encodeURIComponent(q)}`)).listed
  expect(await find('23.99')).toEqual([good])
  expect(await find('$23.99')).toEqual([good])
  expect(await find('23.9')).toEqual([])
  expect(await find('1800')).toEqual(orInId('1800', yen))
  expect(await find('1,234.50')).toEqual([large])
  expect(await find('¥1,800')).toEqual([yen])
  expect(await find('051')).toEqual([bad])
  expect(await find('insufficient funds')).toEqual([bad])
  expect(await find('LUNCH')).toEqual([good])
  expect(await find('table lunch visa')).toEqual([good])
  expect(await find('table funds')).toEqual([])
  expect(await find('req-ABC')).toEqual([bad])
  expect(await find('visa 97.34')).toEqual([bad])
  expect(await find('1111')).toEqual([large, yen, bad, good])
  expect(await find(good.slice(4))).toEqual([good])
  expect(await find('mastercard')).toEqual([])
})
