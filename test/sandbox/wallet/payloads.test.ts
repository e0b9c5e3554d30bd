import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../src/contract/errors.ts'
import type { Wallet } from '../../../src/contract/fields.ts'
import { builtIn, type Card, cards } from '../../../src/domain/fixtures.ts'
import { type Corruption, corruptions, makeWalletPayload } from '../../../src/sandbox/wallet/make-payload.ts'
import { readWalletPayload } from '../../../src/sandbox/wallet/read-payload.ts'
import { times } from '../../support/runner/counts.ts'
import { codePoint } from '../../support/service/code-point.ts'

const wallets: readonly Wallet[] = ['GOOGLE_PAY', 'APPLE_PAY']
const now = Date.UTC(2026, 10, 20, 12)
const day = 86_400_000
const numbered = cards.filter((card): card is Card & { number: string } => card.number !== undefined)
const amex = builtIn.cardNamed('amex-chip') as Card

/** The result of reading a payload: card and note, or code and detail. */
function readingOf(wallet: Wallet, text: string, { at = now, strict = false } = {}): (string | null)[] {
  try {
    const { card, note } = readWalletPayload(wallet, text, { cards: builtIn, now: at, strict })
    return [card.name, note]
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    expect(error.field).toBe('cardEncryptedData')
    return [error.code, error.detail ?? null]
  }
}

const other: Readonly<Record<Wallet, Wallet>> = { GOOGLE_PAY: 'APPLE_PAY', APPLE_PAY: 'GOOGLE_PAY' }
const first = cards[0]?.name

describe.each(wallets)('a payload of %s', (wallet) => {
  test.each(numbered.map(({ name, number }) => [name, number]))(
    'a payload with %s is read back, says so in plain text, and does not show the number',
    (name, number) => {
      const text = makeWalletPayload(wallet, { name }, now)
      expect(readingOf(wallet, text)).toEqual([name, null])
      expect(readingOf(wallet, text, { strict: true })).toEqual([name, null])
      expect(text).toContain(name)
      expect(text).not.toContain(number)
    },
  )

  test('a payload has the members of the wallet', () => {
    const google = ['protocolVersion', 'signature', 'intermediateSigningKey', 'signedMessage']
    const apple = ['version', 'data', 'header', 'signature']
    const names = Object.keys(JSON.parse(makeWalletPayload(wallet, amex, now)))
    expect(names.sort()).toEqual((wallet === 'GOOGLE_PAY' ? google : apple).sort())
  })

  test('a payload is valid for a week and then expires', () => {
    const text = makeWalletPayload(wallet, amex, now)
    expect(readingOf(wallet, text, { at: now + 7 * day - 1 })).toEqual(['amex-chip', null])
    const expired = ['SBX_WALLET', 'it expired at 2026-11-27T12:00:00.000Z']
    expect(readingOf(wallet, text, { at: now + 7 * day })).toEqual(expired)
  })

  test('a payload with an additional member is read', () => {
    const payload = JSON.parse(makeWalletPayload(wallet, amex, now))
    expect(readingOf(wallet, JSON.stringify({ more: 1, ...payload }))).toEqual(['amex-chip', null])
  })

  test('a payload with a card that is not a test card, or has no number, is refused', () => {
    const refusal = ['SBX_WALLET', 'its card is not a test card']
    const without = cards.find(({ number }) => number === undefined) as Card
    for (const name of ['nobodys', '', '__proto__', without.name])
      expect(readingOf(wallet, makeWalletPayload(wallet, { name }, now))).toEqual(refusal)
  })

  test.each<[string, object, (string | null)[]]>([
    ['another card', { testCard: 'visa-declined' }, ['visa-declined', null]],
    ['no text as its card', { testCard: { toString: 1 } }, ['SBX_WALLET', 'its card is not a test card']],
    ['no expiry', { expires: undefined }, ['SBX_WALLET', 'its expiry cannot be read']],
    ['an expiry that is no time', { expires: 'soon' }, ['SBX_WALLET', 'its expiry cannot be read']],
    ['no card, which a real one has not', { testCard: undefined }, [first ?? '', null]],
  ])('a payload that a person edits to have %s', (_, changes, reading) => {
    const member = wallet === 'GOOGLE_PAY' ? 'signedMessage' : 'data'
    const payload = JSON.parse(makeWalletPayload(wallet, amex, now))
    const token = JSON.stringify({ ...JSON.parse(payload[member]), ...changes })
    expect(readingOf(wallet, JSON.stringify({ ...payload, [member]: token }))).toEqual(reading)
  })

  test.each<[Corruption, string, RegExp]>([
    ['expired', 'SBX_WALLET', /^it expired at 2026-11-19T12/],
    ['signature', 'SBX_WALLET', /^its signature is wrong$/],
    ['truncated', 'C17', /^must be a JSON object, as a string$/],
  ])('a corrupted payload is refused: %s', (corruption, code, detail) => {
    const text = makeWalletPayload(wallet, amex, now, corruption)
    expect(readingOf(wallet, text)).toEqual([code, expect.stringMatching(detail)])
    expect(readingOf(wallet, text, { strict: true })).toEqual([code, expect.stringMatching(detail)])
  })

  test('a payload corrupted in its type is a valid payload of the other wallet', () => {
    const text = makeWalletPayload(wallet, amex, now, 'type')
    expect(readingOf(other[wallet], text)).toEqual(['amex-chip', null])
    const reasons = [first, expect.stringContaining(`is not in the shape of ${wallet} (`)]
    expect(readingOf(wallet, text)).toEqual(reasons)
    expect(readingOf(wallet, text, { strict: true })).toEqual(['C17', expect.stringContaining(wallet)])
  })
})

