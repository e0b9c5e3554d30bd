import { expect, test } from 'vitest'
import { openService, type Service, sale, temporaryFolder } from '../../support/service/service.ts'

const codeWith = async ({ call }: Service, key: string): Promise<string> =>
  (await call('sale', sale(1), { Authorization: `Bearer ${key}` })).code

const keyOf = async ({ control }: Service): Promise<string> =>
  (await control('GET', 'connection')).data.apiKey

test('a key given at the start is replaced by a regenerated one and valid again when it is given again', async () => {
  const state = temporaryFolder()
  const service = await openService({ state, apiKey: 'mine' })
  expect(await keyOf(service)).toBe('mine')
  const order = { graceMs: 0, appId: 'tbxapp0000000001' } // the key of these requests is unknown now
  const { apiKey } = (await service.control('POST', 'keys/regenerate', order)).data
  expect(await keyOf(service)).toBe(apiKey)
  expect(await codeWith(service, apiKey)).toBe('0')
  expect(await codeWith(service, 'mine')).toBe('SBX_KEY_EXPIRED')
  await service.close()
  const again = await openService({ state, apiKey: 'mine' })
  expect(await keyOf(again)).toBe('mine')
  expect(await codeWith(again, 'mine')).toBe('0')
})
