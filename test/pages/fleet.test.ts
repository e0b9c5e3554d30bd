import { describe, expect, test } from 'vitest'
import type { ScreenAction, ScreenName } from '../../src/contract/sandbox/screens.ts'
import { applications } from '../../src/fixtures.ts'
import { fleetStateOf } from '../../src/pages/terminal/fleet/fleet.tsx'
import { visibleText } from '../support/pages/dashboard.ts'
import { fetchPlain } from '../support/pages/shop-front.ts'
import { openTerminalPage, terminalSn } from '../support/pages/terminal-page.ts'
import { liveOf } from '../support/service/live.ts'

/** Serial, state and text of each small screen, in order. */
const minisIn = (html: string) =>
  [
    ...html.matchAll(
      /<a class="mini [^"]*?mini-(waiting|processing|idle|offline|unpaired)[^"]*" id="mini-([^"]+)" href="([^"]+)">(.*?)<\/a>/gs,
    ),
  ].map(([, state, id, href, inner = '']) => ({
    state,
    id,
    href,
    text: visibleText(inner).trim(),
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
  test('the page shows every terminal with its name, its screen in small, and how many payments wait in line', async () => {
    const { url, sell, control } = await openTerminalPage()
    await control('POST', 'terminals', { terminalSn: 'DESK-1', label: 'Front counter' })
    await control('POST', 'terminals', { terminalSn: 'DESK-2', unpaired: true })
    await sell(1800, { description: 'Lunch' })
    await sell(900)
    const minis = minisIn((await fetchPlain(`${url}/terminals`)).text)
    const at = (id: string) => minis.find((mini) => mini.id === id)
    expect(at(terminalSn)).toMatchObject({ state: 'waiting', href: `/terminal/${terminalSn}` })
    expect(at(terminalSn)?.text).toMatch(
      /^TBX-ATTENDED-001 Tillbox Coffee Waiting for a person 1 in line \$18\.00 Present card Lunch$/,
    )
    expect(at('DESK-1')?.text).toBe('DESK-1 Front counter Idle Ready')
    expect(at('DESK-2')?.text).toMatch(/^DESK-2 no merchant Not paired [A-Z0-9-]{4,} Pairing code$/)
    expect(at('TBX-OFFLINE-001')).toMatchObject({ state: 'offline' })
    const { terminals } = await control('GET', 'terminals')
    expect(minis).toHaveLength(terminals.length)
  })

  test('the page follows payments, their results, results that disappear, and new terminals', async () => {
    const { url, sell, act, advance, control } = await openTerminalPage()
    const live = await liveOf(`${url}/terminals/live`)
    const next = async () => minisIn(await live.next()).find(({ id }) => id === terminalSn)
    expect(await next()).toMatchObject({ state: 'idle' })
    await sell(1800)
    expect((await next())?.text).toContain('$18.00 Present card')
    await act('present', { card: 'visa-declined' })
    expect((await next())?.text).toContain('$18.00 Declined')
    await advance(8_000)
    expect((await next())?.text).toContain('Ready')
    await control('POST', 'terminals', { terminalSn: 'DESK-1' })
    expect(minisIn(await live.next()).map(({ id }) => id)).toContain('DESK-1')
  })

  test('those that wait come first, and the address chooses those of a merchant or a state', async () => {
    const { url, sell, control } = await openTerminalPage()
    await control('POST', 'terminals', { terminalSn: 'DESK-2', unpaired: true })
    await sell(1800)
    const minis = async (query: string) => minisIn((await fetchPlain(`${url}/terminals${query}`)).text)
    const all = await minis('')
    expect([all[0]?.id, all.at(-1)?.id]).toEqual([terminalSn, 'DESK-2'])
    expect((await minis('?state=waiting')).map(({ id }) => id)).toEqual([terminalSn])
    expect((await minis('?state=offline&merchant=M1000000001')).map(({ id }) => id)).toEqual([
      'TBX-OFFLINE-001',
    ])
    expect((await minis('?merchant=M2000000001')).every(({ text }) => text.includes('Tillbox Books'))).toBe(
      true,
    )
    expect(await minis('?state=nowhere&merchant=none')).toHaveLength(all.length)
    const { text } = await fetchPlain(`${url}/terminals?state=processing&merchant=M1000000001`)
    expect(text).toContain('No terminal is in this state now')
    expect(text).toContain('href="/terminals?merchant=M1000000001&amp;state=waiting"')
    const live = await liveOf(`${url}/terminals/live?state=waiting`)
    expect(minisIn(await live.next()).map(({ id }) => id)).toEqual([terminalSn])
  })

  test('the page leads to a view of several terminals side by side', async () => {
    const { url } = await openTerminalPage()
    const all = await fetchPlain(`${url}/terminals`)
    expect(all.text).toContain('href="/terminals?show="')
    expect(all.text).not.toContain('data-terminal')
    const several = await fetchPlain(`${url}/terminals?show=`)
    expect(several.text).toContain(`data-terminal="${terminalSn}"`)
    const count = applications.flatMap(({ merchants }) =>
      merchants.flatMap(({ terminals }) => terminals),
    ).length
    for (const { text } of [several, await fetchPlain(`${url}/terminals?show=${terminalSn}`)])
      expect(text).toContain(`<span>1 of ${count} terminals</span>`)
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