describe('assumption wallets: a payload that the test wallet did not make', () => {
  const foreign: Readonly<Record<Wallet, object>> = {
    GOOGLE_PAY: {
      protocolVersion: 'ECv2',
      signature: 'MEUCIQ==',
      intermediateSigningKey: { signedKey: '{"keyExpiration":"1","keyValue":"MFk="}', signatures: ['MEU='] },
      signedMessage: '{"tag":"a","ephemeralPublicKey":"b","encryptedMessage":"c"}',
    },
    APPLE_PAY: {
      version: 'EC_v1',
      data: 'aGVsbG8=',
      signature: 'MIAGCSqGSIb3DQEHAqCAMIACAQExDzANBglg',
      header: { ephemeralPublicKey: 'MFk=', publicKeyHash: 'c2hh', transactionId: 'aabb' },
    },
  }

  test.each(wallets)('a well-formed payload of %s counts as the first card, without a note', (wallet) => {
    for (const strict of [false, true])
      expect(readingOf(wallet, JSON.stringify(foreign[wallet]), { strict })).toEqual([first, null])
  })

  test.each(
    wallets.flatMap((wallet) => Object.keys(foreign[wallet]).map((member) => [wallet, member] as const)),
  )('%s without %s, or with another thing there, is noted, or refused by strict', (wallet, member) => {
    for (const value of [undefined, null, '', 1, [], {}]) {
      const text = JSON.stringify({ ...foreign[wallet], [member]: value })
      const reason = `is not in the shape of ${wallet} (${member}`
      const reasons = [first, expect.stringContaining(`cardEncryptedData: ${reason}`)]
      expect(readingOf(wallet, text)).toEqual(reasons)
      expect(readingOf(wallet, text, { strict: true })).toEqual(['C17', expect.stringContaining(reason)])
    }
  })

  test.each(['', ' ', 'null', '1', '"{}"', '[]', '[{}]', '{', '{}}', 'token', '\u0000'])(
    '%j is not a JSON object and is refused',
    (text) => {
      for (const wallet of wallets)
        expect(readingOf(wallet, text)).toEqual(['C17', 'must be a JSON object, as a string'])
    },
  )

  test('an empty object counts as the first card', () => {
    for (const wallet of wallets) expect(readingOf(wallet, '{}')[0]).toBe(first)
  })
})

test('every corruption has its test', () => {
  expect([...corruptions].sort()).toEqual(['expired', 'signature', 'truncated', 'type'])
})

describe('arbitrary texts as cardEncryptedData', () => {
  const wallet = fc.constantFrom(...wallets)
  const check = (each: Wallet, text: string, strict: boolean): void => {
    expect([first, 'SBX_WALLET', 'C17']).toContain(readingOf(each, text, { strict })[0])
  }

  test('any text gives the first card or a refusal', () => {
    const text = fc.oneof(fc.string({ unit: codePoint }), fc.json({ maxDepth: 6 }))
    fc.assert(fc.property(wallet, text, fc.boolean(), check), { numRuns: times(300, 1000) })
  })

  test.each([
    ['['.repeat(60_000)],
    ['{"a":'.repeat(12_000)],
    [`{"data":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
  ])('deep JSON gives the first card or a refusal', (text) => {
    for (const each of wallets) check(each, text, false)
  })

  test('a payload with any token gives the first card or a refusal', () => {
    const token = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.json(),
      fc.record({ testCard: fc.jsonValue(), expires: fc.jsonValue() }).map((each) => JSON.stringify(each)),
    )
    fc.assert(
      fc.property(wallet, token, fc.boolean(), (each, text, strict) => {
        const payload = JSON.parse(makeWalletPayload(each, amex, now))
        const member = each === 'GOOGLE_PAY' ? 'signedMessage' : 'data'
        check(each, JSON.stringify({ ...payload, [member]: text }), strict)
      }),
      { numRuns: times(80, 1500) },
    )
  })
})
