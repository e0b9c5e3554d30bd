import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { ForeignAnswer, Unreachable, UnusableAnswer } from '../src/client/http.ts'
import * as source from '../src/index.ts'
import { NamedError } from '../src/named-error.ts'

const built: typeof source = createRequire(import.meta.url)('../dist/index.cjs')

describe('an error class', () => {
  test('an error class recognises errors of another copy of it, with short names too', () => {
    const [ours, other] = [new Unreachable('http://a', 'gone'), new built.Unreachable('http://a', 'gone')]
    expect(other.name).toBe('Unreachable')
    for (const error of [ours, other])
      for (const { Unreachable, ForeignAnswer } of [source, built]) {
        expect(error instanceof Unreachable).toBe(true)
        expect(error instanceof ForeignAnswer).toBe(false)
      }
  })

  test('an error class recognises errors of its subclasses', () => {
    const error = new UnusableAnswer('http://a', 200, 'no status', undefined)
    for (const above of [UnusableAnswer, ForeignAnswer, built.ForeignAnswer, NamedError, Error])
      expect(error instanceof above).toBe(true)
    expect(new ForeignAnswer('http://a', 200, 'no JSON') instanceof UnusableAnswer).toBe(false)
  })

  test('an error class does not recognise an error that only has its name', () => {
    const ofOthers = class Unreachable extends Error {}
    for (const stranger of [new ofOthers(), { name: 'Unreachable' }, 'Unreachable', null, undefined])
      expect((stranger as unknown) instanceof Unreachable).toBe(false)
  })
})
