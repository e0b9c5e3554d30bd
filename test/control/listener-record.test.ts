import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hiddenMark } from '../../src/contract/sandbox/request-log-answers.ts'
import { openService, type Service, sale, temporaryFolder } from '../support/service/service.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'

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

describe('the reports of listeners', () => {
  test('a delivery is listed without secrets, over a restart, and forgotten with its transaction', async () => {
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

  test('every attempt counts, even those before a resend, over a restart', async () => {
    const state = temporaryFolder()
    const first = await openService({ state })
    const { id } = await resultOf(first)
    await first.control('POST', 'listeners/attempts', attempt(id))
    await first.control('POST', 'listeners/attempts', attempt(id, { attempt: 2 }))
    const { url } = attempt(id)
    const leave = first.sandbox.listeners.enter('one', url, () => undefined)
    expect((await first.control('POST', 'webhooks/resend', { ids: [id] })).data.resent).toEqual([id])
    leave()
    await first.control('POST', 'listeners/attempts', attempt(id, { status: 200 }))
    const counted = [{ state: 'delivered', attempts: 1, totalAttempts: 3 }]
    expect((await first.control('GET', 'webhooks')).data.deliveries).toMatchObject(counted)
    await first.sandbox.close()
    const second = await openService({ state })
    expect((await second.control('GET', 'webhooks')).data.deliveries).toMatchObject(counted)
  })

  test('a report about an unknown notification is refused', async () => {
    const service = await openService()
    const { code } = await service.control(
      'POST',
      'listeners/attempts',
      attempt('9bd81f17-e7fd-8000-8006-60b2cc789660'),
    )
    expect(code).toBe('SBX_WEBHOOK_NONE')
  })

  test.each(['ids', 'failed', 'all', 'since', 'until'])(
    'a delivery is resent by its listener, and left out while that listener is not connected (%s)',
    async (by) => {
      const service = await openService()
      const { id } = await resultOf(service)
      await service.control('POST', 'listeners/attempts', attempt(id))
      const [{ createdAt }] = (await service.control('GET', 'webhooks')).data.deliveries
      const later = new Date(Date.parse(createdAt) + 1).toISOString()
      const members = { ids: [id], failed: true, all: true, since: createdAt, until: later }
      const wanted = { [by]: members[by as keyof typeof members] }
      const resend = async (more = {}) =>
        (await service.control('POST', 'webhooks/resend', { ...wanted, ...more })).data
      const url = 'http://localhost:3000/hook'
      expect(await resend()).toEqual({ resent: [], leftOut: [{ id, url }] })
      const calls: string[] = []
      const { listeners } = service.sandbox
      const others = [
        listeners.enter('old', url),
        listeners.enter('other', `${url}/2`, () => calls.push('other')),
      ]
      expect(await resend()).toEqual({ resent: [], leftOut: [{ id, url }] })
      const left = listeners.enter('one', url, (each) => calls.push(each))
      expect(await resend()).toEqual({ resent: [id], leftOut: [] })
      expect(calls).toEqual([id])
      const [delivery] = (await service.control('GET', 'webhooks')).data.deliveries
      expect(delivery).toMatchObject({ state: 'pending', attempts: 0, last: 500 })
      for (const leave of [left, ...others]) leave()
      if (by !== 'failed') expect(await resend()).toEqual({ resent: [], leftOut: [{ id, url }] })
    },
  )

  test('a delivery is sent to another URL by the sandbox itself', async () => {
    const service = await openService()
    const { id } = await resultOf(service)
    await service.control('POST', 'listeners/attempts', attempt(id))
    const receiver = await openReceiver()
    const { data } = await service.control('POST', 'webhooks/resend', { failed: true, to: receiver.url })
    expect(data).toEqual({ resent: [id], leftOut: [] })
    expect((await receiver.got(1)).map((each) => each.id)).toEqual([id])
  })

  test('an empty range is refused, for a list and for a resend', async () => {
    const service = await openService()
    const [since, until] = ['2026-11-20T12:00:00Z', '2026-11-20T12:00:00Z']
    const refused = { code: 'C17', field: 'until' }
    expect(await service.control('POST', 'webhooks/resend', { since, until })).toMatchObject(refused)
    expect(await service.control('GET', `webhooks?since=${since}&until=${until}`)).toMatchObject(refused)
  })
})
