import { AsyncLocalStorage } from 'node:async_hooks'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { openDashboard } from '../../support/pages/dashboard.ts'
import { foreign, samples } from './samples.tsx'

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

const texts = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", 'a', ';') }))

describe('an element', () => {
  test('an element escapes its text and attributes', () =>
    fc.assert(
      fc.property(texts, (text) => {
        expect(String(foreign(text))).toBe(`<p title="${escaped(text)}">${escaped(text)}</p>`)
      }),
    ))

  test.each(samples.map(([element, html]) => [html, String(element)]))(
    'an element is written as %s',
    (html, written) => expect(written).toBe(html),
  )
})

test('a page is rendered without an asynchronous context, which every later request would pay for', async () => {
  const used = [
    vi.spyOn(AsyncLocalStorage.prototype, 'run'),
    vi.spyOn(AsyncLocalStorage.prototype, 'enterWith'),
  ]
  try {
    const { get } = await openDashboard()
    for (const path of ['/', '/terminals', '/docs']) expect((await get(path)).status).toBe(200)
    for (const method of used) expect(method).not.toHaveBeenCalled()
  } finally {
    for (const method of used) method.mockRestore()
  }
})
