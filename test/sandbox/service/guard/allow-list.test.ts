import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { operations } from '../../../../src/contract/operations.ts'
import { appOf } from '../../../support/service/app.ts'
import { apiKey, openService, type Service, sale } from '../../../support/service/service.ts'

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

test.each([
  ['127.0.0.1', '::ffff:127.0.0.1', true],
  ['2001:db8::/32', '2001:db8::7', true],
  ['127.0.0.1', '127.0.0.2', false],
  ['127.0.0.1', '::ffff:127.0.0.2', false],
])('api authentication-6: the entry %s lets a connection from %s in: %s', async (entry, address, isIn) => {
  const service = await openService()
  expect((await service.control('PUT', 'allow-list', { addresses: ['203.0.113.7', entry] })).code).toBe('0')
  const { status, code, detail } = await saleFrom(service, address)
  expect([status, code]).toEqual(isIn ? [200, '0'] : [403, 'SBX_IP_BLOCKED'])
  if (!isIn) expect(detail).toContain(address.replace('::ffff:', ''))
})

test('two changes that cannot be written leave neither in force', async () => {
  const { control, sandbox } = await openService()
  vi.spyOn(sandbox.settings, 'write').mockImplementation(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    throw new Error('ENOSPC')
  })
  const changes = ['10.0.0.1', '10.0.0.2'].map((address) =>
    control('PUT', 'allow-list', { addresses: [address] }),
  )
  expect((await Promise.all(changes)).map(({ code }) => code)).toEqual(['SBX_STORE_FAIL', 'SBX_STORE_FAIL'])
  expect(sandbox.settings.data.allowLists).toEqual({})
})
