import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hiddenMark } from '../../src/contract/sandbox/request-log.ts'
import { openService, sale, temporaryFolder } from '../support/service.ts'

type Service = Awaited<ReturnType<typeof openService>>

/** The id of the result of a new sale. */
async function resultOf({ call, sandbox }: Service) {
  const { data } = await call('sale', sale(1000))
  await sandbox.engine.written()
  const { announcer, engine } = sandbox
  const all = [...announcer.index.from(engine.state, 0)].flatMap((each) => each ?? [])
  const result = all.findLast(
    ({ event, transactionId }) => event === null && transactionId === data.transactionId,
  )
  if (result === undefined) throw new Error('nothing was told')
  return { id: announcer.write(engine.state, result)?.id ?? '', transactionId: String(data.transactionId) }
}

const attempt = (id: string, more: object = {}) => ({
  ...{ url: 'http://localhost:3000/hook', id, attempt: 1, at: '2026-11-20T12:00:00Z' },
  ...{ requestHeaders: { 'X-Api-Key': 'precious' }, requestBody: '{}', status: 500 },
  ...{ responseHeaders: { 'Set-Cookie': 'precious' }, responseBody: 'no', durationMs: 3 },
  ...more,
})

describe('what listeners report', () => {
  test('is listed and shown without secrets, over a restart, and forgotten with its transaction', async () => {
    const state = temporaryFolder()
    const first = await openService({ state })
    const { id, transactionId } = await resultOf(first)
    const next = { nextAt: '2026-11-20T12:00:05Z' }
    expect(await first.control('POST', 'listeners/attempts', attempt(id, next))).toMatchObject({ code: '0' })
    await first.sandbox.close()
    expect(readFileSync(join(state, 'listened.jsonl'), 'utf8')).not.toContain('precious')
    const second = await openService({ state })
    const listed = await second.control('GET', 'webhooks')
    expect(listed.data.deliveries).toMatchObject([
      {
        id,
        transactionId,
        listener: true,
        state: 'pending',
        attempts: 1,
        last: 500,
        nextAt: '2026-11-20T12:00:05.000Z',
      },
    ])
    await second.control('POST', 'listeners/attempts', attempt(id, { attempt: 2, status: 200 }))
    const { deliveries } = (await second.control('GET', `webhooks/${id}`)).data
    expect(deliveries).toMatchObject([
      {
        state: 'delivered',
        tries: [{ status: 500, requestHeaders: { 'X-Api-Key': hiddenMark } }, { status: 200 }],
      },
    ])
    await second.control('POST', 'reset')
    expect((await second.control('GET', 'webhooks')).data.deliveries).toEqual([])
  })

  test('of a notification that is not known is refused', async () => {
    const service = await openService()
    const { code } = await service.control(
      'POST',
      'listeners/attempts',
      attempt('9bd81f17-e7fd-8000-8006-60b2cc789660'),
    )
    expect(code).toBe('SBX_WEBHOOK_NONE')
  })

  test('is no delivery of the sandbox: nothing sends it again to its endpoint', async () => {
    const service = await openService()
    const { id } = await resultOf(service)
    await service.control('POST', 'listeners/attempts', attempt(id))
    expect((await service.control('POST', 'webhooks/resend', { failed: true })).data.resent).toEqual([])
    expect(await service.control('POST', 'webhooks/resend', { ids: [id] })).toMatchObject({
      detail: expect.stringContaining('tillbox listen sends its own again'),
    })
  })
})
