import { describe, expect, test } from 'vitest'
import type { BatchClose, Ledger } from '../../../../src/domain/model/ledger.ts'
import { times } from '../../../support/runner/counts.ts'
import { batchClose, newRequestIdHeader, pythonSdkHeader } from '../../../support/service/requests.ts'
import { openService, type Service, sale } from '../../../support/service/service.ts'

const rounds = times(8, 100)

const ledgerOf = ({ sandbox }: Service): Ledger => sandbox.engine.state.ledgers.get('M1000000001') as Ledger
const closesOf = (service: Service): BatchClose[] => [...ledgerOf(service).closes.values()]

describe('api operation-4-2: two closes at the same moment, many times', () => {
  type Sent = { request: object; headers?: Record<string, string> }

  /** What two requests were answered, and how often they closed something. */
  async function race(service: Service, make: () => Sent[]): Promise<void> {
    for (let round = 1; round <= rounds; round++) {
      await service.call('sale', sale(round))
      const answers = await Promise.all(
        make().map(({ request, headers }) => service.call('batch-close', request, headers)),
      )
      const [closed, ...others] = answers.sort((one, other) => one.code.localeCompare(other.code))
      expect(closed?.code).toBe('0')
      expect(closed?.data).toMatchObject({ batchNo: round, netAmount: round })
      refused.push(...others.map(({ code }) => code))
      expect(closesOf(service)).toHaveLength(round)
    }
  }

  const refused: string[] = []

  const own = (more: object = {}): Sent => ({ request: batchClose(more) })
  const withOneHeader = () => {
    const headers = newRequestIdHeader()
    return [own(), own()].map((each) => ({ ...each, headers }))
  }
  const withBothIds = () => Array<Sent>(2).fill({ ...own(), headers: newRequestIdHeader() })
  test.each<[string, string, () => Sent[]]>([
    ['each with its own ids', 'SBX_BATCH_EMPTY', () => [own(), own()]],
    ['with one X-Client-Request-Id', 'SBX_DUP_REQUEST', withOneHeader],
    ['with both ids the same', 'SBX_DUP_REQUEST', withBothIds],
    ['of one channel, and of all', 'SBX_BATCH_EMPTY', () => [own({ channelCode: 'SBX-CARD' }), own()]],
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

test('duplicates replay: a replayed answer has the shape that the caller reads', async () => {
  const service = await openService({ duplicates: 'replay' })
  await service.call('sale', sale(1000))
  await service.call('sale', sale(500, { priceCurrency: 'EUR' }))
  const request = batchClose()
  const first = await service.call('batch-close', request, newRequestIdHeader())
  expect(first.code).toBe('0')
  const { batchList, ...nine } = first.data
  expect(batchList).toHaveLength(1)
  const again = await service.call('batch-close', request, pythonSdkHeader)
  expect(again.data).toEqual({ ...nine, batchNo: String(nine.batchNo) })
})
