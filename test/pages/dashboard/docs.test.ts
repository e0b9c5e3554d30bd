import { lexer } from 'marked'
import { describe, expect, test } from 'vitest'
import { openapiDocument } from '../../../src/contract/openapi/document.ts'
import { Markdown } from '../../../src/pages/dashboard/docs/markdown.tsx'
import { openDashboard } from '../../support/pages/dashboard.ts'
import { attributesOf, hrefsIn, inlineCode, namesOf, pageOf, wordsOf } from '../../support/pages/page.ts'

const { paths = {}, webhooks = {} } = openapiDocument()
const ids = [...Object.values(paths), ...Object.values(webhooks)].flatMap((methods) =>
  Object.values(methods).map(({ operationId }) => operationId),
)

const guidesIn = (page: Document): string[] =>
  hrefsIn(page).filter((href) => /^\/docs\/guides\/[^#]+$/.test(href))

describe('the guides', () => {
  test('/docs is the list of all guides, and a guide shows where in it one is; no operation has a page', async () => {
    const { get } = await openDashboard()
    const { status, page } = await get('/docs')
    expect([status, namesOf(page, 'heading')]).toEqual([
      200,
      ['Docs', 'Start', 'Test', 'Guides', 'Recipes', 'Inside'],
    ])
    expect(page.querySelector('article')).toBeNull()
    const guide = await get('/docs/guides/faults')
    expect([...guide.page.querySelectorAll('[aria-current=page]')].map(wordsOf)).toEqual(['Docs', 'Faults'])
    expect(guide.words).toContain('Docs / Test Faults')
    expect(guidesIn(guide.page)).toEqual(expect.arrayContaining(guidesIn(page)))
    expect((await get('/docs/refund')).status).toBe(404)
  })

  test('every guide is a page, and every link in it leads to one', async () => {
    const { get } = await openDashboard()
    const paths = new Set(guidesIn((await get('/docs')).page))
    expect(paths.size).toBeGreaterThan(30)
    const pages = new Map<string, Document>()
    for (const path of paths) pages.set(path, (await get(path)).page)
    const anchors = new Map([...pages].map(([path, page]) => [path, attributesOf(page, '[id]', 'id')]))
    for (const [path, page] of pages) {
      for (const href of hrefsIn(page)) {
        const [target = '', anchor] = href.split('#')
        if (anchor !== undefined && /^$|^\/docs\/guides\//.test(target))
          expect(anchors.get(target || path), `${path} → ${href}`).toContain(anchor)
      }
      for (const code of page.querySelectorAll('code, pre')) code.remove()
      expect(wordsOf(page), path).not.toMatch(/undefined|\[object|\]\(|<!--|```|\*\*|&[lg]t;/)
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
    const page = pageOf(String(Markdown({ tokens: lexer(text) })))
    expect([inlineCode(page), page.querySelector('script, img, svg, b, pre, kbd')]).toEqual([[], null])
    expect(hrefsIn(page).filter((href) => /^\s*(javascript|data):/i.test(href))).toEqual([])
  })

  test('every page is there as Markdown, too, at its address with .md, and llms.txt leads to each', async () => {
    const { get, url } = await openDashboard()
    const list = await get('/llms.txt')
    expect([list.status, list.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(list.text).toMatch(/^# tillbox\n\n> .+\n/)
    expect((await get('/docs.md')).text).toBe(list.text)
    const paths = new Set([...guidesIn((await get('/docs')).page), ...ids.map((id) => `/docs/${id}`)])
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
