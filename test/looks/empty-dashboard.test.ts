import { test } from 'vitest'
import { inBrowser } from '../support/browser/browser.ts'
import { expectGoodLooks, lists, nothing, openBusy, others } from '../support/pages/dashboard-looks.ts'

inBrowser('the dashboard while nothing is sold', () => {
  test('every page fits a window of 360 pixels, all can be reached, and axe finds nothing in light or dark', async () => {
    await expectGoodLooks(await openBusy(0), [...lists, ...others, ...nothing])
  })
})
