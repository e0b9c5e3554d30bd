import { describe, expect, test } from 'vitest'
import { endlessClause } from '../../../src/contract/control/faults.ts'
import { followStream, openDashboard } from '../../support/pages/dashboard.ts'
import { attributesOf, byRole, linkTo, namesOf, pageOf } from '../../support/pages/page.ts'
import { sale } from '../../support/service/service.ts'

/** A dashboard, and the faults that are injected. */
async function openFaults() {
  const dashboard = await openDashboard()
  const faults = async () => (await dashboard.data('faults')).faults
  return { ...dashboard, faults }
}

describe('presets of faults', () => {
  test('a preset is started for some minutes by one press, started anew, and ended by another', async () => {
    const { post, control, faults, read } = await openFaults()
    await control('POST', 'clock', { action: 'freeze' })
    await control('POST', 'clock', { action: 'set', time: '2026-12-24T18:00:00Z' })
    await control('POST', 'faults', { kind: 'http-500', always: true })
    const press = (fields: Record<string, string>) => post('/faults/presets', fields)
    await press({ start: 'bad-wifi', minutes: '1' })
    const { status, headers } = await press({ start: 'bad-wifi', minutes: '5' })
    expect([status, headers.location]).toEqual([303, expect.stringMatching(/^\/faults\?notice=/)])
    expect(await faults()).toMatchObject([
      { kind: 'http-500' },
      { kind: 'lost-answer', share: 0.2, times: null, until: expect.stringContaining('T18:05:') },
      { kind: 'latency=500-3000', share: null, times: null, until: expect.stringContaining('T18:05:') },
    ])
    const words = await read('/faults')
    expect(words).toMatch(/Bad Wi-Fi .* On until 18:05:00 UTC End Bad Wi-Fi Service down/)
    await press({ end: 'bad-wifi', minutes: '5' })
    expect(await faults()).toMatchObject([{ kind: 'http-500' }])
  })

  test('a preset is over once the clock is there', async () => {
    const { url, post, control, read } = await openFaults()
    await post('/faults/presets', { start: 'bank-down', minutes: '30' })
    const { until } = await followStream(`${url}/faults/live`)
    const endsIn = (push: string) => namesOf(pageOf(push), 'button').some((name) => name.startsWith('End '))
    await until(endsIn)
    await control('POST', 'clock', { action: 'advance', milliseconds: 30 * 60_000 - 200 })
    await until((push) => push.includes('Over') && !endsIn(push)) // nobody did anything
    expect(await read('/faults')).toContain('Start Service down')
  })

  test.each([
    { start: 'no-wifi', minutes: '5' },
    { start: 'bad-wifi', minutes: '7' },
  ])('%j starts nothing', async (fields) => {
    const { post, faults } = await openFaults()
    expect((await post('/faults/presets', fields)).status).toBe(400)
    expect(await faults()).toEqual([])
  })
})

