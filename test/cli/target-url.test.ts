import { describe, expect, test } from 'vitest'
import { targetFrom } from '../../src/cli/webhook/webhook-input.ts'

describe('the URL of a receiver', () => {
  test.each([
    ['localhost:3000/hook', 'http://localhost:3000/hook'],
    ['3000/hook', 'http://localhost:3000/hook'],
    [':3000/hook', 'http://localhost:3000/hook'],
    ['3000', 'http://localhost:3000'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['[::1]:3000/a?b=c', 'http://[::1]:3000/a?b=c'],
    ['shop.example/hook', 'http://shop.example/hook'],
    ['https://shop.example/hook', 'https://shop.example/hook'],
  ])('%s is %s', (typed, url) => {
    expect(targetFrom(typed, 'forward-to')).toBe(url)
  })

  test.each([
    '',
    'extra',
    'localhost',
    '/hook',
    'localhost:99999',
    'a b:3000',
    'mailto:a@b',
    'http://',
    'http//h/x',
  ])('%j is not the URL of a receiver', (typed) => {
    expect(() => targetFrom(typed, 'forward-to')).toThrow('is not a URL')
  })

  test('a URL with another scheme is told which ones are allowed', () => {
    expect(() => targetFrom('ftp://localhost/x', 'url', '<url>')).toThrow(
      '<url> must begin with http:// or https://, not ftp://localhost/x',
    )
  })
})
