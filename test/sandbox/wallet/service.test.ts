import { describe, expect, test } from 'vitest'
import type { Wallet } from '../../../src/contract/fields.ts'
import { builtIn, type Card } from '../../../src/domain/fixtures.ts'
import { corruptions, makeWalletPayload } from '../../../src/sandbox/wallet/make-payload.ts'
import { onlineCards } from '../../support/domain/checkout.ts'
import {
  following,
  lastNotes,
  openService,
  plainLedgersOf,
  temporaryFolder,
} from '../../support/service/service.ts'
import { openSession, payAsShopper, payloadOf, walletSale } from '../../support/service/shop.ts'
import { folderText } from '../../support/store/folder-contents.ts'

const wallets: readonly Wallet[] = ['GOOGLE_PAY', 'APPLE_PAY']

describe('assumption wallets: a payload in another shape', () => {
  test('a payload in another shape is noted in the answer and the log, and pays with the first card', async () => {
    const { call, sandbox } = await openService()
    const request = walletSale(1000, { cardEncryptedData: '{"token":"x"}', paymentMethod: 'APPLE_PAY' })
    const answer = await call('direct-payment', request)
    const note = 'cardEncryptedData: is not in the shape of APPLE_PAY (version)'
    expect([answer.code, answer.headers.get('X-Sandbox-Note')]).toEqual(['0', note])
    expect(lastNotes(sandbox)).toBe(note)
    const { data } = await call('query', { transactionId: answer.data.transactionId })
    const paid = { transactionStatus: 'S', maskedPan: '411111******1111', subPaymentMethod: 'APPLE_PAY' }
    expect(data).toMatchObject(paid)
  })

  test('a payload in another shape is refused with --strict, and nothing is stored', async () => {
    const { call, sandbox } = await openService({ strict: true })
    const before = plainLedgersOf(sandbox)
    const answer = await call('direct-payment', walletSale(1, { cardEncryptedData: '{}' }))
    expect([answer.code, answer.field]).toEqual(['C17', 'cardEncryptedData'])
    expect(plainLedgersOf(sandbox)).toEqual(before)
    expect((await call('direct-payment', walletSale(1))).code).toBe('0')
  })
})

test('assumption clocks: a payload stays valid when the sandbox clock is advanced past its expiry', async () => {
  const { call, control } = await openService()
  const cardEncryptedData = payloadOf('GOOGLE_PAY')
  await control('POST', 'clock', { action: 'advance', milliseconds: 30 * 86_400_000 })
  expect((await call('direct-payment', walletSale(1, { cardEncryptedData }))).code).toBe('0')
})

describe('api service-2: plaintext card data in a wallet payment', () => {
  test('a payload that holds a number in plain text is refused, and its number is not kept', async () => {
    const { call, sandbox } = await openService()
    const before = plainLedgersOf(sandbox)
    for (const token of [
      { pan: '4111111111111111' },
      { token: '4111 1111 1111 1111' },
      { paymentMethodDetails: { cardNumber: '411111111112' } },
      { cvv: '123' },
    ]) {
      const request = walletSale(1, { cardEncryptedData: JSON.stringify(token) })
      expect((await call('direct-payment', request)).code).toBe('SBX_CARD_DATA')
    }
    expect(plainLedgersOf(sandbox)).toEqual(before)
    expect(JSON.stringify(sandbox.log.list())).not.toMatch(/4111.?1111/)
  })

  test('state files, log and answers have no card number and no payload', async () => {
    const state = temporaryFolder()
    const reports: string[] = []
    const report = (message: string) => reports.push(message)
    const service = await openService({ state, report, onRequest: (entry) => report(JSON.stringify(entry)) })
    const payloads: string[] = []
    const keep = ({ headers, ...answer }: { headers: Headers }) =>
      reports.push(JSON.stringify([answer, [...headers].join()]))
    for (const { name } of onlineCards) {
      const card = builtIn.cardNamed(name) as Card
      for (const paymentMethod of wallets)
        for (const corrupt of [undefined, ...corruptions]) {
          const cardEncryptedData = makeWalletPayload(paymentMethod, card, Date.now(), corrupt)
          payloads.push(cardEncryptedData.slice(0, 60), cardEncryptedData.slice(-60))
          const request = walletSale(1000, { paymentMethod, cardEncryptedData })
          const paid = await service.call('direct-payment', request)
          keep(paid)
          if (paid.code !== '0') continue
          keep(await service.call('query', { transactionId: paid.data.transactionId }))
          keep(await service.control('GET', `transactions/${paid.data.transactionId}`))
          keep(await service.call('online-refund', following(paid.data.transactionId)))
        }
      const { sessionId } = await openSession(service)
      keep(await payAsShopper(service, sessionId, name))
      keep(await service.control('GET', `sessions/${sessionId}`))
    }
    keep(await service.control('GET', 'requests'))
    const running = folderText(state)
    await service.close()
    const all = [...reports, running, folderText(state)].join('\n')
    expect(all).toContain('visa-debit')
    for (const { number } of onlineCards) expect(all).not.toContain(number)
    for (const part of payloads) expect(all).not.toContain(part)
  })
})
