import fs from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fetchPlain, openShop } from '../support/pages/shop-front.ts'
import { replaceFunctions } from '../support/runner/replaced-functions.ts'
import { plainLedgersOf } from '../support/service/service.ts'

const disk = { works: true }

beforeEach(() =>
  replaceFunctions(fs, (real) => ({
    fdatasync: (file: number, done: (error: Error | null) => void) =>
      disk.works
        ? real.fdatasync(file, done)
        : setImmediate(() => done(new Error('ENOSPC: no space left on device'))),
  })),
)

afterEach(() => {
  disk.works = true
})

describe('a disk that refuses writes', () => {
  test.each([
    ['pay', { choice: 'visa-contactless' }],
    ['cancel', { unused: '' }],
  ])(
    'a failed write on %s gets an error page with 503 and changes nothing, and a later try works',
    async (step, body) => {
      const shop = await openShop()
      const { checkoutUrl, sessionId } = await shop.open()
      const act = () => fetchPlain(`${checkoutUrl}/${step}`, { method: 'POST', body })
      const before = plainLedgersOf(shop.sandbox())
      disk.works = false
      const { status, headers, text } = await act()
      disk.works = true
      expect(status).toBe(503)
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=UTF-8',
        'cache-control': 'no-store',
      })
      expect(text).toContain('The sandbox could not write its state')
      expect(text).toContain('That did not work')
      expect(text).not.toMatch(/ENOSPC|\bat \//)
      expect(plainLedgersOf(shop.sandbox())).toEqual(before)
      expect((await fetchPlain(checkoutUrl)).text).toContain('Choose a test card')
      expect((await act()).status).toBe(303)
      const { state } = await shop.session(sessionId)
      expect(state).toBe(step === 'pay' ? 'paid' : 'cancelled')
      await shop.restart()
      expect((await shop.session(sessionId)).state).toBe(state)
    },
  )
})
