import { describe, expect, test } from 'vitest'
import { type Dashboard, openDashboard } from '../../support/pages/dashboard.ts'
import { fieldValue, hrefsIn } from '../../support/pages/page.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

describe('a webhook that is edited', () => {
  async function open() {
    const receiver = await openReceiver()
    const url = `${receiver.url}?token=verysecret`
    const dashboard = await openDashboard({ notifyUrl: url })
    const id = await dashboard.sell(1000)
    const [original] = await receiver.got(1)
    if (original === undefined) throw new Error('nothing was delivered')
    await dashboard.sandbox.courier.idle()
    return { ...dashboard, receiver, id, original, path: `/webhooks/${original.id}/edit` }
  }

  /** Posts as browsers do: ends of lines are CR and LF. */
  const postAs =
    ({ post }: Pick<Dashboard, 'post'>, path: string) =>
    (fields: Readonly<Record<string, string>>) =>
      post(
        path,
        Object.fromEntries(
          Object.entries(fields).map(([name, text]) => [name, text.replaceAll('\n', '\r\n')]),
        ),
      )

  test('the form is filled with the attempt before, with a line for each member and header', async () => {
    const { get, original, path } = await open()
    const { page, text, words } = await get(path.replace('/edit', ''))
    expect(fieldValue(page, 'body')).toBe(JSON.stringify(original.json, null, 2))
    expect(fieldValue(page, 'headers')?.split('\n')).toContain(
      `X-Signature: ${original.headers['x-signature']}`,
    )
    expect(words).toContain('Leave empty to use the original URL: http://127.0.0.1')
    expect(text).not.toContain('verysecret')
  })

  test.each([
    '{ "amount": 1.00,\n\t"note": "ä <b> & \\" </textarea>" }',
    '\n\n{"begins": "with lines"}\n',
    'not JSON at all',
  ])('the body is sent byte for byte as it was typed, and the answer is shown: %j', async (body) => {
    const { get, receiver, original, path, ...rest } = await open()
    receiver.answer((_, response) => response.writeHead(202, { 'X-Reply': 'seen' }).end('<i>fine</i>'))
    const headers = 'Content-Type: text/plain\nX-Client-Request-Id: mine\nX-Signature: old'
    const answer = await postAs(rest, path)({ body, headers, signature: 'new', attempt: '1' })
    expect([answer.status, answer.headers.location]).toEqual([303, path.replace('/edit', '')])
    const { page, text, words } = await get(path.replace('/edit', ''))
    const [, sent] = receiver.arrivals
    expect(sent).toMatchObject({ body, id: 'mine', path: original.path })
    expect(sent?.headers['content-type']).toBe('text/plain')
    expect(sent?.headers['x-signature']).toMatch(/^[\da-f]{64}$/)
    expect(words).toMatch(
      /POST \/\S*token=.*Edited attempt 2 202 .*Answer .*<i>fine<\/i>.*Changed since attempt 1: 200 → 202 .*x-reply: seen/,
    )
    expect(text).not.toContain('verysecret')
    expect(page.querySelector('i:not([aria-hidden])')).toBeNull()
    expect(fieldValue(page, 'body')).toBe(body)
    // The latest first; an edited one changes no delivery
    expect(words).toMatch(/Delivered 200 in .* Edited attempt 2, which changes no delivery: 202 in /)
    expect(words).toContain('Delivery 1 attempt and 1 edited')
    expect(words).toMatch(/Attempts wall clock, UTC \w{3} \d\d \w{3} Edited attempt 2 /)
    expect(words).toContain('Edited attempt 2 Restore the request as it came')
    const restored = await get(`${path.replace('/edit', '')}?attempt=0`)
    expect(fieldValue(restored.page, 'body')).toBe(JSON.stringify(original.json, null, 2))
    expect(restored.words).not.toContain('Restore the request')
  })

  test('an edited webhook keeps the old signature and goes to another URL if that is chosen', async () => {
    const { get, receiver, original, path, ...rest } = await open()
    const other = await openReceiver()
    const headers = fieldValue((await get(path.replace('/edit', ''))).page, 'headers') ?? ''
    const form = {
      body: '{"x":1}',
      headers,
      attempt: '1',
      to: ` ${other.url} `,
    }
    expect((await postAs(rest, path)(form)).status).toBe(303)
    expect(receiver.arrivals).toHaveLength(1)
    const [sent] = other.arrivals
    expect(sent?.body).toBe('{"x":1}')
    for (const name of ['x-signature', 'x-timestamp', 'x-client-request-id'])
      expect([name, sent?.headers[name]]).toEqual([name, original.headers[name]])
  })

  test('an edited webhook goes to the URL of the attempt that is edited', async () => {
    const { get, post, attempted, receiver, path, control, original, ...rest } = await open()
    const other = await openReceiver()
    await control('POST', 'webhooks/resend', { ids: [original.id], to: `${other.url}?key=topsecret` })
    await attempted(other, 1)
    const { text, words } = await get(path.replace('/edit', '?attempt=2'))
    expect(words).toContain(`Leave empty to use the original URL: ${other.url}?key=`)
    expect(text).not.toContain('topsecret')
    const form = { body: '{}', headers: '', signature: 'new', attempt: '2' }
    expect((await postAs({ post, ...rest }, path)(form)).status).toBe(303)
    expect(other.arrivals[1]).toMatchObject({ body: '{}', path: '/hook?key=topsecret' })
    expect(receiver.arrivals).toHaveLength(1)
  })

  test.each([
    [{ headers: 'no colon' }, 'Line 1 is not a name, a colon and a value'],
    [{ headers: 'a: 1\n\na: 2' }, 'a is given twice'],
    [{ headers: 'Content-Length: 3' }, 'Content-Length is made by the connection'],
    [{ to: 'http://10.1.2.3/hook' }, 'not on this machine'],
    [{ to: 'nowhere' }, 'must be an http or https URL'],
  ])('the form with %j is refused in place, and nothing is sent', async (wrong, why) => {
    const { receiver, path, ...rest } = await open()
    const form = { body: 'typed <b>', headers: '', signature: 'new', ...wrong }
    const { status, page, words } = await postAs(rest, path)(form)
    expect(status).toBe(422)
    expect(words.split(why)).toHaveLength(2)
    expect(fieldValue(page, 'body')).toBe('typed <b>')
    expect(page.querySelector('[aria-invalid=true]')).not.toBeNull()
    expect(receiver.arrivals).toHaveLength(1)
  })

  test('a missing answer is reported, and a webhook without an attempt is composed', async () => {
    const dashboard = await openDashboard({ notifyUrl: 'http://127.0.0.1:1/' })
    await dashboard.control('PUT', 'webhook-hold', { hold: true })
    await dashboard.sell(1000)
    const [path = ''] = hrefsIn((await dashboard.get('/webhooks')).page).filter((href) =>
      href.startsWith('/webhooks/'),
    )
    const { page, words } = await dashboard.get(path)
    expect(words).toContain('No attempt was made yet.')
    expect(fieldValue(page, 'body')).toContain('"transactionStatus": "S"')
    await dashboard.post(`${path}/edit`, { body: 'x', headers: '', signature: 'new' })
    expect(await dashboard.read(path)).toMatch(/Edited attempt 1 .*nothing listens there/)
  })

  test('the form refuses an unknown webhook and a card number', async () => {
    const { post, path, receiver } = await open()
    const unknown = `/webhooks/${crypto.randomUUID()}/edit`
    expect((await post(unknown, { body: 'x' })).status).toBe(404)
    expect((await post(path, { body: '{"note":"4111111111111111"}' })).text).toContain('card')
    expect(receiver.arrivals).toHaveLength(1)
  })
})
