import { describe, expect } from 'vitest'
import { followStream, openDashboard, refundRequest } from '../../support/pages/dashboard.ts'
import { attributesOf, pageOf, wordsOf } from '../../support/pages/page.ts'
import { sideBySide } from '../../support/runner/side-by-side.ts'
import { following, sale } from '../../support/service/service.ts'

describe('the stream of a page', () => {
  const waiting = sideBySide()

  waiting('the stream pushes every piece at first, then only those that changed', async () => {
    const { url, sell } = await openDashboard()
    const { pushes, until } = await followStream(`${url}/live`)
    await until((push) => push.includes('No payments yet'))
    const pieces = attributesOf(pageOf(String(pushes[0])), '[hx-swap-oob=innerHTML]', 'id')
    expect(pieces).toEqual(
      expect.arrayContaining([
        ...['sandbox-on', 'sandbox-clock', 'sandbox-faults', 'sandbox-queued', 'list', 'chart'],
      ]),
    )
    const id = await sell(1000)
    const later = await until((push) => push.includes(`row-${id}`))
    expect(later).toContain('event: fragments')
    expect(pageOf(later).getElementById('sandbox-faults')).toBeNull()
  })

  waiting('the stream of a transaction also pushes what happens to its captures', async () => {
    const { url, call } = await openDashboard()
    const { transactionId: auth } = await call('auth', sale(5000))
    const { transactionId: capture } = await call('post-auth', following(auth, { amount: 3000 }))
    const { until } = await followStream(`${url}/transactions/${auth}/live`)
    await until((push) => push.includes(capture))
    const { transactionId: refund } = await call('refund', refundRequest(capture, 1000))
    await until((push) => push.includes(refund))
  })

  waiting('the stream keeps to the filters of the page', async () => {
    const { url, sell } = await openDashboard()
    const { pushes, until } = await followStream(`${url}/live?status=declined`)
    await until(() => true)
    const good = await sell(1000)
    const bad = await sell(9734)
    await until((push) => push.includes(`row-${bad}`))
    expect(pushes.join()).not.toContain(`row-${good}`)
  })

  waiting(
    'the stream of a busy page pushes at most once a second, and the last push is current',
    async () => {
      const { url, sellMany, sandbox } = await openDashboard()
      const { pushes, until } = await followStream(`${url}/live`)
      await until(() => true)
      const started = performance.now()
      const ids = await sellMany(120)
      await until((push) => push.includes(`row-${ids.at(-1)}`))
      expect(pushes.length).toBeLessThanOrEqual(3 + (performance.now() - started) / 1000)
      expect(sandbox.statistics.current.transactions).toHaveLength(120)
    },
  )

  for (const path of ['/transactions/:id/live', '/batches/live', '/webhooks/live'])
    waiting(`the stream ${path} pushes a refund when it is made`, async () => {
      const { url, sell, call } = await openDashboard({ notifyUrl: 'http://127.0.0.1:9/hook' })
      const id = await sell(1000)
      const { until } = await followStream(`${url}${path.replace(':id', id)}`)
      await until(() => true)
      const { transactionId: refund } = await call('refund', refundRequest(id, 400))
      await until((push) => push.includes(path.startsWith('/batches') ? '$6.00' : refund))
    })

  waiting('the stream pushes changes of the clock and of faults', async () => {
    const { url, control } = await openDashboard()
    const { until } = await followStream(`${url}/batches/live`)
    await until(() => true)
    await control('POST', 'clock', { action: 'advance', milliseconds: 3_600_000 })
    await until((push) => {
      const on = pageOf(push).getElementById('sandbox-on')
      return on !== null && wordsOf(on) === '+1 h'
    })
    const other = await followStream(`${url}/webhooks/live`)
    await other.until(() => true)
    await control('POST', 'faults', { kind: 'drop', share: 0.5 })
    await other.until((push) => push.includes('drop 50 %'))
  })

  waiting('an open list says each endpoint from the second one on, and the day that is today', async () => {
    const { url, sell, control } = await openDashboard({ notifyUrl: 'http://127.0.0.1:9/one' })
    await control('POST', 'clock', { action: 'freeze' })
    await sell(1000)
    const webhooks = await followStream(`${url}/webhooks/live`)
    const transactions = await followStream(`${url}/live`)
    const endpoints = (push: string) => pageOf(push).querySelectorAll('th .under.code').length
    expect(endpoints(await webhooks.until((push) => push.includes('9/one')))).toBe(0)
    await transactions.until((push) => push.includes('Today, '))
    await control('POST', 'clock', { action: 'advance', milliseconds: 86_400_000 })
    await sell(1000, { notifyUrl: 'http://127.0.0.1:9/two' })
    await webhooks.until((push) => endpoints(push) === 2)
    const days = (push: string) => [...pageOf(push).querySelectorAll('.day')].map(wordsOf)
    const both = await transactions.until((push) => days(push).length === 2)
    expect(days(both).map((day) => day.startsWith('Today, '))).toEqual([true, false])
  })

  waiting('the stream survives a reset and then shows an empty list', async () => {
    const { url, sell, control } = await openDashboard()
    const id = await sell(1000)
    const { pushes, until } = await followStream(`${url}/live`)
    await until((push) => push.includes(`row-${id}`))
    const record = await followStream(`${url}/transactions/${id}/live`)
    await record.until(() => true)
    await control('POST', 'reset')
    await until((push) => push.includes('No payments yet'))
    expect(pushes.at(-1)).toContain('No payments yet')
    await record.until((push) => push.includes('no longer exists'))
  })

  waiting(
    'the stream says when its transaction does not exist, and is refused for a card number',
    async () => {
      const { get, url } = await openDashboard()
      const { until } = await followStream(`${url}/transactions/1/live`)
      await until((push) => push.includes('The page shows its last state'))
      expect((await get('/live?q=4485275742308327')).status).toBe(400)
    },
  )
})
