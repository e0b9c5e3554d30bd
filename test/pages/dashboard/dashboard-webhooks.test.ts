import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Dashboard, followStream, openDashboard } from '../../support/pages/dashboard.ts'
import {
  allByRole,
  attributesOf,
  byRole,
  hiddenFields,
  hrefsIn,
  linkTo,
  wordsOf,
} from '../../support/pages/page.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

describe('webhooks', () => {
  async function openWithWebhook(answer = 200) {
    const receiver = await openReceiver(answer)
    const url = receiver.url.replace('http://', 'http://user:pass@')
    const dashboard = await openDashboard({ notifyUrl: `${url}?token=verysecret&shop=7`, retries: [] })
    const id = await dashboard.sell(1000)
    await dashboard.attempted(receiver, 1)
    return { ...dashboard, receiver, id }
  }

  /** The page of the newest webhook. */
  const newestOf = async ({ get }: Pick<Dashboard, 'get'>) =>
    hrefsIn(byRole((await get('/webhooks')).page, 'table')).find((href) => href.startsWith('/webhooks/')) ??
    ''

  test('webhooks are listed by state and lead to their attempts, without secrets', async () => {
    const dashboard = await openWithWebhook(503)
    const { get, id, read } = dashboard
    const { text, words } = await get('/webhooks')
    expect(words).toMatch(/All 1 Pending 0 Delivered 0 Failed 1/)
    expect(words).toMatch(new RegExp(`Sale approved \\$10\\.00 503 \\$10\\.00 Failed 503 .*${id}`))
    expect(await read('/webhooks?state=delivered')).toContain('No delivery matches')
    const page = await get(await newestOf(dashboard))
    expect(page.words).toContain('Status at that time approved (S)')
    expect(page.words).toMatch(/Attempt 1 503 .*Answer .*Request .*X-Client-Request-Id/)
    expect(page.words).toContain(`"transactionId" : "${id}"`)
    for (const shown of [text, page.text]) {
      expect(shown).not.toMatch(/verysecret|user:pass|:pass@/)
      expect(shown).toContain('shop=7')
    }
  })

  test('a webhook that waits for its first attempt says why, and shows a time once a retry has one', async () => {
    const receiver = await openReceiver('never')
    const dashboard = await openDashboard({ notifyUrl: receiver.url })
    const { sell, sandbox, read } = dashboard
    for (let count = 0; count < 2; count++) await sell(1000)
    await receiver.got(1)
    const waiting = await newestOf(dashboard)
    const words = await read(waiting)
    expect(words).toContain('Next attempt behind earlier ones to this endpoint')
    receiver.answer(500)
    await receiver.close() // the first attempt fails
    await expect.poll(() => read(waiting)).toMatch(/Next attempt \d\d:\d\d:\d\d/)
    await sandbox.courier.idle()
  })

  test('a webhook that is held says so, in the list and on its page', async () => {
    const receiver = await openReceiver()
    const dashboard = await openDashboard({ notifyUrl: receiver.url })
    const { sell, control, read } = dashboard
    await control('PUT', 'webhook-hold', { hold: true })
    const id = await sell(1000)
    const list = await read('/webhooks')
    expect(list).toMatch(/All 1 Held 1 /)
    expect(list).toMatch(new RegExp(`Sale approved .*Held .*${id}`))
    const words = await read(await newestOf(dashboard))
    expect(words).toMatch(/Held .*Delivery 0 attempts Next attempt waits for its release .*Release Resend/)
    const tab = await read(`/transactions/${id}?tab=webhooks`)
    expect(tab).toMatch(/Sale approved .*Held /)
    await control('POST', 'webhooks/release', {})
    await receiver.got(1)
  })

  test('a webhook can be resent by its page', async () => {
    const dashboard = await openWithWebhook(503)
    const { get, post, receiver, attempted, read } = dashboard
    const path = await newestOf(dashboard)
    receiver.answer(200)
    expect((await get(`${path}/resend`)).status).toBe(404)
    const { status, headers } = await post(`${path}/resend`)
    expect([status, headers.location]).toEqual([303, expect.stringMatching(`^${path}\\?notice=`)])
    await attempted(receiver, 2)
    expect(receiver.arrivals[0]?.id).toBe(receiver.arrivals[1]?.id)
    const words = await read(String(headers.location))
    expect(words).toContain('Resend requested. The webhook keeps its id.')
    expect(words).toMatch(/Attempt 2 200 .*Attempt 1 503/)
    const list = await get('/webhooks')
    expect(list.words).toMatch(/Delivered 1 Failed 0/)
    expect(list.words).toContain('Delivered 200, resent after 1 attempt')
    expect(await read(path)).toContain('Delivery 2 attempts')
  })

  test('attempts that are no longer kept still count in the numbers of later ones', async () => {
    const dashboard = await openWithWebhook(503)
    const { attempted, post, read, receiver, sandbox } = dashboard
    const path = await newestOf(dashboard)
    await sandbox.attempts.written()
    rmSync(join(sandbox.options.state, 'attempts.jsonl'))
    receiver.answer(200)
    await post(`${path}/resend`)
    await attempted(receiver, 2)
    expect(await read(path)).toMatch(
      /2 attempts, 1 of them before it was resent, 1 of them kept .*Attempt 2 200 .*1 earlier not shown/,
    )
  })

  test('tries are stacked, the chosen one open, each with its difference to the one before', async () => {
    const dashboard = await openWithWebhook(503)
    const { get, post, receiver, attempted } = dashboard
    const path = await newestOf(dashboard)
    receiver.answer((_, response) => response.writeHead(200, { 'X-Reply': 'second' }).end('fine'))
    await post(`${path}/resend`)
    await attempted(receiver, 2)
    const openIn = (page: Document) =>
      page.querySelector('main details[open] > summary > strong')?.textContent
    const last = await get(path)
    expect(openIn(last.page)).toBe('Attempt 2')
    expect(last.words).toMatch(
      /Attempt 2 200 .* later .*Changed since attempt 1: 503 → 200 .*Removed: X-Timestamp: \d+ Added: X-Timestamp: \d+ .*Added: x-reply: second .*Added: fine .*Attempt 1 503/i,
    )
    const first = await get(`${path}?attempt=1`)
    expect(openIn(first.page)).toBe('Attempt 1')
    expect(attributesOf(first.page, '[sse-connect]', 'sse-connect')).toEqual([`${path}/live?attempt=1`])
    for (const wrong of ['0', '3', '-1', 'x', '<b>'])
      expect(openIn((await get(`${path}?attempt=${encodeURIComponent(wrong)}`)).page)).toBe('Attempt 2')
  })

  test('a button advances the clock to the retry, which is then made; a hold is released beside it', async () => {
    const receiver = await openReceiver(503)
    const dashboard = await openDashboard({ notifyUrl: receiver.url, retries: [2000] })
    const { get, post, control, sell, attempted, read } = dashboard
    await control('POST', 'clock', { action: 'freeze' })
    await sell(1000)
    await attempted(receiver, 1)
    const path = await newestOf(dashboard)
    const { page, words } = await get(path)
    expect(words).toMatch(/Next attempt [\d:]+, clock frozen .*Advance 2(\.0)? s and retry Resend/)
    const [delivery = ''] = attributesOf(page, '[name=delivery]', 'value')
    receiver.answer(200)
    const list = `${new URL(receiver.url).origin}/webhooks?state=pending&open=x`
    const { headers } = await post(`${path}/advance`, { delivery }, { Referer: list })
    expect(headers.location).toMatch(/^\/webhooks\?state=pending&open=x&notice=/)
    expect(await read(path)).toMatch(/Delivery 2 attempts .*Attempt 2 200 /)
    const again = await post(`${path}/advance`, { delivery })
    expect(await read(String(again.headers.location))).toContain('the clock was not moved')
    await control('PUT', 'webhook-hold', { hold: true })
    await sell(1100)
    const [box = ''] = attributesOf((await get(await newestOf(dashboard))).page, '[name=delivery]', 'value')
    await post('/webhooks/release', { delivery: box })
    expect(receiver.arrivals).toHaveLength(3)
  })

  test('of two URLs that are shown alike each has the button of its own retry', async () => {
    const receiver = await openReceiver(503)
    const dashboard = await openDashboard({ retries: [60_000] })
    const { get, control, sell, attempted } = dashboard
    await control('POST', 'clock', { action: 'freeze' })
    await sell(1000, { notifyUrl: `${receiver.url}?token=first-secret` })
    await attempted(receiver, 1)
    const path = await newestOf(dashboard)
    const to = `${receiver.url}?token=second-secret`
    await control('POST', 'webhooks/resend', { ids: [path.split('/').at(-1)], to })
    await attempted(receiver, 2)
    const buttons = attributesOf((await get(path)).page, 'form[action$=advance] [name=delivery]', 'value')
    expect(new Set(buttons).size).toBe(2)
  })

  test('a webhook leads to the form that sends it to another URL, and that form back to the webhook', async () => {
    const dashboard = await openWithWebhook()
    const { get, post, receiver, attempted } = dashboard
    const other = await openReceiver()
    const path = await newestOf(dashboard)
    const form = hrefsIn((await get(path)).page).find((href) => /resend\?notification=/.test(href)) ?? ''
    const { page } = await get(form)
    const notification = path.split('/').at(-1) ?? ''
    expect(attributesOf(page, 'main option[selected]', 'value')).toContain(notification)
    const { transactionRequestId = '' } = hiddenFields(page)
    const { status, headers } = await post(
      form.split('?')[0] ?? '',
      { notification, to: other.url, transactionRequestId },
      { Referer: `http://127.0.0.1${path}` },
    )
    expect([status, headers.location]).toEqual([303, expect.stringMatching(`^${path}\\?notice=`)])
    await attempted(other, 1)
    expect(other.arrivals[0]?.id).toBe(receiver.arrivals[0]?.id)
    expect(receiver.arrivals).toHaveLength(1)
  })

  test('an unknown webhook is answered with 404', async () => {
    const { get, post } = await openDashboard()
    for (const id of ['x', crypto.randomUUID(), '__proto__']) {
      expect((await get(`/webhooks/${id}`)).status).toBe(404)
      expect((await post(`/webhooks/${id}/resend`)).status).toBe(404)
    }
  })
})

