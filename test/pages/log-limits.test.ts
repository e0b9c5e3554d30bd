import { expect, test } from 'vitest'
import { openDashboard } from '../support/pages/dashboard.ts'

test('the pages say that the log of a state folder is in memory and lost after a restart', async () => {
  const { read, sell, sandbox } = await openDashboard()
  const id = await sell(1000)
  await sandbox.log.clear()
  const texts = [await read('/requests?status=refused'), await read(`/transactions/${id}?tab=requests`)]
  const gone = 'the last 1,000; it is cleared on restart.'
  expect(texts.map((text) => text.match(/the last 1,000[^.]*\./gi))).toEqual([
    ['The last 1,000, kept in memory.'],
    [gone],
  ])
})
