import { describe, expect, test } from 'vitest'
import { openapiDocument } from '../../../src/openapi/document.ts'
import { openDashboard, visibleText } from '../../support/pages/dashboard.ts'
import { apiKey } from '../../support/service/service.ts'

const { paths = {}, webhooks = {} } = openapiDocument()
const ids = [...Object.values(paths), ...Object.values(webhooks)].flatMap((methods) =>
  Object.values(methods).map(({ operationId }) => operationId),
)

describe('the pages of the API', () => {
  test('the index lists every operation and webhook, each with its own page', async () => {
    const { get } = await openDashboard()
    const { status, text } = await get('/docs')
    expect(status).toBe(200)
    expect(text).toContain('<a href="/docs" aria-current="page">')
    const linked = [...text.matchAll(/href="\/docs\/([^"]+)"/g)].map(([, id]) => id)
    expect(linked.sort()).toEqual([...ids].sort())
    for (const id of ids) {
      const page = await get(`/docs/${id}`)
      expect(page.status, id).toBe(200)
      expect(page.text, id).not.toMatch(/undefined|\[object|NaN/)
    }
  })

  test('the page of an operation shows its members with limits and meaning, its answers and its errors', async () => {
    const { get } = await openDashboard()
    const words = visibleText((await get('/docs/refund')).text)
    expect(words).toContain('POST /v1/semi-integration/transaction/refund')
    expect(words).toContain('transactionRequestId required')
    expect(words).toContain('Idempotency id, new for every transaction')
    expect(words).toContain('amount.orderAmount')
    expect(words).toContain('0 to 1,000,000,000,000')
    expect(words).toContain('data.transactionStatus')
    expect(words).toContain('SBX_OVER_REFUND')
    expect(words).toContain('SBX_AUTH_MISSING')
    expect(words).toContain('originalTransactionId comes from the answer to sale , data.transactionId')
  })

  test('the curl example never has an API key that was rotated away', async () => {
    const { get, control, sandbox } = await openDashboard()
    const { appId } = sandbox.directory.defaultApplication
    await control('POST', 'keys/regenerate', { appId })
    const { text } = await get('/docs/sale')
    expect(text).not.toContain(apiKey)
    expect(text).toContain('Authorization: Bearer $')
  })

  test('the page of an operation shows a curl example for this sandbox, with a button that copies it', async () => {
    const { get, url } = await openDashboard()
    const { text } = await get('/docs/sale')
    const copied = /data-copy="(curl[^"]+)"/
      .exec(text)?.[1]
      ?.replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
    expect(copied).toContain(`${url}/v1/semi-integration/transaction/sale`)
    expect(copied).toContain(`\${TILLBOX_API_KEY:-${apiKey}}`)
    expect(copied).toContain('"amount":4250')
  })

  test('the page of a control operation has an example without a key and with names filled in', async () => {
    const { get, url } = await openDashboard()
    const words = visibleText((await get('/docs/present-card')).text)
    expect(words).toContain(`${url}/_sandbox/terminals/TBX-ATTENDED-001/present`)
    expect(words).not.toContain('TILLBOX_API_KEY')
  })

  test('the page of a webhook lists its headers and its body', async () => {
    const { get } = await openDashboard()
    const words = visibleText((await get('/docs/terminal-event')).text)
    for (const each of ['X-Signature', 'eventType', 'ORDER_RECEIVED', 'POST to your server'])
      expect(words).toContain(each)
  })

  test('an unknown operation is answered with 404 and a page that says so', async () => {
    const { get } = await openDashboard()
    const { status, text } = await get('/docs/nothing')
    expect(status).toBe(404)
    expect(visibleText(text)).toContain('The sandbox has no operation nothing')
    expect(text).toContain('href="/docs"')
  })
})