describe('the list of webhooks', () => {
  /** Two receivers: one takes everything, one answers 500. */
  async function openBoth() {
    const [good, bad] = [await openReceiver(200), await openReceiver(500)]
    const dashboard = await openDashboard({ notifyUrl: good.url, retries: [] })
    return { ...dashboard, good, bad }
  }

  const boxesOf = (page: Document): string[] => attributesOf(page, '[name=delivery]', 'value')

  const statesOf = async ({ read }: Pick<Dashboard, 'read'>) =>
    /All \d+ Pending \d+ Delivered \d+ Failed \d+/.exec(await read('/webhooks'))?.[0]

  test('the list is filtered by status, event, state and text', async () => {
    const dashboard = await openBoth()
    await dashboard.sell(1000)
    await dashboard.sell(1100, { notifyUrl: dashboard.bad.url })
    await dashboard.sandbox.courier.idle()
    for (const [query, count] of [
      ['status=5xx', 1],
      ['status=2xx', 1],
      ['status=4xx', 0],
      ['event=result', 2],
      ['event=ORDER_RECEIVED', 0],
      ['state=failed', 1],
      ['state=failed&status=2xx', 0],
      ['q=/hook', 2],
      ['q=nothing-like-it', 0],
    ] as const)
      expect([query, boxesOf((await dashboard.get(`/webhooks?${query}`)).page).length]).toEqual([
        query,
        count,
      ])
  })

  test('the list is filtered by transaction, by notification and by endpoint as shown', async () => {
    const dashboard = await openBoth()
    const id = await dashboard.sell(1000)
    await dashboard.sell(1100, { notifyUrl: `${dashboard.bad.url}?token=verysecret` })
    await dashboard.sandbox.courier.idle()
    const countMatching = async (members: Record<string, string>) => {
      const { page } = await dashboard.get(`/webhooks?${new URLSearchParams(members)}`)
      return boxesOf(page).length
    }
    const notification = boxesOf((await dashboard.get(`/webhooks?q=${id}`)).page)[0]?.split(' ')[1] ?? ''
    expect(await countMatching({ q: notification })).toBe(1)
    expect(await countMatching({ endpoint: dashboard.good.url })).toBe(1)
    const { page } = await dashboard.get('/webhooks')
    const [shown = ''] = attributesOf(page, 'option[value*="token="]', 'value')
    expect(await countMatching({ endpoint: shown })).toBe(1)
    expect(await countMatching({ endpoint: `${dashboard.bad.url}?token=verysecret` })).toBe(0)
  })

  test('the chosen deliveries are sent again, each once, and no other', async () => {
    const dashboard = await openBoth()
    for (const amount of [1000, 1100, 1200]) await dashboard.sell(amount)
    await dashboard.attempted(dashboard.good, 3)
    const [newest = '', , oldest = ''] = boxesOf((await dashboard.get('/webhooks')).page)
    const body = new URLSearchParams({ what: 'chosen' })
    for (const each of [newest, oldest, newest, '1 nonsense', 'x']) body.append('delivery', each)
    const answer = await fetch(`${dashboard.url}/webhooks/resend`, {
      method: 'POST',
      body,
      headers: { Origin: dashboard.url, Referer: `${dashboard.url}/webhooks?event=result&open=x` },
      redirect: 'manual',
    })
    const to = answer.headers.get('location') ?? ''
    expect([answer.status, to]).toEqual([
      303,
      expect.stringMatching(/^\/webhooks\?event=result&open=x&notice=/),
    ])
    expect(await dashboard.read(to)).toContain('Resend of 2 webhooks requested.')
    await dashboard.attempted(dashboard.good, 5)
    expect(dashboard.good.arrivals.slice(3).map(({ id }) => id)).toEqual([
      oldest.split(' ')[1],
      newest.split(' ')[1],
    ])
    expect(await dashboard.read('/webhooks')).toContain('Delivered 200, resent after 1 attempt')
    const { headers } = await dashboard.post('/webhooks/resend', { what: 'chosen' })
    expect(await dashboard.read(String(headers.location))).toContain('Nothing was sent.')
    await dashboard.sandbox.courier.idle()
    expect(dashboard.good.arrivals).toHaveLength(5)
  })

  test('all failed deliveries are sent again by one button', async () => {
    const dashboard = await openBoth()
    const { post, bad, good, read } = dashboard
    for (const amount of [1000, 1200]) await dashboard.sell(amount, { notifyUrl: bad.url })
    await dashboard.sell(1300)
    await dashboard.attempted(bad, 2)
    await dashboard.attempted(good, 1)
    expect(await read('/webhooks')).toContain('Resend all 2 failed')
    bad.answer(200)
    await post('/webhooks/resend', { what: 'failed' })
    await dashboard.attempted(bad, 4)
    expect(await statesOf(dashboard)).toBe('All 3 Pending 0 Delivered 3 Failed 0')
    expect(await read('/webhooks')).not.toContain('Resend all')
    expect(good.arrivals).toHaveLength(1)
  })

  test('the page holds webhooks, releases one, then all', async () => {
    const dashboard = await openBoth()
    const { get, post, good } = dashboard
    await post('/webhooks/hold', {})
    for (const amount of [1000, 1100, 1200]) await dashboard.sell(amount)
    const { page } = await get('/webhooks')
    expect(wordsOf(page)).toContain('3 webhooks are held until you release them.')
    const [, second = ''] = boxesOf(page)
    for (let times = 0; times < 2; times++) await post('/webhooks/release', { delivery: second })
    expect(good.arrivals.map(({ id }) => id)).toEqual([second.split(' ')[1]])
    await post('/webhooks/release', { what: 'all' })
    await good.got(3)
    await expect.poll(() => statesOf(dashboard)).toBe('All 3 Pending 0 Delivered 3 Failed 0')
  })

  test('a release sends that delivery alone, not those of its notification to other URLs', async () => {
    const dashboard = await openBoth()
    const { get, post, control, good, bad, read } = dashboard
    await post('/webhooks/hold', {})
    await dashboard.sell(1000)
    const [[, id = ''] = []] = boxesOf((await get('/webhooks')).page).map((each) => each.split(' '))
    await control('POST', 'webhooks/resend', { ids: [id], to: bad.url })
    const { headers } = await post('/webhooks/release', { delivery: `2 ${id}` })
    expect(await read(String(headers.location))).toContain('Released 1 webhook.')
    expect([good.arrivals.length, bad.arrivals.length]).toEqual([0, 1])
  })

  test('before several failed ones are sent again, a page asks, and says where they go', async () => {
    const dashboard = await openBoth()
    for (let count = 0; count < 2; count++) await dashboard.sell(1000, { notifyUrl: dashboard.bad.url })
    await dashboard.sandbox.courier.idle()
    const list = (await dashboard.get('/webhooks')).page
    const path = linkTo(list, /^Resend all \d+ failed…$/)
    const { page, words } = await dashboard.get(path)
    expect(words).toMatch(/Resend \d+ failed webhooks\?/)
    expect(words).toContain(dashboard.bad.url)
    const form = byRole(byRole(page, 'main'), 'form')
    expect([form.getAttribute('action'), hiddenFields(form).what]).toEqual(['/webhooks/resend', 'failed'])
  })

  test('where none failed, the page says so and only leads back; one has its endpoint', async () => {
    const dashboard = await openBoth()
    const { page, words } = await dashboard.get('/webhooks/resend')
    expect(words).toContain('No webhook failed.')
    expect(wordsOf(byRole(page, 'main'))).not.toContain('signature')
    expect(allByRole(byRole(page, 'main'), 'button')).toEqual([])
    expect(linkTo(page, 'Back')).toBe('/webhooks')
    await dashboard.sell(1000, { notifyUrl: dashboard.bad.url })
    await dashboard.sandbox.courier.idle()
    const one = await dashboard.get('/webhooks/resend')
    expect(one.words).toContain('Resend 1 failed webhook?')
    expect(one.words).toContain(`It is sent with the same id and a new signature, to ${dashboard.bad.url}`)
  })

  test('the list follows deliveries that are delivered, held and failed', async () => {
    const dashboard = await openBoth()
    const { until } = await followStream(`${dashboard.url}/webhooks/live`)
    await dashboard.sell(1000, { notifyUrl: dashboard.bad.url })
    await until((push) => push.includes('Resend the failed one') && push.includes('Sale approved'))
    await dashboard.control('PUT', 'webhook-hold', { hold: true })
    await until((push) => push.includes('Webhooks are held'))
  })

  test('every id is unique on the page, so that a pushed piece replaces its own element', async () => {
    const dashboard = await openBoth()
    await dashboard.sell(1000, { notifyUrl: dashboard.bad.url })
    await dashboard.sandbox.courier.idle()
    const ids = attributesOf((await dashboard.get('/webhooks')).page, '[id]', 'id')
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('the page says why a delivery waits: its retry, the frozen clock or the strict order', async () => {
    const bad = await openReceiver(500)
    const { control, sell, attempted, read } = await openDashboard({ notifyUrl: bad.url, retries: [60_000] })
    await control('PUT', 'webhook-schedule', { order: 'strict' })
    await sell(1000)
    await attempted(bad, 1)
    await sell(1100)
    const words = () => read('/webhooks')
    expect(await words()).toMatch(/Pending .*\d\d:\d\d, after the retry of an earlier one: order strict/)
    expect(await words()).not.toContain('frozen')
    await control('POST', 'clock', { action: 'freeze' })
    expect(await words()).toMatch(/Retrying, 1 of 2 500, next .*\d\d:\d\d:\d\d(?!, clock)/) // the masthead says it for all rows
    expect(await words()).not.toContain('clock frozen')
  })
})