describe('the page of faults', () => {
  test('the page says that no fault is injected', async () => {
    const { get } = await openDashboard()
    const { status, words } = await get('/faults')
    expect([status, words]).toEqual([200, expect.stringContaining('No fault is injected')])
    expect(words).toContain(`The faults ${endlessClause}.`)
  })

  test('the form injects a fault without scripts, the list shows it, and its button removes it', async () => {
    const { get, post, faults, read } = await openFaults()
    const form = { kind: ' http-503=2 ', operation: 'sale', terminalSn: 'TBX-AUTO-001', times: '3' }
    const { status, headers } = await post('/faults', form)
    expect([status, headers.location]).toEqual([303, expect.stringMatching(/^\/faults\?notice=/)])
    await post('/faults', { kind: 'latency=5', operation: '', terminalSn: '', times: 'always' })
    await post('/faults', { kind: 'reorder=3', times: '' })
    await post('/faults', { kind: 'empty', times: '' })
    expect(await faults()).toMatchObject([
      { kind: 'http-503=2', times: 3 },
      { kind: 'latency=5', times: null },
      { kind: 'reorder=3', times: null },
      { kind: 'empty', times: 1 },
    ])
    const { page, words } = await get('/faults')
    expect(words).toContain('http-503=2 sale at TBX-AUTO-001, 3 times 0 Remove f1, http-503=2')
    const remove = byRole(page, 'button', 'Remove f1, http-503=2').closest('form[method=post]')
    expect(remove?.getAttribute('action')).toBe('/faults/f1/clear')
    expect((await post('/faults/f1/clear')).headers.location).toMatch(/^\/faults\?notice=/)
    expect(await read('/faults')).not.toContain('http-503=2 ')
    await post('/faults/clear')
    expect(await read('/faults')).toContain('No fault is injected')
  })

  test('a card has its sentence and its values, of which a form writes the fault', async () => {
    const { post, faults, read } = await openFaults()
    const words = await read('/faults')
    expect(words).toMatch(/Answers, before anything happens .*Settlement .*Webhooks drop Never sent\./)
    expect(words).toContain('slow-drip The answer arrives slowly')
    const values = { 'latency-0': '500-3000', 'http-status-0': '429', 'http-status-1': '', times: '10' }
    await post('/faults', { kind: 'latency', share: '20 %', ...values, times: 'always' })
    await post('/faults', { kind: 'http-<status>', ...values })
    await post('/faults', { kind: 'reorder', 'reorder-0': '4', ...values })
    await post('/faults', { kind: 'outcome', 'outcome-0': 'expired-card', operation: 'refund', share: ' ' })
    expect(await faults()).toMatchObject([
      { kind: 'latency=500-3000', share: 0.2, times: null },
      { kind: 'http-429', share: null, times: 10 },
      { kind: 'reorder=4', times: null },
      { kind: 'outcome=expired-card', operation: 'refund', times: 1, share: null },
    ])
  })

  test.each([
    [
      { kind: 'latency', 'latency-0': 'soon' },
      'latency-0',
      '“soon” is not a duration: write it such as 2s. Or a range, 500ms-3s; or a median in milliseconds',
    ],
    [{ kind: 'http-<status>', 'http-status-0': '700' }, 'http-status-0', 'use http-400 to http-599'],
    [
      { kind: 'http-<status>', 'http-status-0': '503', 'http-status-1': '-1' },
      'http-status-1',
      '“http-503=-1” has a value that cannot be read',
    ],
    [{ kind: 'empty', share: '120' }, 'share', 'must be more than 0, and at most 100'],
    [{ kind: 'empty', share: '0' }, 'share', 'must be more than 0, and at most 100'],
    [{ kind: 'empty', share: '%' }, 'share', 'must be more than 0, and at most 100'],
  ])('a form with %j is refused at its field, which has the keyboard', async (form, name, message) => {
    const { post, faults } = await openFaults()
    const { status, page, words } = await post('/faults', form)
    expect(status).toBe(422)
    expect(attributesOf(page, '[autofocus]', 'name')).toEqual([name])
    expect(attributesOf(page, '[name=kind][checked]', 'value')).toEqual([form.kind])
    expect(words).toContain(message)
    expect(await faults()).toEqual([])
  })

  test.each([
    [{ kind: 'lost-anser' }, 'did you mean lost-answer?'],
    [{ kind: '' }, 'is not a fault'],
    [{ kind: 'empty', operation: 'sell' }, 'must be one of'],
    [{ kind: 'empty', times: '-1' }, 'at least 1'],
    [{ kind: 'empty', times: 'often' }, 'must be an integer'],
  ])('a form with %j is refused in place, keeps its input, and changes nothing', async (form, message) => {
    const { post, faults } = await openFaults()
    const { status, page, words } = await post('/faults', { ...form, terminalSn: 'TBX-AUTO-001' })
    expect(status).toBe(422)
    expect(attributesOf(page, 'main [name=terminalSn]', 'value')).toEqual(['TBX-AUTO-001'])
    expect(words).toContain(message)
    expect(await faults()).toEqual([])
  })

  test('the list follows faults as they are added and used up', async () => {
    const { url, control, call } = await openDashboard()
    const { until } = await followStream(`${url}/faults/live`)
    await control('POST', 'faults', { kind: 'latency=1' })
    await until((push) => push.includes('latency=1') && !push.includes('Used up'))
    await call('sale', sale(1000))
    await until((push) => push.includes('Used up'))
  })
})

test('every page names the fault that is on and leads to the page of faults', async () => {
  const { get, control } = await openDashboard()
  await control('POST', 'faults', { kind: 'lost-answer', operation: 'sale' })
  for (const path of ['/', '/requests', '/terminals']) {
    const { page, words } = await get(path)
    expect(words).toContain('Faults lost-answer for sale Remove lost-answer for sale')
    expect(linkTo(page, 'Faults')).toBe('/faults')
  }
})

test('the page of a request says which fault was injected, beside the answer that would have come', async () => {
  const { call, sandbox, read } = await openDashboard()
  const { transactionId } = await call('sale', sale(1000), { 'X-Sandbox-Fault': 'latency=1' })
  const { traceId } = sandbox.log.list().at(-1) ?? {}
  const words = await read(`/requests/${traceId}`)
  expect(words).toContain('Injected fault latency=1')
  expect(words).toContain('Answer without the fault')
  expect(words).toContain(transactionId)
  expect(await read('/requests')).toContain('fault: latency=1')
  await call('sale', sale(1000), { 'X-Sandbox-Fault': 'http-503' }).catch(() => undefined)
  expect(await read('/requests')).toMatch(/fault: http-503(?!, http)/)
})
