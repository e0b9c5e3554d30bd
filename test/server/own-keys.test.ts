import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { applications } from '../../src/domain/fixtures.ts'
import { PublishedKey } from '../../src/server/listening.ts'
import { type ServerOptions, startSandbox } from '../../src/server/server.ts'
import { askJson } from '../support/network/ask-json.ts'
import { openRawSandbox } from '../support/service/raw.ts'
import { apiHeaders, apiKey as published, temporaryFolder } from '../support/service/service.ts'

const token = 'a-token-of-the-test-0001'
const appIds = applications.map(({ appId }) => appId)

/** A started sandbox that calls can be sent to; closed when the test is over. */
async function start(options: ServerOptions) {
  const running = await openRawSandbox(options)
  const { url } = running.connection
  /** Code of a look-up with a key. */
  const codeOf = async (key: string): Promise<string> =>
    (await askJson(`${url}/v1/merchant/query`, 'GET', undefined, apiHeaders(key))).code
  const control = (method: string, path: string, body?: object) =>
    askJson(`${url}/_sandbox/${path}`, method, body, { 'X-Sandbox-Token': token })
  return { ...running, codeOf, control }
}

describe('assumption keys: a sandbox that others reach', () => {
  test.each([
    ['--host', { host: '0.0.0.0' }],
    ['--public-url', { publicUrl: 'https://pay.team.test' }],
  ])('with %s it makes keys and webhook secrets of its own; published keys are unknown', async (_, where) => {
    const { made, codeOf, connection, control } = await start({ state: temporaryFolder(), token, ...where })
    expect(made.map(({ appId }) => appId)).toEqual(appIds)
    expect(connection.apiKey).toBe(made[0]?.apiKey)
    const keys = made.map(({ apiKey = '' }) => apiKey)
    for (const key of keys)
      expect([key, await codeOf(key)]).toEqual([expect.stringMatching(/^tbx_sandbox_/), '0'])
    for (const { key } of applications.flatMap((each) => each.keys))
      expect([key, await codeOf(key)]).toEqual([key, 'SBX_KEY_UNKNOWN'])
    const { secret } = (await control('GET', `webhook-secret?appId=${appIds[0]}`)).data
    expect(secret).toBe(made[0]?.webhookSecret)
    const secrets = made.map(({ webhookSecret }) => webhookSecret)
    expect(new Set([...keys, ...secrets, ...applications.map((each) => each.webhookSecret)]).size).toBe(6)
  })

  test('a restart and a reset of everything keep them, and they are shown once', async () => {
    const state = temporaryFolder()
    const first = await start({ state, host: '0.0.0.0', token })
    const key = first.connection.apiKey
    expect((await first.control('POST', 'reset', { everything: true })).code).toBe('0')
    expect([await first.codeOf(key), await first.codeOf(published)]).toEqual(['0', 'SBX_KEY_UNKNOWN'])
    await first.close()
    const again = await start({ state, host: '0.0.0.0', token })
    expect([again.connection.apiKey, again.made, await again.codeOf(key)]).toEqual([key, [], '0'])
  })

  test('a published key that was replaced on loopback is unknown in its grace period too', async () => {
    const state = temporaryFolder()
    const local = await start({ state, token })
    const rotated = (await local.control('POST', 'keys/regenerate', { graceMs: 3_600_000 })).data.apiKey
    expect([await local.codeOf(rotated), await local.codeOf(published)]).toEqual(['0', '0'])
    await local.close()
    const { codeOf } = await start({ state, host: '0.0.0.0', token })
    expect([await codeOf(rotated), await codeOf(published)]).toEqual(['0', 'SBX_KEY_UNKNOWN'])
  })

  test('a key that is given counts, and a published one is refused', async () => {
    const shared = { host: '0.0.0.0', token }
    await expect(startSandbox({ state: temporaryFolder(), ...shared, apiKey: published })).rejects.toThrow(
      PublishedKey,
    )
    const { made, codeOf } = await start({ state: temporaryFolder(), ...shared, apiKey: 'my_team_key_2026' })
    expect([await codeOf('my_team_key_2026'), made[0]?.apiKey]).toEqual(['0', undefined])
    expect(made[0]?.webhookSecret).toMatch(/^whsec_/)
  })

  test('a damaged secret.json stops the start', async () => {
    const state = temporaryFolder()
    await (await start({ state, host: '0.0.0.0', token })).close()
    const path = join(state, 'secret.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"secret": "./, '"secret": "g'))
    await expect(startSandbox({ state, host: '0.0.0.0', token })).rejects.toThrow(/secret\.json is damaged/)
  })
})
