import { expect, test } from 'vitest'
import { type OpenNode, openNode } from '../support/cluster/cluster-node.ts'
import { sharedCluster, skipsPostgres } from '../support/cluster/postgres.ts'
import { openRawSandbox } from '../support/service/raw.ts'
import { salePath } from '../support/service/requests.ts'
import { apiHeaders, sale } from '../support/service/service.ts'

const start = 'a-token-of-the-test-0001'

/** Asks for metrics with a token. */
const scrape = (url: string, token: string, path = '/metrics') =>
  fetch(url + path, { headers: { Authorization: `Bearer ${token}` } })

/** The samples of OpenMetrics, by name with labels. */
const samplesIn = (text: string) =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, name = '', value] = /^([a-z_]+(?:\{[^}]*\})?) (\S+)/.exec(line) ?? []
      return value === undefined ? [] : [[name, Number(value)]]
    }),
  )

async function serve(metrics: boolean) {
  const running = await openRawSandbox({ token: start, ...(metrics && { metrics }) })
  const { url, apiKey } = running.connection
  const sell = () =>
    fetch(url + salePath, { method: 'POST', headers: apiHeaders(apiKey), body: JSON.stringify(sale(1000)) })
  return { ...running, url, sell }
}

test('assumption metrics: they are in OpenMetrics form, and count requests, transactions and webhooks', async () => {
  const { url, sell } = await serve(true)
  for (let count = 0; count < 3; count++) await sell()
  const answer = await scrape(url, start)
  const type = 'application/openmetrics-text; version=1.0.0; charset=utf-8'
  expect(answer.headers.get('content-type')).toBe(type)
  const text = await answer.text()
  expect(text.endsWith('\n# EOF\n') && !text.slice(0, -6).includes('# EOF')).toBe(true)
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(
      /^(# (HELP|TYPE|UNIT) [a-z_0-9]+ .*|# EOF|[a-z_0-9]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? \S+)$/,
    )
  expect(samplesIn(text)).toMatchObject({
    'tillbox_requests_total{operation="sale",code="0"}': 3,
    'tillbox_transactions{status="SUCCESS"}': 3,
    'tillbox_webhook_deliveries{state="pending"}': 0,
    'tillbox_spaces{state="memory"}': 1,
    process_start_time_seconds: expect.any(Number),
  })
})

test('assumption metrics: they are off by default, and only for admins and viewers of every space', async () => {
  const off = await serve(false)
  expect((await scrape(off.url, start)).status).toBe(404)
  const { url, sandbox } = await serve(true)
  const tokenOf = async (scope: 'viewer' | 'space' | 'spaces', space: string | null) =>
    (await sandbox.access.tokens.create({ name: `${scope}-${space}`, scope, space, ttlMs: null })).token
  const status = async (scope: 'viewer' | 'space' | 'spaces', space: string | null) =>
    (await scrape(url, await tokenOf(scope, space))).status
  expect([await status('viewer', null), await status('viewer', 'default')]).toEqual([200, 403])
  expect([await status('space', 'default'), await status('spaces', null)]).toEqual([403, 403])
  expect((await fetch(`${url}/metrics`)).status).toBe(401)
  expect(
    (await fetch(`${url}/metrics`, { method: 'POST', headers: { 'X-Sandbox-Token': start } })).status,
  ).toBe(405)
  const foreign = { 'X-Sandbox-Token': start, Origin: 'http://evil.example' }
  const refusal = { code: 'SBX_HOST' }
  expect(await (await fetch(`${url}/metrics`, { headers: foreign })).json()).toMatchObject(refusal)
  const refusals = await sandbox.access.audit.latest(10, null, 'refusals')
  expect(refusals.map(({ path, token }) => `${path} ${token}`)).toContain('/metrics space-default')
})

test.skipIf(skipsPostgres())('assumption metrics: each node tells of itself', async () => {
  const store = (await sharedCluster()).url()
  const [one, two] = [
    await openNode(store, { token: start, metrics: true }),
    await openNode(store, { token: start, metrics: true }),
  ]
  const spacesIn = async ({ url }: OpenNode) =>
    samplesIn(await (await scrape(url, start)).text())['tillbox_spaces{state="memory"}']
  expect([await spacesIn(one), await spacesIn(two)]).toEqual([1, undefined])
})
