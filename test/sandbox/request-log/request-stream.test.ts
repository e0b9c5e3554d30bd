import { describe, expect, onTestFinished, test } from 'vitest'
import { readStream } from '../../../src/client/server-sent-events.ts'
import { controls } from '../../../src/contract/control/controls/controls.ts'
import type { RequestSummary } from '../../../src/contract/control/request-log-answers.ts'
import { fetchPlain } from '../../support/pages/shop-front.ts'
import { type ListeningSandbox, openListeningSandbox } from '../listening-sandbox.ts'

/** Sells, and returns the trace id of the answer. */
const traceOf = async ({ sell }: ListeningSandbox, amount = 1000): Promise<string> =>
  (await sell({ amount })).traceId

/** Reads the stream until the test ends. */
async function follow({ url }: { url: string }, query = '', lastId?: string) {
  const got: RequestSummary[] = []
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const path = controls['request-events'].path + query
  await new Promise<void>((opened) => {
    const read = async () => {
      for await (const { data } of readStream({ baseUrl: url }, path, lastId, ending.signal, () => opened()))
        got.push(JSON.parse(data ?? ''))
    }
    read().catch(() => undefined)
  })
  const until = (ids: readonly string[]) => expect.poll(() => got.map(({ traceId }) => traceId)).toEqual(ids)
  return { got, until }
}

describe('the stream of the request log', () => {
  test('each request is streamed once, with the reason of a refusal', async () => {
    const server = await openListeningSandbox()
    await traceOf(server)
    const { got, until } = await follow(server)
    const ids = [await traceOf(server), await traceOf(server, 0)]
    await until(ids)
    expect(got[0]).toMatchObject({ operation: 'sale', code: '0', refusal: null })
    expect(got[1]).toMatchObject({ code: 'C17', refusal: { field: 'amount', remedy: expect.any(String) } })
  })

  test('the stream begins with the last requests that match, as many as the limit says', async () => {
    const server = await openListeningSandbox()
    const refused = [await traceOf(server, 0), await traceOf(server, 0), await traceOf(server, 0)]
    await traceOf(server)
    const { until } = await follow(server, '?limit=2&status=refused')
    await traceOf(server)
    refused.push(await traceOf(server, 0))
    await until(refused.slice(1))
  })

  test('Last-Event-ID asks for the requests after it, or for all when it is unknown', async () => {
    const server = await openListeningSandbox()
    const ids = [await traceOf(server), await traceOf(server), await traceOf(server)]
    await (await follow(server, '', ids[0])).until(ids.slice(1))
    await (await follow(server, '', 'of-another-sandbox')).until(ids)
  })

  test('a wrong query is refused', async () => {
    const { url } = await openListeningSandbox()
    const wrong = await fetchPlain(`${url}/_sandbox/requests/events?status=half`)
    expect(JSON.parse(wrong.text)).toMatchObject({ code: 'C17', field: 'status' })
  })
})
