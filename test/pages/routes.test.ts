import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { attributesOf, linkTo, namesOf } from '../support/pages/page.ts'
import { chosenCardFields, openPage, typedCardFields, unchanged } from '../support/pages/session-page.ts'
import { fetchPlain, minute, type Shop } from '../support/pages/shop-front.ts'
import { terminalSn } from '../support/pages/terminal-page.ts'
import { appOf } from '../support/service/app.ts'

describe('headers', () => {
  test('every page, whatever its status, has a strict content security policy', async () => {
    const { shop, checkoutUrl, post, show } = await openPage()
    const answers = [
      await show(),
      await fetchPlain(`${shop.url}/checkout/cs_unknown`),
      await post('pay', { choice: 'typed' }),
      await post('pay', chosenCardFields, { Origin: 'https://elsewhere.example' }),
      await post('pay', 'x'.repeat(1_048_577)),
      await fetchPlain(`${checkoutUrl}/pay`),
      await post('pay'),
      await show(),
      ...(await Promise.all(
        ['/', '/transactions/1', '/batches', '/webhooks', '/docs', `/terminal/${terminalSn}`].map((path) =>
          fetchPlain(`${shop.url}${path}`),
        ),
      )),
    ]
    expect(answers.map(({ status }) => status)).toEqual([
      ...[200, 404, 422, 403, 413, 303, 303, 200],
      ...[200, 404, 200, 200, 200, 200],
    ])
    for (const { headers, status } of answers) {
      const policy = Object.fromEntries(
        (headers['content-security-policy'] as string).split(/;\s*/).map((part) => part.split(/ (.*)/)),
      )
      expect(policy['default-src']).toBe("'none'")
      for (const name of ['script-src', 'style-src', 'form-action']) expect(policy[name]).toBe("'self'")
      for (const name of ['frame-ancestors', 'base-uri']) expect(policy[name]).toBe("'none'")
      expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|https?:|data:|blob:/)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'cache-control': 'no-store',
      })
      expect(headers).not.toHaveProperty('set-cookie')
      expect(headers).not.toHaveProperty('access-control-allow-origin')
      if (status !== 303) expect(headers['content-type']).toBe('text/html; charset=UTF-8')
    }
  })

  test('a page that waits reloads itself, and one that is over returns to the merchant', async () => {
    const merchantReturnUrl = 'https://shop.example/thanks'
    const late = { 'X-Sandbox-Outcome': 'late-approval' }
    const { shop, post, show, checkoutUrl } = await openPage({ merchantReturnUrl }, late)
    const path = new URL(checkoutUrl).pathname
    const refresh = async () => (await show()).headers.refresh
    expect(await refresh()).toMatch(new RegExp(`^1[78]\\d\\d; url=${path}$`))
    shop.sandbox().clock.run(600)
    expect(await refresh()).toBe(`4; url=${path}`)
    shop.sandbox().clock.run(1)
    await post('pay')
    expect(await refresh()).toBe(`2; url=${path}`)
    await shop.advance(minute)
    expect(await refresh()).toMatch(
      /^20; url=https:\/\/shop\.example\/thanks\?status=S&transactionId=\d{16}&/,
    )
    const { page, words } = await show()
    expect(words).toContain('You return automatically in 20 seconds.')
    const stayed = await fetchPlain(new URL(linkTo(page, 'Stay on this page'), checkoutUrl).href)
    expect(stayed.headers).not.toHaveProperty('refresh')
    expect(stayed.text).not.toContain('return automatically')
    expect(stayed.text).toContain('Return to ')
  })

  test('no time runs out on a page while the sandbox clock stands', async () => {
    const { shop, show } = await openPage()
    const leftIn = (page: Document) => attributesOf(page, '[data-time-left]', 'data-time-left')
    expect(leftIn((await show()).page)).toEqual([expect.stringMatching(/^\d+$/)])
    shop.sandbox().clock.freeze()
    const { page, words, headers } = await show()
    expect(words).toContain('left to pay')
    expect(leftIn(page).join()).toBe('')
    expect(headers).not.toHaveProperty('refresh')
  })

  test('a page without a return URL stays, and mentions no return', async () => {
    const { post, show } = await openPage()
    await post('pay')
    const { headers, text } = await show()
    expect(headers).not.toHaveProperty('refresh')
    expect(text).not.toMatch(/return automatically|Return to/)
  })
})

