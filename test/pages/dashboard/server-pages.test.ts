import { expect, test } from 'vitest'
import { openDashboard } from '../../support/pages/dashboard.ts'
import { attributesOf, hrefsIn, linkTo } from '../../support/pages/page.ts'

test('a space is made, opened and removed by its page', async () => {
  const { get, post, read } = await openDashboard()
  expect((await post('/spaces', { name: 'ci-1', life: '7' })).status).toBe(303)
  const links = async () => hrefsIn((await get('/spaces')).page)
  expect(await links()).toContain('/s/ci-1/')
  expect(linkTo((await get('/s/ci-1/')).page, 'Tokens')).toBe('/./tokens') // of the server, not of the space
  const { status, words } = await post('/spaces', { name: 'ci-1' })
  expect([status, words]).toEqual([422, expect.stringContaining('Space ci-1 exists already')])
  expect(await read('/spaces/ci-1/remove')).toContain('Remove the space ci-1?')
  expect((await post('/spaces/ci-1/remove')).status).toBe(303)
  expect(await links()).not.toContain('/s/ci-1/')
})

test('what is not there is not asked about', async () => {
  const { get } = await openDashboard()
  for (const path of ['/spaces/ci-1/remove', '/snapshots/base/delete'])
    expect((await get(path)).status).toBe(404)
})

test('the first space cannot be removed', async () => {
  const { get, post } = await openDashboard()
  expect((await post('/spaces/default/remove')).status).toBe(409)
  expect(linkTo((await get('/spaces')).page, 'default')).toBe('/')
})

test('a token is shown once, listed, and revoked; the audit log tells who did it', async () => {
  const { get, post, read } = await openDashboard()
  const made = await post('/tokens', { name: 'ci', scope: 'space', space: 'default', life: '1' })
  const [token = ''] = /tbx_space_[\w-]{43}/.exec(made.text) ?? []
  expect(token).not.toBe('')
  const listed = await get('/tokens')
  expect(listed.text).not.toContain(token)
  expect(listed.words).toMatch(/ci space · default · until \d{4}-\S+ space default never \d{4}-/)
  expect(await read('/tokens/ci/revoke')).toContain('Revoke the token ci?')
  expect((await get('/tokens/nobody/revoke')).status).toBe(404)
  expect((await post('/tokens/ci/revoke')).status).toBe(303)
  expect(await read('/tokens')).not.toContain('Revoke')
  const audit = await read('/audit?only=changes')
  expect(audit).toMatch(
    /POST \/tokens\/ci\/revoke [\d:]+ · local .* Accepted .* POST \/tokens\/ci [\d:]+ · local .* Accepted/,
  )
  expect(await read('/audit?only=refusals')).toContain('There is no line')
})

test('the audit log has a long id in three parts, of which a narrow window leaves out the middle, and the whole request as a title', async () => {
  const { get, post } = await openDashboard()
  const path = '/webhooks/9bd81f17-e7fd-8000-8006-617b233212f3/resend'
  await post(path)
  await post('/transactions/1796031359301813/void')
  const { page, words } = await get('/audit')
  expect(words).toContain('POST /webhooks/9bd81f … 17-e7fd-8000-8006-617b2332 12f3/resend')
  expect(words).toContain('POST /transactions/179603 … 135930 1813/void')
  expect(attributesOf(page, 'main th', 'title')).toContain(`POST ${path}`)
})

test.each([
  [{ name: 'start', scope: 'admin' }, 'must be none of start'],
  [{ name: 'ci', scope: 'space' }, 'must name the space'],
  [{ name: '', scope: 'viewer' }, 'must be 1 to 48 letters'],
])('a token with %j is refused at its field', async (fields, message) => {
  const { post } = await openDashboard()
  const { status, words } = await post('/tokens', fields)
  expect([status, words]).toEqual([422, expect.stringContaining(message)])
})
