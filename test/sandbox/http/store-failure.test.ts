import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../src/contract/errors.ts'
import { explainStoreFailure } from '../../../src/sandbox/http/envelope.ts'

const failed = (detail: string) => new Refusal('SBX_STORE_FAIL', { detail })

describe('a refusal of the store', () => {
  const noSpace = 'ENOSPC: no space left'
  const full = 'the disk of /srv/shop is full'
  const away = 'the database does not answer'

  test.each([
    ['change', noSpace, full, /^Free up space .* send the request again with the same ids/],
    ['look-up', noSpace, full, /^Free up space on .*, then ask again$/],
    ['look-up', away, away, /^Ask again in a second/],
  ])('the refusal of a %s says what the store cannot do, and what helps: %s', (what, error, why, helps) => {
    const { message, detail, remedy } = explainStoreFailure(failed(error), '/srv/shop', what === 'look-up')
    expect(message).toContain(what === 'look-up' ? 'cannot read its state' : 'could not write its state')
    expect(detail).toBe(why)
    expect(remedy).toMatch(helps)
  })

  test('any other refusal stays as it is', () => {
    const refusal = new Refusal('SBX_TERM_IN_USE')
    expect(explainStoreFailure(refusal, '/srv/shop', true)).toBe(refusal)
  })
})
