import { expect, test } from 'vitest'
import { busyShots, shotsOf } from '../../bin/screenshots/shots.js'
import { serveCheckout } from '../../src/pages/checkout/routes.ts'
import { followUps } from '../../src/pages/dashboard/payments/follow-ups.ts'
import { serveDashboard } from '../../src/pages/dashboard/routes.ts'
import type { PagesContext } from '../../src/pages/frame/page-view.tsx'
import type { AddPage } from '../../src/pages/serving/answer-page.ts'
import { serveTerminals } from '../../src/pages/terminal/routes.ts'

/** Paths of all pages: most are followed by a stream; a checkout reloads itself. */
function pagePaths(): string[] {
  const paths: string[] = []
  const add: AddPage = (method, path) => {
    if (method === 'GET') paths.push(path)
  }
  for (const serve of [serveCheckout, serveTerminals, serveDashboard]) serve(add, {} as PagesContext)
  return paths.filter(
    (path) => path === '/checkout/:id' || paths.includes(`${path.replace(/^\/$/, '')}/live`),
  )
}

test('every page has a picture in bin/screenshots/shots.js', () => {
  const day = { refunded: '1', declined: '2', voided: '3', held: '4', waiting: '5' }
  const shots = shotsOf({
    day,
    terminals: { idle: 'TILL-IDLE', card: 'TILL-CARD', pin: 'TILL-PIN' },
    checkouts: { open: 'http://127.0.0.1/checkout/cs_1' },
    webhook: '6',
    refused: '7',
  })
  const shown = [...shots, ...busyShots('8')].map(([, path]) => new URL(path, 'http://127.0.0.1').pathname)
  const isShown = (path: string) => {
    const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)
    return shown.some((each) => pattern.test(each))
  }
  const forms = followUps.map(({ path }) => `/transactions/:id/${path}`) // of one page
  const pages = pagePaths()
  expect(pages).toContain('/transactions/:id/refund')
  expect(pages.filter((path) => !isShown(path) && !forms.slice(1).includes(path))).toEqual([])
})
