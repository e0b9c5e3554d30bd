import { describe, expect, test } from 'vitest'
import { Body } from '../../src/pages/components/http-message.tsx'
import { unescaped, visibleText } from '../support/pages/dashboard.ts'

const drawn = (text: string): string => String(Body({ label: 'Body', text }))

/** What is copied: the text between the tags. */
const textOf = (html: string): string =>
  unescaped(
    html
      .replace(/^[\s\S]*<section[^>]*>/, '')
      .replace(/<\/section>[\s\S]*$/, '')
      .replace(/<[^>]+>/g, ''),
  )

const linesOf = (html: string): string[] =>
  [...html.matchAll(/data-line="(\d+)"/g)].map(([, line]) => line ?? '')

describe('a body', () => {
  test.each([
    { data: { amount: { orderAmount: 1800 }, list: [1, 'two', { three: null }], none: {}, empty: [] } },
    [[], [[]], {}],
    { '': true, __proto__x: false, 'a "b"': '</div><script>' },
    'a text',
    null,
  ])('a JSON body is shown as indented JSON with numbered lines: %j', (value) => {
    const html = drawn(JSON.stringify(value))
    expect(textOf(html).trim()).toBe(JSON.stringify(value, null, 2))
    const count = JSON.stringify(value, null, 2).split('\n').length
    expect(linesOf(html)).toEqual(Array.from({ length: count }, (_, index) => String(index + 1)))
  })

  test('each object and list that is not empty can be folded and says how many entries it has', () => {
    const html = drawn('{"data":{"list":[1,2,3],"none":{}}}')
    expect(html.match(/<details class="json-fold" open/g)).toHaveLength(3)
    expect([...html.matchAll(/data-folded="([^"]+)"/g)].map(([, text]) => text)).toEqual([
      '1 }',
      '2 }',
      '3 ]',
    ])
  })

  test('a text that is not JSON, or that JSON would change, is shown as it came', () => {
    for (const text of [
      '{"a":12345678901234567890}',
      '{"a":1,"a":2}',
      '{"cut": "he',
      'name=value',
      '[1.0]',
    ]) {
      const html = drawn(text)
      expect(html).not.toContain('class="json ')
      expect(textOf(html)).toBe(text)
    }
  })

  test('a body of more than 1,000 lines is shown in one piece', () => {
    const long = JSON.stringify({ list: Array.from({ length: 1_000 }, (_, index) => index) })
    expect(linesOf(drawn(long))).toEqual([])
    expect(textOf(drawn(long))).toBe(JSON.stringify(JSON.parse(long), null, 2))
    const short = JSON.stringify(Array.from({ length: 998 }, (_, index) => index))
    expect(linesOf(drawn(short))).toHaveLength(1_000)
  })

  test('HTML in a body is shown as text', () => {
    const evil = `"'></section><script>hacked=1</script><img src=x onerror=hacked=1>`
    for (const text of [JSON.stringify({ [evil]: [evil, { [evil]: evil }] }), evil]) {
      const html = drawn(text)
      expect(html).not.toMatch(/<script|<img/)
      expect(visibleText(html)).toContain('<img src=x onerror=hacked=1>')
    }
  })
})
