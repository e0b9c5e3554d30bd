import { expect, test } from 'vitest'
import { openDashboard } from '../../support/pages/dashboard.ts'
import { attributesOf, hrefsIn } from '../../support/pages/page.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

test('the rail lists what falls due, the next first, with the page of each', async () => {
  const receiver = await openReceiver(503)
  const dashboard = await openDashboard({ notifyUrl: receiver.url })
  await dashboard.control('POST', 'clock', { action: 'freeze' })
  const waiting = await dashboard.sell(2550, { terminalSn: 'TBX-ATTENDED-001' })
  await dashboard.sell(1000)
  await expect
    .poll(() => dashboard.read('/clock'))
    .toMatch(/Webhook to 127\.0\.0\.1:.*: Sale of \$10\.00, attempt 2/)
  const { page, words } = await dashboard.get('/clock')
  expect(hrefsIn(page)).toContain(`/transactions/${waiting}`)
  expect(words).toMatch(
    /in [\d.]+ s · [\d:]+ Webhook to .*: Sale of \$10\.00, attempt 2.*in 1 d · [-\d]+ [\d:]+ Expires: Sale of \$25\.50 at TBX-ATTENDED-001/,
  )
})

test('what falls due at the same time has one button', async () => {
  const dashboard = await openDashboard()
  await dashboard.control('POST', 'clock', { action: 'freeze' })
  for (const amount of [2550, 990]) await dashboard.sell(amount, { terminalSn: 'TBX-ATTENDED-001' })
  const { page, words } = await dashboard.get('/clock')
  expect(attributesOf(page, 'button[name=time]', 'value')).toHaveLength(1)
  expect(words).toMatch(/in 1 d · [-\d]+ [\d:]+ Expires: Sale of \$25\.50 .*Expires: Sale of \$9\.90/)
})

test('the clock goes to the chosen event, which happens', async () => {
  const dashboard = await openDashboard()
  const waiting = await dashboard.sell(2550, { terminalSn: 'TBX-ATTENDED-001' })
  const [until = ''] = attributesOf((await dashboard.get('/clock')).page, 'button[name=time]', 'value')
  const { status } = await dashboard.post('/clock', { order: 'until', time: until })
  expect(status).toBe(303)
  expect(await dashboard.read(`/transactions/${waiting}`)).toContain('Closed unpaid')
  expect(await dashboard.read('/clock')).toContain('Nothing is due.')
})
