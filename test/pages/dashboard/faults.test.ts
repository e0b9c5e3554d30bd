import { describe, expect, test } from 'vitest'
import { followStream, openDashboard, visibleText } from '../../support/pages/dashboard.ts'
import { sale } from '../../support/service/service.ts'

describe('the page of faults', () => {
  test('the page says that no fault is injected, and how to inject one', async () => {
    const { get } = await openDashboard()
    const { status, text } = await get('/faults')
    expect(status).toBe(200)
    expect(visibleText(text)).toContain('No fault is injected')
    expect(text).toContain('tillbox sandbox fault lost-answer --operation sale')
    expect(visibleText(text)).toContain('The faults delay and reorder apply until cleared.')
  })

  test('the form injects a fault without scripts, the list shows it, and its button removes it', async () => {
    const { get, post, control } = await openDashboard()
    const form = { kind: ' http-503=2 ', operation: 'sale', terminalSn: 'TBX-AUTO-001', times: '3' }
    const { status, headers } = await post('/faults', form)
    expect([status, headers.location]).toEqual([303, expect.stringMatching(/^\/faults\?notice=/)])
    await post('/faults', { kind: 'latency=5', operation: '', terminalSn: '', times: 'always' })
    await post('/faults', { kind: 'reorder=3', times: '' })
    await post('/faults', { kind: 'empty', times: '' })
    const { data } = JSON.parse((await control('GET', 'faults')).text)
    expect(data.faults.map(({ kind, times }: { kind: string; times: number }) => [kind, times])).toEqual([
      ['http-503=2', 3],
      ['latency=5', null],
      ['reorder=3', null],
      ['empty', 1],
    ])
    const { text } = await get('/faults')
    expect(visibleText(text)).toContain('http-503=2 sale at TBX-AUTO-001, 3 times On 0 Remove f1, http-503=2')
    expect(text).toContain('<form method="post" action="/faults/f1/clear">')
    expect((await post('/faults/f1/clear')).headers.location).toMatch(/^\/faults\?notice=/)
    expect((await get('/faults')).text).not.toContain('http-503=2 ')
    await post('/faults/clear')
    expect(visibleText((await get('/faults')).text)).toContain('No fault is injected')
  })

  test.each([
    [{ kind: 'lost-anser' }, 'did you mean lost-answer?'],
    [{ kind: '' }, 'is not a fault'],
    [{ kind: 'empty', operation: 'sell' }, 'must be one of'],
    [{ kind: 'empty', times: '-1' }, 'at least 1'],
    [{ kind: 'empty', times: 'often' }, 'must be an integer'],
  ])('a form with %j is refused in place, keeps its input, and changes nothing', async (form, message) => {
    const { post, control } = await openDashboard()
    const { status, text } = await post('/faults', { ...form, terminalSn: 'TBX-AUTO-001' })
    expect(status).toBe(422)
    expect(text).toMatch(new RegExp(`name="kind"[^>]* value="${form.kind}"`))
    expect(text).toMatch(/name="terminalSn"[^>]* value="TBX-AUTO-001"/)
    expect(visibleText(text)).toContain(message)
    expect(JSON.parse((await control('GET', 'faults')).text).data.faults).toEqual([])
  })

  test('the list follows faults as they are added and used up', async () => {
    const { url, control, call } = await openDashboard()
    const { until } = await followStream(`${url}/faults/live`)
    await control('POST', 'faults', { kind: 'latency=1' })
    await until((push) => push.includes('latency=1') && push.includes('On'))
    await call('sale', sale(1000))
    await until((push) => push.includes('Used up'))
  })

  test('text from requests is shown as text', async () => {
    const { get, control } = await openDashboard()
    await control('POST', 'faults', { kind: 'empty', terminalSn: '<img src=x onerror=alert(1)>' })
    for (const path of ['/faults', '/']) expect((await get(path)).text).not.toContain('<img src=x')
  })
})

test('every page names the fault that is on and leads to the page of faults', async () => {
  const { get, control } = await openDashboard()
  await control('POST', 'faults', { kind: 'lost-answer', operation: 'sale' })
  for (const path of ['/', '/requests', '/terminals']) {
    const { text } = await get(path)
    expect(visibleText(text)).toContain('Faults lost-answer for sale lost-answer for sale Remove')
    expect(text).toContain('href="/faults">')
  }
})

test('the page of a request says which fault was injected, beside the answer that would have come', async () => {
  const { get, call, sandbox } = await openDashboard()
  const { transactionId } = await call('sale', sale(1000), { 'X-Sandbox-Fault': 'latency=1' })
  const { traceId } = sandbox.log.list().at(-1) ?? {}
  const words = visibleText((await get(`/requests/${traceId}`)).text)
  expect(words).toContain('Injected fault latency=1')
  expect(words).toContain('Answer without the fault')
  expect(words).toContain(transactionId)
  expect(visibleText((await get('/requests')).text)).toContain('injected fault: latency=1')
})