describe('the origin of a request', () => {
  /** Paths of the pages, or of their forms, with names filled in. */
  const pathsOf = ({ sandbox }: Shop, wanted: 'GET' | 'POST'): string[] =>
    appOf(sandbox())
      .routes.filter(({ method, path }) => method === wanted && !/^\/(v1|_sandbox|_assets)\b|\*/.test(path))
      .map(({ path }) =>
        path.replace(/:page\{.*\}/, 'guides/api.md').replace(/:\w+(\{[^}]*\})?/g, terminalSn),
      )

  test('every form is refused to another site and under a foreign host name, and changes nothing', async () => {
    const { shop } = await openPage()
    const paths = pathsOf(shop, 'POST')
    expect(paths.length).toBeGreaterThan(20)
    for (const path of paths)
      for (const headers of [{ Origin: 'https://elsewhere.example' }, { Host: 'elsewhere.example' }]) {
        const { status } = await unchanged(shop, () =>
          fetchPlain(shop.url + path, { method: 'POST', body: {}, headers }),
        )
        expect([path, status]).toEqual([path, 403])
      }
  })

  test('no page and no stream of a page is shown under a foreign host name or to a page of another site', async () => {
    const { shop, checkoutUrl } = await openPage({ description: 'A secret order' })
    const ofDevelopers = pathsOf(shop, 'GET').filter((path) => !path.startsWith('/checkout/'))
    const paths = [...ofDevelopers, new URL(checkoutUrl).pathname]
    expect(paths.length).toBeGreaterThan(30)
    for (const path of paths)
      for (const headers of [{ Host: 'elsewhere.example' }, { Origin: 'https://elsewhere.example' }]) {
        const { status, text } = await fetchPlain(shop.url + path, { headers })
        expect([path, headers, status]).toEqual([path, headers, 403])
        expect(text).not.toContain('secret')
      }
  })

  test.each(['cross-site', 'same-site'])('a link from a page that is %s opens every page', async (site) => {
    const { shop, checkoutUrl } = await openPage()
    const headers = { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
    for (const url of [checkoutUrl, `${shop.url}/`, `${shop.url}/terminals`, `${shop.url}/requests`])
      expect([url, (await fetchPlain(url, { headers })).status]).toEqual([url, 200])
  })

  test.each([
    ['a script', 'no-cors', 'empty'],
    ['an image', 'no-cors', 'image'],
    ['a frame', 'navigate', 'iframe'],
  ])('%s of another site or port gets no page', async (_, mode, dest) => {
    const { shop, checkoutUrl } = await openPage()
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': mode, 'Sec-Fetch-Dest': dest }
      for (const url of [checkoutUrl, `${shop.url}/`, `${shop.url}/terminals`])
        expect([url, (await fetchPlain(url, { headers })).status]).toEqual([url, 403])
    }
  })

  test('an event stream is opened by the pages of the sandbox alone, not by a link', async () => {
    const { shop } = await openPage()
    const link = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
    for (const path of ['/live', '/terminals/live', '/terminal/TBX-AUTO-001/live', '/requests/live']) {
      const url = `${shop.url}${path}`
      for (const site of ['cross-site', 'same-site'])
        expect([
          path,
          (await fetchPlain(url, { headers: { 'Sec-Fetch-Site': site, ...link } })).status,
        ]).toEqual([path, 403])
      const own = await fetchPlain(url, { method: 'HEAD', headers: { 'Sec-Fetch-Site': 'same-origin' } })
      expect([path, own.status]).toEqual([path, 200])
    }
  })

  test('a payment from the page itself is accepted under any name of the sandbox', async () => {
    for (const name of ['127.0.0.1', 'localhost']) {
      const { shop, post, sessionId } = await openPage()
      const host = `${name}:${new URL(shop.url).port}`
      expect((await post('pay', chosenCardFields, { Host: host, Origin: `http://${host}` })).status).toBe(303)
      expect((await shop.session(sessionId)).state).toBe('paid')
    }
  })
})

