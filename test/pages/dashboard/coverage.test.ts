import { expect, test } from 'vitest'
import { followStream, openDashboard } from '../../support/pages/dashboard.ts'
import { attributesOf, pageOf, wordsOf } from '../../support/pages/page.ts'

test('without requests each situation has the line that makes it happen', async () => {
  const { url, get, read } = await openDashboard()
  expect(await read('/coverage')).toMatch(
    /0 of 74 Nothing was met yet.* All 74 Dealt with 0 Gap 0 Never met 74 .*Approved 0 of 10 /,
  )
  const { page } = await get('/coverage?state=unmet')
  expect(page.querySelectorAll('.situation').length).toBe(74)
  // The shell is told once where the sandbox is.
  const copied = attributesOf(page, '[data-copy]', 'data-copy')
  expect(copied[0]).toBe(`export TILLBOX_BASE_URL=${url}`)
  expect(copied).toContain('tillbox batch close --yes')
  expect(await read('/coverage?state=handled')).toContain('Nothing is dealt with yet')
})

test('a gap comes while the page is open, says what was left out, and leads to its payment', async () => {
  const { url, get, sell } = await openDashboard()
  const { until } = await followStream(`${url}/coverage/live?state=gap`)
  const transactionId = await sell(1000)
  const told = await until((text) => text.includes(`href="/transactions/${transactionId}"`))
  expect(wordsOf(pageOf(told))).toMatch(
    /Approved 0 of 10 Gap A sale is approved 1 time sale-approved Get the result .* Your code did not get the result: /,
  )
  expect((await get('/docs/guides/exam')).status).toBe(200)
})
