import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../src/contract/errors.ts'
import type { Wallet } from '../../../src/contract/fields.ts'
import { builtIn, type Card, cards } from '../../../src/domain/fixtures.ts'
import { openApple, sealApple } from '../../../src/sandbox/wallet/apple-pay.ts'
import { openGoogle, sealGoogle } from '../../../src/sandbox/wallet/google-pay.ts'
import { type Corruption, corruptions, makeWalletPayload } from '../../../src/sandbox/wallet/make-payload.ts'
import { readWalletPayload } from '../../../src/sandbox/wallet/read-payload.ts'

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
    'a payload with %s is read back and does not show the number',
    (name, number) => {
      const text = makeWalletPayload(wallet, builtIn.cardNamed(name as string) as Card, now)
      expect(readingOf(wallet, text)).toEqual([name, null])
      expect(readingOf(wallet, text, { strict: true })).toEqual([name, null])
      expect(text).not.toContain(number)
      expect(Buffer.from(text, 'base64').toString('latin1')).not.toContain(number)
    },
  )

  test('a payload has the members of the wallet', () => {
    const google = ['protocolVersion', 'signature', 'intermediateSigningKey', 'signedMessage']
    const apple = ['version', 'data', 'header', 'signature']
    const names = Object.keys(JSON.parse(makeWalletPayload(wallet, amex, now)))
    expect(names.sort()).toEqual((wallet === 'GOOGLE_PAY' ? google : apple).sort())
  })

  test('each payload of one card is different', () => {
    const texts = Array.from({ length: 20 }, () => makeWalletPayload(wallet, amex, now))
    expect(new Set(texts).size).toBe(20)
    const values = texts.flatMap((text) => Object.values(JSON.parse(text)))
    expect(new Set(values.map((value) => JSON.stringify(value))).size).toBe(3 * 20 + 1)
  })

  test('a payload is valid for a week and then expires', () => {
    const text = makeWalletPayload(wallet, amex, now)
    expect(readingOf(wallet, text, { at: now + 7 * day - 1 })).toEqual(['amex-chip', null])
    const expired = ['SBX_WALLET', expect.stringMatching(/^it expired at 2026-11-2[78]T/)]
    expect(readingOf(wallet, text, { at: now + 8 * day })).toEqual(expired)
  })

  test('a payload with an additional member is read', () => {
    const payload = JSON.parse(makeWalletPayload(wallet, amex, now))
    expect(readingOf(wallet, JSON.stringify({ more: 1, ...payload }))).toEqual(['amex-chip', null])
  })

  test('a payload with a card that is not a test card is refused', () => {
    const refusal = ['SBX_WALLET', 'its card is not a test card']
    for (const number of ['4000056655665556', '', '0'])
      expect(readingOf(wallet, makeWalletPayload(wallet, { ...amex, number }, now))).toEqual(refusal)
  })

  test.each<[Corruption, string, RegExp]>([
    ['expired', 'SBX_WALLET', /^it expired at 2026-11-(19|20)T/],
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

describe('a payload signed by the test wallet with arbitrary contents', () => {
  /** Sealed as if it were the message. */
  const google = (message: unknown, until = now + day) =>
    JSON.stringify(sealGoogle(message as Parameters<typeof sealGoogle>[0], until))
  const apple = (data: unknown) => JSON.stringify(sealApple(data as Parameters<typeof sealApple>[0]))
  const good = { pan: amex.number, expirationMonth: 12, expirationYear: 2040, authMethod: 'PAN_ONLY' }
  const message = { messageExpiration: String(now + day), paymentMethodDetails: good }
  const data = { applicationPrimaryAccountNumber: amex.number, applicationExpirationDate: '261231' }

  test('a message that is as it should be is opened', () => {
    expect(readingOf('GOOGLE_PAY', google(message))).toEqual(['amex-chip', null])
    expect(readingOf('APPLE_PAY', apple(data))).toEqual(['amex-chip', null])
    expect(openGoogle(JSON.parse(google(message)))).toEqual(message)
    expect(openApple(JSON.parse(apple(data)))).toEqual(data)
  })

  test('a payload with an expired intermediate key is refused', () => {
    const expired = ['SBX_WALLET', 'it expired at 2026-11-20T12:00:00.000Z']
    expect(readingOf('GOOGLE_PAY', google(message, now))).toEqual(expired)
  })

  test.each<[unknown]>([
    [null],
    [{}],
    [{ ...message, messageExpiration: 'soon' }],
    [{ ...message, messageExpiration: null }],
    [{ ...message, paymentMethodDetails: null }],
    [{ ...message, paymentMethodDetails: {} }],
    [{ ...message, paymentMethodDetails: { pan: { number: 1 } } }],
  ])('a Google Pay message of %j is refused', (strange) => {
    expect(readingOf('GOOGLE_PAY', google(strange))[0]).toBe('SBX_WALLET')
  })

  test.each<[unknown]>([
    [null],
    [1],
    [[]],
    [{}],
    [{ ...data, applicationExpirationDate: 'soon' }],
    [{ ...data, applicationExpirationDate: 261231 }],
    [{ ...data, applicationExpirationDate: null }],
    [{ ...data, applicationPrimaryAccountNumber: null }],
    [{ applicationExpirationDate: '261231' }],
  ])('Apple Pay data of %j are refused unless the expiry date is a number', (strange) => {
    const [code] = readingOf('APPLE_PAY', apple(strange))
    const number = (strange as typeof data | null)?.applicationExpirationDate as unknown
    expect(code).toBe(number === 261231 ? 'amex-chip' : 'SBX_WALLET')
  })

  test('every corruption has its test', () => {
    expect([...corruptions].sort()).toEqual(['expired', 'signature', 'truncated', 'type'])
  })
})