describe('a session', () => {
  test('an unknown session is answered with 404, whatever the request', async () => {
    const { shop, sessionId } = await openPage()
    for (const id of [
      'cs_unknown',
      '1',
      '__proto__',
      'constructor',
      '%00',
      'x'.repeat(2000),
      sessionId.toUpperCase(),
    ])
      for (const [method, step] of [
        ['GET', ''],
        ['GET', '/pay'],
        ['POST', '/pay'],
        ['POST', '/cancel'],
      ] as const) {
        const url = `${shop.url}/checkout/${id}${step}`
        const { status, page } = await fetchPlain(url, {
          method,
          ...(method === 'POST' && { body: chosenCardFields }),
        })
        expect([status, url]).toEqual([404, url])
        expect(namesOf(page, 'heading')).toEqual(['There is no payment here'])
      }
  })

  test('GET on a form of a session leads to its page and changes nothing', async () => {
    const { shop, checkoutUrl } = await openPage()
    await unchanged(shop, async () => {
      for (const step of ['pay', 'cancel']) {
        const { status, headers } = await fetchPlain(`${checkoutUrl}/${step}?choice=visa-contactless`)
        expect([status, headers.location]).toEqual([303, new URL(checkoutUrl).pathname])
      }
    })
  })

  test.each(['PUT', 'PATCH', 'DELETE', 'POST'])(
    '%s on the page of a session changes nothing',
    async (method) => {
      const { shop, checkoutUrl } = await openPage()
      const { status } = await unchanged(shop, () =>
        fetchPlain(checkoutUrl, { method, body: chosenCardFields }),
      )
      expect(status).toBe(404)
    },
  )

  test('a session that is over says why, and can no longer be paid or cancelled', async () => {
    const ends: readonly [string, (page: Awaited<ReturnType<typeof openPage>>) => Promise<unknown>][] = [
      ['Payment received', ({ post }) => post('pay')],
      ['Payment cancelled', ({ post }) => post('cancel')],
      ['This payment has expired', ({ shop }) => shop.advance(30 * minute)],
      [
        'Payment declined',
        async ({ post }) => {
          for (let times = 0; times < 3; times++) await post('pay', { choice: 'visa-declined' })
        },
      ],
    ]
    for (const [heading, end] of ends) {
      const page = await openPage()
      await end(page)
      await unchanged(page.shop, async () => {
        for (const step of ['pay', 'cancel'] as const) expect((await page.post(step)).status).toBe(303)
        expect((await page.post('pay', typedCardFields)).status).toBe(303)
        const shown = await page.show()
        expect([shown.status, namesOf(shown.page, 'heading')[0]]).toEqual([200, heading])
        expect(shown.page.querySelector('form')).toBeNull()
        if (heading === 'Payment declined') expect(shown.words).toContain('three times, most recently with')
      })
    }
  })
})

test('every request of a page is logged with its path and status, and nothing of what was sent', async () => {
  const { shop, post, show, checkoutUrl } = await openPage()
  await show()
  await post('pay', { ...typedCardFields, number: '4111111111111112', holder: 'Ada Lovelace' })
  await post('pay', typedCardFields)
  await fetchPlain(`${shop.url}/checkout/cs_unknown`)
  const path = new URL(checkoutUrl).pathname
  const entries = shop.sandbox().log.list().slice(-4)
  expect(entries.map(({ method, path, status, code }) => [method, path, status, code])).toEqual([
    ['GET', path, 200, '0'],
    ['POST', `${path}/pay`, 422, 'C17'],
    ['POST', `${path}/pay`, 303, '0'],
    ['GET', '/checkout/cs_unknown', 404, 'SBX_SESSION_NONE'],
  ])
  expect(JSON.stringify(entries)).not.toMatch(/41111111|12\/99|"123"|Ada/)
})

describe('assets', () => {
  test('the assets are the stylesheets, the scripts, the font and the icon, each with its content type', async () => {
    const { shop } = await openPage()
    const built = new URL('../../dist/assets/', import.meta.url)
    const shared = readdirSync(built).filter((name) => name.startsWith('shared-'))
    const types = {
      'checkout.js': 'text/javascript; charset=utf-8',
      'dashboard.js': 'text/javascript; charset=utf-8',
      'icon.svg': 'image/svg+xml',
      'inter.woff2': 'font/woff2',
      ...Object.fromEntries(shared.map((name) => [name, 'text/javascript; charset=utf-8'])),
      'style.css': 'text/css; charset=utf-8',
      'terminal.css': 'text/css; charset=utf-8',
      'terminal.js': 'text/javascript; charset=utf-8',
      'theme.js': 'text/javascript; charset=utf-8',
    }
    expect(readdirSync(built).sort()).toEqual(Object.keys(types))
    for (const [name, type] of Object.entries(types)) {
      const { status, headers } = await fetchPlain(`${shop.url}/_assets/${name}`)
      expect([status, headers['content-type']]).toEqual([200, type])
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      const again = { headers: { 'If-None-Match': String(headers.etag), 'Accept-Encoding': 'gzip' } }
      const known = await fetchPlain(`${shop.url}/_assets/${name}`, again)
      expect([known.status, known.text]).toEqual([304, ''])
    }
  })

  test.each([
    '../package.json',
    '..%2fpackage.json',
    '..%2f..%2fpackage.json',
    '..%5c..%5cpackage.json',
    '%2e%2e%2findex.js',
    '....//index.js',
    '%2fetc%2fpasswd',
    'style.css%00',
    'style.css/..',
    'STYLE.CSS',
    'style',
    'no-such.css',
    'checkout.ts',
    '.css',
    '__proto__',
    'constructor',
    '',
    '%',
    '%E0%A4%A',
  ])('%j is not an asset', async (name) => {
    const { shop } = await openPage()
    const { status, text } = await fetchPlain(`${shop.url}/_assets/${name}`)
    expect(status).toBe(404)
    expect(text).not.toMatch(/"version"|root:|import /)
  })
})
