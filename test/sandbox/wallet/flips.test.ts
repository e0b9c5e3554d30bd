import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../src/contract/errors.ts'
import type { Wallet } from '../../../src/contract/fields.ts'
import { builtIn, cards } from '../../../src/domain/fixtures.ts'
import { makeWalletPayload } from '../../../src/sandbox/wallet/make-payload.ts'
import { readWalletPayload } from '../../../src/sandbox/wallet/read-payload.ts'
import { times } from '../../support/runner/counts.ts'
import { codePoint } from '../../support/service/code-point.ts'

const wallets: readonly Wallet[] = ['GOOGLE_PAY', 'APPLE_PAY']
const now = Date.UTC(2026, 10, 20, 12)
/** Not the card that a foreign payload counts as, so that it shows when a payload was opened. */
const hidden = cards.find(({ name }) => name === 'diners-chip') ?? cards[1]
const payloads = new Map(wallets.map((wallet) => [wallet, makeWalletPayload(wallet, cardOf(hidden), now)]))

function cardOf(card: (typeof cards)[number] | undefined) {
  if (card?.number === undefined || card === cards[0]) throw new Error('there is no such card')
  return card
}

/** The name of the card in a payload, or the code of its refusal. Anything else fails the test. */
function fateOf(wallet: Wallet, text: string, strict = false): string {
  try {
    return readWalletPayload(wallet, text, { cards: builtIn, now, strict }).card.name
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    expect(error.field).toBe('cardEncryptedData')
    expect(error.detail).not.toBe(undefined)
    return error.code
  }
}

/** Every text in a payload, by its path. */
function leavesOf(value: unknown, path: readonly string[] = []): (readonly [readonly string[], string])[] {
  if (typeof value === 'string') return [[path, value]]
  return Object.entries(value as object).flatMap(([name, inner]) => leavesOf(inner, [...path, name]))
}

/** The payload with another text at the path. */
function withLeaf(payload: string, path: readonly string[], text: string): string {
  const value = JSON.parse(payload)
  const last = path.at(-1) as string
  const holder = path.slice(0, -1).reduce((inner, name) => inner[name], value)
  holder[last] = text
  return JSON.stringify(value)
}

const flipped = (text: string, index: number, bit: number): string =>
  text.slice(0, index) + String.fromCharCode(text.charCodeAt(index) ^ (1 << bit)) + text.slice(index + 1)

/** All the bits near the ends, where an encoding has room to spare; between them one at each place, or each eighth. */
const bitsAt = (text: string, index: number): readonly number[] => {
  const end = times(6, 16)
  if (index < end || index >= text.length - end) return [0, 1, 2, 3, 4, 5, 6, 7]
  return index % times(24, 1) === 0 ? [(index / times(24, 1)) % 8] : []
}

const leaves = wallets.flatMap((wallet) =>
  leavesOf(JSON.parse(payloads.get(wallet) ?? '')).map(([path, text]) => ({
    wallet,
    member: path.join('.'),
    path,
    text,
  })),
)

describe('a payload with a changed bit or member', () => {
  test('a payload is opened while nothing of it is changed', () => {
    for (const [wallet, payload] of payloads) expect(fateOf(wallet, payload)).toBe(hidden?.name)
  })

  test.each(leaves)('a flipped bit in $member: a $wallet payload is not opened', ({ wallet, path, text }) => {
    const payload = payloads.get(wallet) ?? ''
    const opened: string[] = []
    for (let index = 0; index < text.length; index++)
      for (const bit of bitsAt(text, index)) {
        const fate = fateOf(wallet, withLeaf(payload, path, flipped(text, index, bit)))
        if (fate === hidden?.name)
          opened.push(`bit ${bit} of letter ${index} of ${text.length}: ${text[index]}`)
      }
    expect(opened).toEqual([])
  })

  test.each(leaves)('a $wallet payload is not opened when $member is changed', ({ wallet, path, text }) => {
    const payload = payloads.get(wallet) ?? ''
    const other = makeWalletPayload(wallet, cardOf(builtIn.cardNamed('amex-chip')), now)
    const theirs = leavesOf(JSON.parse(other)).find(([each]) => each.join() === path.join())?.[1] ?? ''
    const changed = [
      text.slice(0, -1),
      text.slice(1),
      text.slice(0, 3),
      text + text,
      `${text} `,
      `${text}=`,
      '',
    ]
    for (const each of [...changed, text === theirs ? 'other' : theirs])
      expect(fateOf(wallet, withLeaf(payload, path, each))).not.toBe(hidden?.name)
  })
})

describe('arbitrary texts as cardEncryptedData', () => {
  const wallet = fc.constantFrom(...wallets)
  const known = ['first', 'SBX_WALLET', 'C17']
  const check = (each: Wallet, text: string, strict: boolean) => {
    const fate = fateOf(each, text, strict)
    expect(known).toContain(fate === cards[0]?.name ? 'first' : fate)
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

  test('a payload with any member replaced by anything gives the first card or a refusal', () => {
    const leaf = fc.constantFrom(...leaves)
    const value = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.base64String(),
      fc.json(),
      fc.constantFrom('null', '{}', '[]', '{"keyValue":null}', '{"encryptedMessage":1}', 'AA==', '\u0000'),
    )
    fc.assert(
      fc.property(leaf, value, fc.boolean(), ({ wallet: own, path }, text, strict) =>
        check(own, withLeaf(payloads.get(own) ?? '', path, text), strict),
      ),
      { numRuns: times(80, 1500) },
    )
  })
})
