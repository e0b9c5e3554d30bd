import { expect, test } from 'vitest'
import { checkedOptions } from '../../../src/server/checked-options.ts'

test.each([
  [undefined, 'do-not-honor'],
  [true, 'do-not-honor'],
  [false, undefined],
])('assumption outcome-order: with triggerAmounts %s 98.23 selects %s', async (triggerAmounts, name) => {
  const { catalogue } = await checkedOptions({
    host: '127.0.0.1',
    ...(triggerAmounts !== undefined && { triggerAmounts }),
  })
  expect(catalogue.outcomeOfAmount(9823)?.name).toBe(name)
  expect(catalogue.outcomeNamed('do-not-honor')?.amount).toBe(name && 9823)
})
