import { expect, test } from 'vitest'
import { traceparentFrom } from '../../src/contract/trace-context.ts'

const [trace, parent] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
const whole = `00-${trace}-${parent}-01`

test.each([
  ['version 00', whole, whole],
  ['a trace that is not sampled', `00-${trace}-${parent}-00`, `00-${trace}-${parent}-00`],
  ['unknown flags', `00-${trace}-${parent}-ff`, whole],
  ['a later version', `cc-${trace}-${parent}-01`, whole],
  ['a later version with more', `cc-${trace}-${parent}-01-what-the-future-will-be-like`, whole],
  ['nothing', undefined, undefined],
  ['an empty header', '', undefined],
  ['version ff', `ff-${trace}-${parent}-01`, undefined],
  ['version 00 with more', `${whole}-00`, undefined],
  ['a later version with more, without its dash', `cc-${trace}-${parent}-01.what`, undefined],
  ['capitals', whole.toUpperCase(), undefined],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${parent}-01`, undefined],
  ['a parent of zeros', `00-${trace}-${'0'.repeat(16)}-01`, undefined],
  ['a trace that begins with 0', `00-${'0'.repeat(31)}1-${parent}-01`, `00-${'0'.repeat(31)}1-${parent}-01`],
  ['a parent that ends with zeros', `00-${trace}-1${'0'.repeat(15)}-01`, `00-${trace}-1${'0'.repeat(15)}-01`],
  ['a short trace', `00-${trace.slice(1)}-${parent}-01`, undefined],
  ['a letter that is not hexadecimal', `00-${trace.replace('a', 'g')}-${parent}-01`, undefined],
  ['two headers', `${whole}, ${whole}`, undefined],
])('assumption trace-context: %s', (_, header, read) => expect(traceparentFrom(header)).toBe(read))
