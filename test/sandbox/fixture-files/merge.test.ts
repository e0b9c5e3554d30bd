import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applications, builtIn, type Catalogue, cards, outcomes } from '../../../src/domain/fixtures.ts'
import type { FixturesFile } from '../../../src/sandbox/fixture-files/fixtures-schema.ts'
import { readFixtures } from '../../../src/sandbox/fixture-files/read-fixtures.ts'
import { projectRoot } from '../../support/project.ts'
import { times } from '../../support/runner/counts.ts'

const fixturesOf = ({ applications, cards, outcomes }: Catalogue) => ({ applications, cards, outcomes })
const read = async (file: FixturesFile) => fixturesOf(await readFixtures(file))
const known = fixturesOf(builtIn)
const [firstApp, secondApp] = applications
const coffee = firstApp?.merchants[0]
if (firstApp === undefined || secondApp === undefined || coffee === undefined) throw new Error('no merchant')

/** A file that says what is known anyway, and nothing else: names alone, or members as they are. */
const nothingNew = fc.record(
  {
    extends: fc.constant(true),
    applications: fc.subarray(
      applications.map(({ appId, webhookSecret }) => ({ appId, webhookSecret, keys: [], merchants: [] })),
    ),
    cards: fc.subarray(cards.map(({ name, paymentMethod }) => ({ name, paymentMethod }))),
    outcomes: fc.subarray(outcomes.map(({ name }) => ({ name }))),
  },
  { requiredKeys: [] },
)

describe('a fixtures file merged into the built-in fixtures', () => {
  test('merging a file with nothing new changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(nothingNew, async (file) => {
        expect(await read(file)).toEqual(known)
      }),
      { numRuns: times(50, 1_000) },
    )
  })

  test('merging the built-in fixtures into themselves changes nothing', async () => {
    expect(await read(structuredClone(known) as unknown as FixturesFile)).toEqual(known)
    expect(await readFixtures(join(projectRoot, 'fixtures')).then(fixturesOf)).toEqual(known)
  })

  test('with extends: false the file has all fixtures', async () => {
    const file = { extends: false, ...structuredClone(known) } as unknown as FixturesFile
    expect(await read(file)).toEqual(known)
  })

  test('an entry with a known name changes only the members that it has, and keeps its place', async () => {
    const { cards: merged, outcomes: ends } = await read({
      cards: [{ name: 'visa-declined', outcome: 'insufficient-funds' }],
      outcomes: [{ name: 'approve', message: 'OK' }],
    })
    const change = (card: (typeof cards)[number]) =>
      card.name === 'visa-declined' ? { ...card, outcome: 'insufficient-funds' } : card
    expect(merged).toEqual(cards.map(change))
    expect(ends[0]).toEqual({ ...outcomes[0], message: 'OK' })
  })

  test('null removes an optional member', async () => {
    const { cards: merged, outcomes: ends } = await read({
      cards: [{ name: 'visa-declined', outcome: null }],
      outcomes: [{ name: 'do-not-honor', amount: null }],
    })
    expect(merged.find(({ name }) => name === 'visa-declined')).not.toHaveProperty('outcome')
    expect(ends.find(({ name }) => name === 'do-not-honor')).not.toHaveProperty('amount')
  })

  test('merchants are merged by merchantId, terminals by terminalSn and keys by key', async () => {
    const terminals = [{ terminalSn: 'TBX-AUTO-001', pace: 5 }, { terminalSn: 'DESK-9' }]
    const place = { timeZone: 'Asia/Tokyo', details: { cityName: 'Tokyo' } }
    const merchants = [{ merchantId: coffee.merchantId, ...place, terminals }, { merchantId: 'M-NEW' }]
    const file = { appId: firstApp.appId, keys: [{ key: 'own_sandbox_key' }], merchants }
    const [app, other] = (await read({ applications: [file] })).applications
    expect(other).toEqual(secondApp)
    expect(app).toMatchObject({ webhookSecret: firstApp.webhookSecret, allowList: firstApp.allowList })
    expect(app?.keys).toEqual([...firstApp.keys, { key: 'own_sandbox_key', environment: 'sandbox' }])
    expect(app?.merchants[0]).toEqual({
      ...coffee,
      timeZone: 'Asia/Tokyo',
      details: { ...coffee.details, cityName: 'Tokyo' },
      terminals: [
        { ...coffee.terminals[0], pace: 5 },
        ...coffee.terminals.slice(1),
        { terminalSn: 'DESK-9', summary: 'acts by itself', mode: 'auto' },
      ],
    })
    const defaults = { timeZone: 'UTC', reserve: 10_000_000, details: { dbaName: 'M-NEW' }, terminals: [] }
    expect(app?.merchants.at(-1)).toMatchObject({ merchantId: 'M-NEW', ...defaults })
  })

  test('a new card has the defaults of its category', async () => {
    const card = { name: 'tea-card', number: '3566002020360505', paymentMethod: 'JCB' } as const
    const qr = { name: 'tea-qr', category: 'QR', paymentMethod: 'PAYPAY' } as const
    const { cards: merged } = await read({ cards: [card, qr] })
    const verified = { authenticationMethod: 'NOT_AUTHENTICATED' }
    expect(merged.slice(cards.length)).toEqual([
      { ...card, category: 'CARD', cardNetworkType: 'CREDIT', entryMode: 'CONTACTLESS', ...verified },
      { ...qr, cardNetworkType: 'UNKNOWN', entryMode: null, ...verified },
    ])
  })

  test('merging a file twice gives the same as merging it once', async () => {
    const file: FixturesFile = {
      cards: [{ name: 'tea-card', number: '3566002020360505', paymentMethod: 'JCB' }],
      outcomes: [{ name: 'down', code: '091', message: 'Down', status: 'FAIL', amount: 7091 }],
    }
    const once = await read(file)
    const again = { ...structuredClone(once), extends: false } as unknown as FixturesFile
    expect(await read(again)).toEqual(once)
  })

  test('merging does not change the built-in fixtures', async () => {
    const before = structuredClone(known)
    await read({
      cards: [{ name: 'visa-declined', outcome: null }],
      applications: [{ appId: firstApp.appId, merchants: [{ merchantId: coffee.merchantId, reserve: 1 }] }],
    })
    expect(fixturesOf(builtIn)).toEqual(before)
  })
})
