import { describe, expect, test } from 'vitest'
import type { BatchClose, Ledger } from '../../../src/domain/model/ledger.ts'
import { times } from '../../support/runner/counts.ts'
import { batchClose, newRequestIdHeader, pythonSdkHeader } from '../../support/service/requests.ts'
import { openService, type Service, sale, temporaryFolder } from '../../support/service/service.ts'

const rounds = times(8, 100)

const ledgerOf = ({ sandbox }: Service): Ledger => sandbox.engine.state.ledgers.get('M1000000001') as Ledger
const closesOf = (service: Service): BatchClose[] => [...ledgerOf(service).closes.values()]

/** Two batches that are open. */
async function fill({ call }: Service): Promise<void> {
  await call('sale', sale(1000))
  await call('sale', sale(500, { priceCurrency: 'EUR' }))
}

/** A service on which one close was accepted. */
async function settled(options: object = {}) {
  const state = temporaryFolder()
  const service = await openService({ state, ...options })
  await fill(service)
  const [request, headers] = [batchClose(), newRequestIdHeader()]
  const first = await service.call('batch-close', request, headers)
  expect(first.code).toBe('0')
  return { state, service, request, headers, first }
}

describe('api operation-4-2: two closes at the same moment, many times', () => {
  /** What two requests were answered, and how often they closed something. */
  async function race(
    service: Service,
    make: () => { request: object; headers?: Record<string, string> }[],
  ): Promise<void> {
    for (let round = 1; round <= rounds; round++) {
      await service.call('sale', sale(round))
      const answers = await Promise.all(
        make().map(({ request, headers }) => service.call('batch-close', request, headers)),
      )
      const codes = answers.map(({ code }) => code)
      expect(codes.filter((code) => code === '0')).toHaveLength(1)
      expect(answers.find(({ code }) => code === '0')?.data).toMatchObject({
        batchNo: round,
        netAmount: round,
      })
      refused.push(...codes.filter((code) => code !== '0'))
      expect(closesOf(service)).toHaveLength(round)
    }
  }

  const refused: string[] = []

  const same = <T>(one: T): [T, T] => [one, one]
  const withOneHeader = () => {
    const headers = newRequestIdHeader()
    return [batchClose(), batchClose()].map((request) => ({ request, headers }))
  }
  test.each([
    [
      'each with its own ids',
      'SBX_BATCH_EMPTY',
      () => [{ request: batchClose() }, { request: batchClose() }],
    ],
    ['with one X-Client-Request-Id', 'SBX_DUP_REQUEST', withOneHeader],
    [
      'with both ids the same',
      'SBX_DUP_REQUEST',
      () => same({ request: batchClose(), headers: newRequestIdHeader() }),
    ],
    [
      'of one channel, and of all',
      'SBX_BATCH_EMPTY',
      () => [{ request: batchClose({ channelCode: 'SBX-CARD' }) }, { request: batchClose() }],
    ],
  ])('of two closes %s, one is accepted and the other is refused with %s', async (_, code, make) => {
    refused.length = 0
    const service = await openService()
    await race(service, make)
    expect(refused).toEqual(Array.from({ length: rounds }, () => code))
    const ledger = ledgerOf(service)
    expect([ledger.batches.size, ledger.balances.get('USD')]).toEqual([0, 0])
  })

  test('a sale at the moment of a close is settled by this close or a later one, never twice', async () => {
    const service = await openService()
    await service.call('sale', sale(1))
    for (let round = 0; round < rounds; round++) {
      const pair = [() => service.call('sale', sale(1)), () => service.call('batch-close', batchClose())]
      await Promise.all((round % 2 === 0 ? pair : pair.reverse()).map((act) => act()))
    }
    await service.call('batch-close', batchClose())
    const batches = closesOf(service).flatMap((each) => each.batches)
    expect(batches.reduce((sum, { net }) => sum + net, 0)).toBe(rounds + 1)
    expect(new Set(batches.map(({ batchNo }) => batchNo)).size).toBe(batches.length)
  })
})

describe('duplicates: replay', () => {
  test('a replayed answer has the shape that the caller reads', async () => {
    const { service, request, first } = await settled({ duplicates: 'replay' })
    const { batchList, ...nine } = first.data
    expect(batchList).toHaveLength(1)
    expect((await service.call('batch-close', request, pythonSdkHeader)).data).toEqual({
      ...nine,
      batchNo: String(nine.batchNo),
    })
  })
})
