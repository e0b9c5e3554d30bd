import { describe, expect, test } from 'vitest'
import { Body } from '../../src/pages/components/http-message.tsx'
import { attributesOf, inlineCode, pageOf } from '../support/pages/page.ts'

const drawn = (text: string): Document => pageOf(String(Body({ label: 'Body', text })))

/** What is copied: the text between the tags. */
const textOf = (page: Document): string => page.querySelector('section')?.textContent ?? ''

const linesOf = (page: Document): string[] => attributesOf(page, '[data-line]', 'data-line')

describe('a body', () => {
  test.each([
    { data: { amount: { orderAmount: 1800 }, list: [1, 'two', { three: null }], none: {}, empty: [] } },
    [[], [[]], {}],
    { '': true, __proto__x: false, 'a "b"': '</div><script>' },
    'a text',
    null,
  ])('a JSON body is shown as indented JSON with numbered lines: %j', (value) => {
    const page = drawn(JSON.stringify(value))
    expect(textOf(page).trim()).toBe(JSON.stringify(value, null, 2))
    const count = JSON.stringify(value, null, 2).split('\n').length
    expect(linesOf(page)).toEqual(Array.from({ length: count }, (_, index) => String(index + 1)))
  })

  test('each object and list that is not empty can be folded and says how many entries it has', () => {
    const page = drawn('{"data":{"list":[1,2,3],"none":{}}}')
    expect(page.querySelectorAll('details[open]').length).toBe(3)
    expect(attributesOf(page, '[data-folded]', 'data-folded')).toEqual(['1 }', '2 }', '3 ]'])
  })

  test('a text that is not JSON, or that JSON would change, is shown as it came', () => {
    for (const text of [
      '{"a":12345678901234567890}',
      '{"a":1,"a":2}',
      '{"cut": "he',
      'name=value',
      '[1.0]',
      'tillbox sale   # of ten\n\n# by hand\ncurl -sS \'http://[::1]/a b\' \\\n  -H "X: y"  # "c\n',
    ]) {
      const page = drawn(text)
      expect(linesOf(page)).toEqual([])
      expect(textOf(page)).toBe(text)
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
      const page = drawn(text)
      expect([inlineCode(page), page.querySelector('script, img')]).toEqual([[], null])
      expect(textOf(page)).toContain('<img src=x onerror=hacked=1>')
    }
  })
})
