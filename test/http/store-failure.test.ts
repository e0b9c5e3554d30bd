import { describe, expect, test } from 'vitest'
import { Refusal } from '../../src/contract/errors.ts'
import { explainStoreFailure } from '../../src/http/envelope.ts'

const failed = (detail: string) => new Refusal('SBX_STORE_FAIL', { detail })

describe('a refusal of the store', () => {
  test('the refusal of a change says that it may be sent again with the same ids', () => {
    const { message, detail, remedy } = explainStoreFailure(
      failed('ENOSPC: no space left'),
      '/srv/shop',
      false,
    )
    expect(message).toContain('could not write its state')
    expect(detail).toBe('the disk of /srv/shop is full')
    expect(remedy).toMatch(/^Free up space .* send the request again with the same ids/)
  })

  test.each([
    ['ENOSPC: no space left', 'the disk of /srv/shop is full', /^Free up space on .*, then ask again$/],
    ['the database does not answer', 'the database does not answer', /^Ask again in a second/],
  ])('the refusal of a look-up says that the state cannot be read (%s)', (error, why, what) => {
    const { message, detail, remedy } = explainStoreFailure(failed(error), '/srv/shop', true)
    expect(message).toContain('cannot read its state')
    expect(detail).toBe(why)
    expect(remedy).toMatch(what)
  })

  test('any other refusal stays as it is', () => {
    const refusal = new Refusal('SBX_TERM_IN_USE')
    expect(explainStoreFailure(refusal, '/srv/shop', true)).toBe(refusal)
  })
})
