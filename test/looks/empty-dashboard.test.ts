import { test } from 'vitest'
import { inBrowser } from '../support/browser.ts'
import { expectGoodLooks, lists, nothing, openBusy, others } from '../support/dashboard-looks.ts'

inBrowser('the dashboard while nothing is sold', () => {
  test('every page looks good, on a small telephone too', async () => {
    await expectGoodLooks(await openBusy(0), [...lists, ...others, ...nothing])
  })
})
