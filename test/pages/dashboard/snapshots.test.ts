import { expect, test } from 'vitest'
import { openDashboard, visibleText } from '../../support/pages/dashboard.ts'

test('the page saves the state, and compares a snapshot with now', async () => {
  const { get, post, sell, control } = await openDashboard()
  const first = await sell(1000)
  const { status, headers } = await post('/snapshots/save', { name: ' base ' })
  expect([status, headers.location]).toEqual([303, expect.stringMatching(/^\/snapshots\?notice=/)])
  const second = await sell(2000)
  await control('POST', 'faults', { kind: 'lost-answer' })
  const words = visibleText((await get('/snapshots?compare=base')).text)
  expect(words).toContain('Changes from base to now')
  expect(words).toContain(`Added ${second} SALE 20.00 USD SUCCESS`)
  expect(words).toMatch(/Changed TBX-AUTO-001 1 \S+ count 1 → 2, net 10\.00 USD → 30\.00 USD/)
  expect(words).toContain('Changed faults none → f1 lost-answer (used 0)')
  expect(words).not.toContain(`Added ${first}`)
})

test('two snapshots are compared: once one is chosen, the others lead to the comparison with it', async () => {
  const { get, post, sell } = await openDashboard()
  await post('/snapshots/save', { name: 'base' })
  const id = await sell(1000)
  await post('/snapshots/save', { name: 'later' })
  await sell(2000)
  const { text } = await get('/snapshots?compare=base')
  expect(text).toContain('href="/snapshots?compare=base&amp;to=later#differences-title"')
  const words = visibleText((await get('/snapshots?compare=base&to=later')).text)
  expect(words).toContain('Changes from base to later')
  expect(words).toContain(`Added ${id} SALE 10.00 USD SUCCESS`)
  expect(words).not.toContain('20.00 USD SUCCESS')
})

test('a snapshot that does not differ from now says so; one that is not there is refused', async () => {
  const { get, post } = await openDashboard()
  await post('/snapshots/save', { name: 'base' })
  expect(visibleText((await get('/snapshots?compare=base')).text)).toContain('Nothing differs')
  const { status, text } = await get('/snapshots?compare=bse')
  expect(status).toBe(404)
  expect(visibleText(text)).toContain('There is no such snapshot')
})

test.each([
  ['base', 'base exists already'],
  ['../x', 'Use 1 to 64 letters'],
])('the name %s is refused at its field, where it stays typed', async (name, message) => {
  const { post } = await openDashboard()
  await post('/snapshots/save', { name: 'base' })
  const { status, text } = await post('/snapshots/save', { name })
  expect(status).toBe(422)
  expect(/<input[^>]* autofocus=""[^>]*>/.exec(text)?.[0]).toContain(`value="${name}"`)
  expect(visibleText(text)).toContain(message)
})
