import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { operations } from '../../../src/contract/operations.ts'
import { appOf } from '../../support/service/app.ts'
import { apiKey, openService, type Service, sale } from '../../support/service/service.ts'

/** A sale as it comes over a connection from that address. */
async function saleFrom({ sandbox }: Service, remoteAddress: string) {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'x-client-request-id': randomUUID(),
    'x-timestamp': String(Date.now()),
    'content-type': 'application/json',
  }
  const incoming = { socket: { remoteAddress, localAddress: '127.0.0.1', localPort: 8080 }, headers }
  const request = new Request(`http://127.0.0.1:8080${operations.sale.path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(sale(1000)),
  })
  const response = await appOf(sandbox).fetch(request, { incoming } as never)
  const { code, detail } = (await response.json()) as { code: string; detail?: string }
  return { status: response.status, code, detail }
}

describe('api authentication-6: the ways to write an address', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1', '::ffff:127.0.0.1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['127.0.0.0/8', '127.0.0.1'],
    ['127.0.0.1/32', '::ffff:127.0.0.1'],
    ['2001:db8::/32', '2001:db8::7'],
    ['::ffff:127.0.0.1', '::ffff:127.0.0.1'],
    ['::FFFF:127.0.0.1', '127.0.0.1'],
    ['::ffff:7f00:1', '127.0.0.1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['2001:DB8::7', '2001:db8::7'],
    ['2001:0db8:0000:0000:0000:0000:0000:0007', '2001:db8::7'],
  ])('the entry %s lets %s in', async (entry, address) => {
    const service = await openService()
    expect((await service.control('PUT', 'allow-list', { addresses: ['203.0.113.7', entry] })).code).toBe('0')
    expect(await saleFrom(service, address)).toMatchObject({ status: 200, code: '0' })
  })

  test.each([
    ['127.0.0.1', '127.0.0.2'],
    ['127.0.0.1/32', '127.0.0.2'],
    ['10.0.0.0/8', '11.0.0.1'],
    ['2001:db8::/32', '2001:db9::7'],
    ['127.0.0.1', '::ffff:127.0.0.2'],
    ['127.0.0.1', '::1'],
    ['::1', '127.0.0.1'],
    ['::ffff:127.0.0.1', '::1'],
    ['2001:db8::7', '2001:db8::8'],
    ['0.0.0.0', '127.0.0.1'],
    ['::', '::1'],
  ])('the entry %s does not let %s in', async (entry, address) => {
    const service = await openService()
    await service.control('PUT', 'allow-list', { addresses: [entry] })
    const refused = await saleFrom(service, address)
    expect([refused.status, refused.code]).toEqual([403, 'SBX_IP_BLOCKED'])
    expect(refused.detail).toContain(address.replace('::ffff:', ''))
  })
})

test.each(['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::1/129', '/8', '::ffff:10.0.0.0/104', '10.0.0/8'])(
  '%s is not a range and is refused',
  async (entry) => {
    const { control } = await openService()
    const answer = await control('PUT', 'allow-list', { addresses: [entry] })
    expect([answer.code, answer.field]).toEqual(['C17', 'addresses.0'])
  },
)
