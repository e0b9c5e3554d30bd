import { expect, test } from 'vitest'
import { openDashboard } from '../../support/pages/dashboard.ts'
import { attributesOf, byRole, hiddenFields, hrefsIn, wordsOf } from '../../support/pages/page.ts'

const headsOf = (page: Document): string[] =>
  [...byRole(page, 'table').querySelectorAll('th[scope=col]')].map(wordsOf)

test('the list has the columns of its address in the standard order, and always amount and type', async () => {
  const { get, sell } = await openDashboard()
  await sell(9734, { description: 'Two cups', referenceOrderId: 'ORDER-1' })
  const heads = async (query: string) => headsOf((await get(`/${query}`)).page)
  expect(await heads('')).toEqual(['Status', 'Amount', 'Type', 'Card', 'Terminal', 'Order', 'Time'])
  const chosen = '?columns=order,card,description'
  expect(await heads(chosen)).toEqual(['Amount', 'Type', 'Card', 'Order', 'Description'])
  expect(wordsOf(byRole((await get(`/${chosen}`)).page, 'table'))).toContain(
    '$97.34 Sale Sale Visa ··1111 ORDER-1 Two cups',
  )
  expect(await heads('?columns=none')).toEqual(['Amount', 'Type'])
})

test('unknown columns are reported, and the default ones shown', async () => {
  const { get, sell } = await openDashboard()
  await sell(1000)
  const { status, page, words } = await get('/?columns=id,colour')
  expect(status).toBe(422)
  expect(words).toContain('The columns must be none, or some of status, card, terminal,')
  expect(headsOf(page)).toHaveLength(7)
})

test('the menu leads to an address with the chosen columns, and keeps the filters', async () => {
  const { get } = await openDashboard()
  const locationOf = async (query: string) => {
    const { status, headers } = await get(`/columns?${query}`)
    expect(status).toBe(303)
    return headers.location
  }
  expect(await locationOf('status=declined&since=24h&column=id&column=card')).toBe(
    '/?status=declined&since=24h&columns=card%2Cid',
  )
  expect(await locationOf('q=latte')).toBe('/?q=latte&columns=none')
  const usual = ['status', 'card', 'terminal', 'order', 'time'].map((each) => `column=${each}`)
  expect(await locationOf(usual.join('&'))).toBe('/')
  expect(await locationOf('column=%2F%2Felsewhere.example')).toBe('/?columns=none')
})

test('chips, ranges, bars and links to other pages keep the columns', async () => {
  const { get, sellMany } = await openDashboard()
  await sellMany(30)
  const { page } = await get('/?status=approved&columns=card,id')
  const links = hrefsIn(page).filter((href) => href.startsWith('/?'))
  expect(links.length).toBeGreaterThan(5)
  expect(links.filter((link) => !link.includes('columns=card%2Cid'))).toEqual(['/?status=approved']) // Reset
  expect(hiddenFields(byRole(page, 'main')).columns).toBe('card,id')
  expect(attributesOf(page, '[sse-connect]', 'sse-connect')).toEqual([
    expect.stringMatching(/^\/live\?.*columns=card%2Cid/),
  ])
})
