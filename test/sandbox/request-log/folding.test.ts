import { describe, expect, test } from 'vitest'
import type { RequestStory, RequestSummary } from '../../../src/contract/control/request-log-answers.ts'
import { openService, openSold, type Service, sale } from '../../support/service/service.ts'

const list = async ({ control }: Service): Promise<RequestSummary[]> =>
  (await control('GET', 'requests')).data.requests

const rowsOf = async (service: Service) =>
  (await list(service)).map(({ operation, times }) => `${operation} ${times}`)

/** A payment that waits at a terminal, so that look-ups are told the same until somebody acts. */
async function withWaiting() {
  const { data, ...service } = await openSold(sale(1000, { terminalSn: 'TBX-ATTENDED-001' }))
  const { transactionId } = data as { transactionId: string }
  const ask = (headers = {}) => service.call('query', { transactionId }, headers)
  return { service, transactionId, ask }
}

describe('assumption request-log: one row for equal look-ups of one caller in a row', () => {
  test('a folded row has its count, the time of the last look-up, and every trace id', async () => {
    const { service, ask, transactionId } = await withWaiting()
    const ids = []
    for (let count = 0; count < 14; count++) ids.push((await ask()).traceId)
    expect(await rowsOf(service)).toEqual(['sale 1', 'query 14'])
    const [, row] = await list(service)
    expect(row).toMatchObject({ transactionId, traceId: ids[0] })
    expect(row?.lastAt).toBeGreaterThanOrEqual(row?.at ?? Number.NaN)
    for (const id of ids) {
      const story: RequestStory = (await service.control('GET', `requests/${id}`)).data
      expect(story).toMatchObject({ traceId: ids[0], times: 14, repeatedBy: ids.slice(1) })
    }
  })

  test('a look-up with a different answer begins another row', async () => {
    const { service, ask } = await withWaiting()
    await ask()
    await ask()
    const card = { card: 'visa-contactless' }
    expect((await service.control('POST', 'terminals/TBX-ATTENDED-001/present', card)).code).toBe('0')
    await ask()
    await ask()
    const rows = (await rowsOf(service)).filter((row) => row.startsWith('query'))
    expect(rows).toEqual(['query 2', 'query 2'])
  })

  test('a row goes on past look-ups of another program, and ends at another request of the caller', async () => {
    const { service, ask } = await withWaiting()
    const other = { 'User-Agent': 'till/1' }
    for (let count = 0; count < 3; count++) {
      await ask()
      await ask(other)
    }
    expect(await rowsOf(service)).toEqual(['sale 1', 'query 3', 'query 3'])
    await service.call('merchant-query', {})
    await ask()
    expect((await rowsOf(service)).slice(3)).toEqual(['merchant-query 1', 'query 1'])
  })

  test('a look-up that was refused, or is about no transaction, is never folded', async () => {
    const service = await openService()
    for (let count = 0; count < 3; count++) {
      await service.call('query', { transactionId: '1' })
      await service.call('merchant-query', {})
      await service.call('merchant-query', {})
    }
    expect((await list(service)).map(({ times }) => times)).toEqual(Array(9).fill(1))
  })

  test('a row counts once against the bound, however often its look-up is repeated', async () => {
    const { service, ask } = await withWaiting()
    for (let count = 0; count < 1100; count++) await ask()
    expect(await rowsOf(service)).toEqual(['sale 1', 'query 1100'])
    const [, row] = await list(service)
    const story: RequestStory = (await service.control('GET', `requests/${row?.traceId}`)).data
    expect(story.repeatedBy).toHaveLength(1000)
  })
})
