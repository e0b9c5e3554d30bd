import { test } from 'vitest'
import { inBrowser } from '../support/browser/browser.ts'
import { emptyPages, expectGoodLooks, fixedPages, lists, manyPages, openBusy } from './dashboard-looks.ts'

inBrowser('the dashboard while nothing is sold', () => {
  test(
    'every page of an empty sandbox fits 360 pixels, is reachable in full, and passes axe in light and dark',
    async () => {
      await expectGoodLooks(await openBusy(0), [...lists, ...fixedPages, ...emptyPages])
    },
    manyPages,
  )
})
