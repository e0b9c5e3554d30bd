import { expect, test } from 'vitest'
import { followStream, openDashboard, visibleText } from '../../support/pages/dashboard.ts'

test('without requests each situation has the line that makes it happen', async () => {
  const { url, get, read } = await openDashboard()
  const words = (path: string) => read(path)
  expect(await words('/coverage')).toMatch(
    /0 of 70 Nothing was met yet.* All 70 Dealt with 0 Gap 0 Never met 70 Approved 0 of 10 /,
  )
  const { text } = await get('/coverage?state=unmet')
  expect(text.match(/class="situation /g)).toHaveLength(70)
  expect(text).toContain(`data-copy="tillbox batch close --yes --base-url ${url}"`) // each command of a line names the sandbox
  expect(await words('/coverage?state=handled')).toContain('Nothing is dealt with yet')
})

test('a gap comes while the page is open, says what was left out, and leads to its payment', async () => {
  const { url, get, sell } = await openDashboard()
  const { until } = await followStream(`${url}/coverage/live?state=gap`)
  const transactionId = await sell(1000)
  const told = await until((text) => text.includes(`href="/transactions/${transactionId}"`))
  expect(visibleText(told)).toMatch(
    /Approved 0 of 10 Gap A sale 1 time sale-approved It learns the result .* It did not learn the result: /,
  )
  expect((await get('/docs/guides/coverage')).status).toBe(200)
})
