import { lexer } from 'marked'
import { describe, expect, test } from 'vitest'
import { openapiDocument } from '../../../src/contract/openapi/document.ts'
import { Markdown } from '../../../src/pages/dashboard/docs/markdown.tsx'
import { openDashboard } from '../../support/pages/dashboard.ts'

const { paths = {}, webhooks = {} } = openapiDocument()
const ids = [...Object.values(paths), ...Object.values(webhooks)].flatMap((methods) =>
  Object.values(methods).map(({ operationId }) => operationId),
)

describe('the guides', () => {
  test('/docs has the list of all guides and the first one, and no page of an operation', async () => {
    const { get } = await openDashboard()
    const { status, text, words } = await get('/docs')
    expect([status, text]).toEqual([200, expect.stringContaining('href="/docs" aria-current="page">')])
    expect(words).toContain('Set up a project')
    expect(text).toContain('aria-current="page">Set up')
    expect((await get('/docs/refund')).status).toBe(404)
  })

  test('every guide is a page, and every link in it leads to one', async () => {
    const { get } = await openDashboard()
    const paths = [...(await get('/docs')).text.matchAll(/href="(\/docs\/guides\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    )
    expect(new Set(paths).size).toBeGreaterThan(30)
    const pages = new Map<string, string>()
    for (const path of new Set(paths)) pages.set(path, (await get(path)).text)
    for (const [path, text] of pages) {
      expect(text.replace(/<(code|pre)[^>]*>[\s\S]*?<\/\1>/g, ''), path).not.toMatch(
        /undefined|\[object|\]\(|<!--|```|\*\*|&amp;[lg]t;/,
      )
      for (const [, target = '', anchor] of text.matchAll(/href="(\/docs\/guides\/[^"#]+)?(?:#([^"]+))?"/g)) {
        const page = pages.get(target === '' ? path : target)
        if (anchor !== undefined && anchor !== 'main')
          expect(page, `${path} → ${target}#${anchor}`).toContain(`id="${anchor}"`)
      }
    }
  })

  test.each([
    'a <script>alert(1)</script>',
    'a <pre><img/src=x/onerror=alert(1)></pre> <kbd><svg/onload=alert(1)></kbd>',
    '<script>alert(1)</script>',
    '| a | <b> |\n|---|---|\n| <code><img/src=x> | <a id="x"><img/src=x/onerror=alert(1)> |',
    '[a](javascript:alert(1)) [b](&#106;avascript:alert(1)) <javascript:alert(1)> ![c](data:,x)',
    '[d](https://x.example/"onclick="alert(1)) `<img/src=x>`',
  ])('no HTML and no script of a document reaches its page: %j', (text) => {
    const page = String(Markdown({ tokens: lexer(text) }))
    expect(page).not.toMatch(/<(script|img|svg|b|pre|kbd)\b|javascript:[^<]*"|"onclick/)
  })

  test('every page is there as Markdown, too, at its address with .md, and llms.txt leads to each', async () => {
    const { get, url } = await openDashboard()
    const list = await get('/llms.txt')
    expect([list.status, list.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(list.text).toMatch(/^# tillbox\n\n> .+\n/)
    expect((await get('/docs.md')).text).toBe(list.text)
    const pages = (await get('/docs')).text.matchAll(/href="(\/docs\/guides\/[\w-]+)"/g)
    const paths = new Set([...[...pages].map(([, path = '']) => path), ...ids.map((id) => `/docs/${id}`)])
    const linked = [...list.text.matchAll(/\]\((http[^)]+)\)/g)].map(([, address = '']) => address)
    expect(new Set(linked)).toEqual(new Set([...paths].map((path) => `${url}${path}.md`)))
    for (const path of paths) {
      const { status, headers, text } = await get(`${path}.md`)
      expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/markdown; charset=utf-8'])
      expect(text, path).toMatch(/^# \S/)
      expect(text, path).not.toMatch(/<!--|undefined|\[object/)
      for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g))
        expect(paths, `${path} → ${target}`).toContain(`/docs/guides/${target.replace(/\.md$/, '')}`)
    }
    expect((await get('/docs/refund.md')).text).toMatch(
      /`POST \/v1\/[\s\S]+`originalTransactionId`[\s\S]+SBX_OVER_REFUND/,
    )
    expect((await get('/docs/guides/nothing.md')).status).toBe(404)
  })

  test('an unknown guide is answered with 404', async () => {
    const { get } = await openDashboard()
    expect((await get('/docs/guides/nothing')).status).toBe(404)
    expect((await get('/docs/guides/..%2Fpackage')).status).toBe(404)
  })
})
