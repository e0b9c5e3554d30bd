import { describe, expect, test } from 'vitest'
import type { ScreenAction, ScreenName } from '../../src/contract/control/screens.ts'
import { builtIn } from '../../src/domain/fixtures.ts'
import { createState } from '../../src/domain/state.ts'
import { fleetStateOf } from '../../src/pages/terminal/fleet/fleet.tsx'
import { hrefsIn, namesOf, pageOf, wordsOf } from '../support/pages/page.ts'
import { fetchPlain } from '../support/pages/shop-front.ts'
import { openTerminalPage, terminalSn } from '../support/pages/terminal-page.ts'
import { liveOf } from '../support/service/live.ts'

/** Serial and state of each terminal of the row on the first page, in order. */
const minisIn = (html: string) =>
  [...pageOf(html).querySelectorAll('[id^=mini-]')].map((mini) => ({
    id: mini.id.replace('mini-', ''),
    state: mini.getAttribute('data-state'),
  }))

/** Serial, address and words of each row of the table, in order. */
const rowsIn = (html: string) =>
  [...pageOf(html).querySelectorAll('th [id^=row-]')].map((link) => ({
    id: link.id.replace('row-', ''),
    href: link.getAttribute('href'),
    words: wordsOf(link.closest('tr') as Element),
  }))

describe('the state of a terminal', () => {
  test.each<[ScreenName, ScreenAction[], string]>([
    ['idle', [], 'idle'],
    ['result', [], 'idle'],
    ['present-card', ['present', 'cancel'], 'waiting'],
    ['pin', ['pin', 'cancel'], 'waiting'],
    ['present-card', ['cancel'], 'processing'],
    ['processing', [], 'processing'],
    ['offline', [], 'offline'],
    ['pairing', [], 'unpaired'],
  ])('a terminal with the screen %s and the acts %j is %s', (screen, acts, state) => {
    expect(fleetStateOf({ screen, acts })).toBe(state)
  })
})

describe('/terminals', () => {
  test('a text finds terminals by serial number, name and merchant', async () => {
    const { url, control } = await openTerminalPage()
    await control('POST', 'terminals', { terminalSn: 'DESK-1', label: 'Front counter' })
    const found = async (q: string) =>
      rowsIn((await fetchPlain(`${url}/terminals?q=${q}`)).text).map(({ id }) => id)
    expect(await found('desk')).toEqual(['DESK-1'])
    expect(await found('front')).toEqual(['DESK-1'])
    expect(await found('books')).toEqual(['TBX-OTHER-001'])
    expect(await found('nowhere')).toEqual([])
  })

  test('the page lists every terminal with its merchant, what it shows, its last payment, and how many payments wait', async () => {
    const { url, sell, control } = await openTerminalPage()
    await control('POST', 'terminals', { terminalSn: 'DESK-1', label: 'Front counter' })
    await control('POST', 'terminals', { terminalSn: 'DESK-2', unpaired: true })
    await sell(1800, { description: 'Lunch' })
    expect(namesOf((await fetchPlain(`${url}/terminals`)).page, 'columnheader')).not.toContain('In line')
    await sell(900)
    await sell(700, { terminalSn: 'TBX-AUTO-001' })
    const rows = rowsIn((await fetchPlain(`${url}/terminals`)).text)
    const wordsOf = (id: string) => rows.find((row) => row.id === id)?.words
    expect(rows[0]).toMatchObject({ id: terminalSn, href: `/terminal/${terminalSn}` })
    expect(wordsOf(terminalSn)).toMatch(
      /^TBX-ATTENDED-001 Tillbox Coffee Tillbox Coffee · in line: 1 Tillbox Coffee Present card Now \$18\.00 1$/,
    )
    expect(wordsOf('DESK-1')).toMatch(
      /^DESK-1 Front counter Front counter · Tillbox Coffee Tillbox Coffee Tillbox Coffee Ready/,
    )
    expect(wordsOf('DESK-2')).toMatch(/^DESK-2 Pairing code [A-Z0-9-]{4,}$/)
    expect(wordsOf('TBX-OFFLINE-001')).toContain('Offline')
    expect(wordsOf('TBX-AUTO-001')).toMatch(/ Approved \$7\.00 \d\d-\d\d \d\d:\d\d$/)
    const { terminals } = await control('GET', 'terminals')
    expect(rows).toHaveLength(terminals.length)
  })

  test('a sandbox with one merchant needs no column for it', async () => {
    const { url, sandbox } = await openTerminalPage()
    const applications = builtIn.applications
      .slice(0, 1)
      .map((each) => ({ ...each, merchants: each.merchants.slice(0, 1) }))
    await sandbox().engine.reset(() => createState({ ...builtIn, applications }))
    const { page, text } = await fetchPlain(`${url}/terminals`)
    expect(rowsIn(text).length).toBeGreaterThan(1)
    expect(namesOf(page, 'columnheader')).not.toContain('Merchant')
  })

  test('the page follows payments, their results, and new terminals', async () => {
    const { url, sell, act, control } = await openTerminalPage()
    const live = await liveOf(`${url}/terminals/live`)
    const next = async () => rowsIn(await live.next()).find(({ id }) => id === terminalSn)?.words
    expect(await next()).toContain('Ready')
    await sell(1800)
    expect(await next()).toContain('Present card Now $18.00')
    await act('present', { card: 'visa-declined' })
    expect(await next()).toMatch(/Ready Declined \$18\.00/) // which the terminal still shows
    await control('POST', 'terminals', { terminalSn: 'DESK-1' })
    expect(rowsIn(await live.next()).map(({ id }) => id)).toContain('DESK-1')
  })

  test('those that wait come first, and the address chooses those of a merchant or a state', async () => {
    const { url, sell, control } = await openTerminalPage()
    await control('POST', 'terminals', { terminalSn: 'DESK-2', unpaired: true })
    await sell(1800)
    const rows = async (query: string) => rowsIn((await fetchPlain(`${url}/terminals${query}`)).text)
    const all = await rows('')
    expect([all[0]?.id, all.at(-1)?.id]).toEqual([terminalSn, 'DESK-2'])
    expect((await rows('?state=waiting')).map(({ id }) => id)).toEqual([terminalSn])
    expect((await rows('?state=offline&merchant=M1000000001')).map(({ id }) => id)).toEqual([
      'TBX-OFFLINE-001',
    ])
    expect((await rows('?merchant=M2000000001')).every(({ words }) => words.includes('Tillbox Books'))).toBe(
      true,
    )
    expect(await rows('?state=nowhere&merchant=none')).toHaveLength(all.length)
    const { page, words } = await fetchPlain(`${url}/terminals?state=processing&merchant=M1000000001`)
    expect(words).toContain('No terminal matches now')
    expect(hrefsIn(page)).toContain('/terminals?merchant=M1000000001&state=waiting')
    const live = await liveOf(`${url}/terminals/live?state=waiting`)
    expect(rowsIn(await live.next()).map(({ id }) => id)).toEqual([terminalSn])
  })
})

test('the home page shows terminals in a row, those that wait for a person first, and follows them', async () => {
  const { url, sell } = await openTerminalPage()
  const before = minisIn((await fetchPlain(`${url}/`)).text)
  expect(before[0]).toMatchObject({ id: 'TBX-AUTO-001' })
  const live = await liveOf(`${url}/live`)
  await live.next()
  await sell(1800)
  expect(minisIn(await live.next())[0]).toMatchObject({ id: terminalSn, state: 'waiting' })
  expect(minisIn((await fetchPlain(`${url}/`)).text)).toHaveLength(before.length)
})
