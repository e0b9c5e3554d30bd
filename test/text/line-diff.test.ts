import { expect, test } from 'vitest'
import { type DiffLine, diffLines } from '../../src/text/line-diff.ts'

const marks = { both: ' ', before: '-', after: '+' } as const
const written = (lines: readonly DiffLine[]) =>
  lines.map(({ in: where, text }) => marks[where] + text).join(' ')
const diff = (before: string, after: string) => written(diffLines([...before], [...after]))

test.each([
  ['', '', ''],
  ['abc', 'abc', ' a  b  c'],
  ['abc', 'axc', ' a -b +x  c'],
  ['abc', 'ac', ' a -b  c'],
  ['ac', 'abc', ' a +b  c'],
  ['', 'ab', '+a +b'],
  ['ab', '', '-a -b'],
  ['aab', 'ab', ' a -a  b'],
  ['abcd', 'badc', '-a  b -c +a  d +c'],
])('the difference from %j to %j is found', (before, after, expected) => {
  expect(diff(before, after)).toBe(expected)
})

test('the lines in both and before make the first text, and those in both and after the second', () => {
  const texts = ['xaybzc', 'abc', 'cab', 'zzzz', 'xbxbxb', 'bxbxbx']
  for (const one of texts)
    for (const other of texts) {
      const lines = diffLines([...one], [...other])
      const side = (not: DiffLine['in']) =>
        lines
          .filter((line) => line.in !== not)
          .map(({ text }) => text)
          .join('')
      expect([side('after'), side('before')]).toEqual([one, other])
    }
})

test('a diff of very long texts keeps only the equal lines at both ends', () => {
  const many = (from: number) => Array.from({ length: 1_500 }, (_, index) => String(from + index))
  const lines = diffLines(['start', ...many(0), 'end'], ['start', ...many(1), 'end'])
  const counts = (where: DiffLine['in']) => lines.filter((line) => line.in === where).length
  expect([counts('both'), counts('before'), counts('after')]).toEqual([2, 1_500, 1_500])
  expect(lines.at(0)?.text).toBe('start')
  expect(lines.at(-1)?.text).toBe('end')
})
