import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { shellQuote } from '../../../src/shared/text/shell-quote.ts'

test.each([
  ['plain', 'plain'],
  ['', "''"],
  ["it's", "'it'\\''s'"],
  ['a\nb', "'a\nb'"],
  ['\x1b[2J', "$'\\x1b[2J'"],
  ["\\'\n\t", "$'\\\\\\'\\n\\x09'"],
  ['\u009bA', "$'\\xc2\\x9bA'"],
  ['\u202ea', "$'\\xe2\\x80\\xaea'"],
])('%j is one word of a shell, without control characters', (text, quoted) => {
  expect(shellQuote(text)).toBe(quoted)
  expect(execFileSync('bash', ['-c', `printf %s ${quoted}`], { encoding: 'utf8' })).toBe(text)
})
