import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../src/contract/errors.ts'
import { explainStoreFailure } from '../../../src/sandbox/http/envelope.ts'

const failed = (error: Error) => new Refusal('SBX_STORE_FAIL', { detail: error.message, cause: error })

describe('a refusal of the store', () => {
  const noSpace = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' })
  const full = 'the disk of /srv/shop is full'
  const away = new Error('the database does not answer')

  test.each([
    ['change', noSpace, full, /^Free up space .* send the request again with the same ids/],
    ['look-up', noSpace, full, /^Free up space on .*, then ask again$/],
    ['look-up', away, away.message, /^Ask again in a second/],
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
