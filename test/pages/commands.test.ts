import { expect, test } from 'vitest'
import { openDashboard } from '../support/pages/dashboard.ts'
import { sale, secondKey } from '../support/service/service.ts'

const ofSecond = `--merchant-id M2000000001 --api-key ${secondKey}`

test('the command of a request acts for its merchant, at the address of the sandbox', async () => {
  const { get, call, data, url } = await openDashboard()
  const members = sale(1000, { appId: 'tbxapp0000000002', merchantId: 'M2000000001' })
  const key = { Authorization: `Bearer ${secondKey}` }
  await call('sale', { ...members, terminalSn: 'TBX-OTHER-001' }, key)
  const { requests } = await data('requests?operation=sale')
  const request = (await get(`/requests/${requests[0].traceId}`)).text
  expect(request).toContain('--terminal TBX-OTHER-001')
  expect(request).toContain(`--api-key ${secondKey} --base-url ${url}`)
})

test('the command for an idle terminal has the key of its merchant, or a shell variable if the key is not public', async () => {
  const { control, url, read } = await openDashboard()
  await control('POST', 'merchants', { merchantId: 'M3', terminals: ['INN-1'] })
  for (const [serial, flags] of [
    ['TBX-OTHER-001', ofSecond],
    ['INN-1', `--merchant-id M3 --api-key "\${TILLBOX_API_KEY:?set it to your API key}"`],
  ] as const) {
    await control('PATCH', `terminals/${serial}`, { mode: 'attended' })
    expect(await read(`/terminal/${serial}`)).toContain(
      `tillbox sale --amount 12.50 --terminal ${serial} ${flags} --base-url ${url}`,
    )
  }
})

test('a terminal of no merchant shows the command that pairs it', async () => {
  const { control, url, read } = await openDashboard()
  await control('POST', 'terminals', { terminalSn: 'DESK-2', unpaired: true })
  expect(await read('/terminal/DESK-2')).toMatch(
    new RegExp(`tillbox terminal pair [A-Z0-9-]{4,} --base-url ${url}`),
  )
})
