import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fileTokens, tokensFileName } from '../../../src/sandbox/access/file-tokens.ts'
import { TokenRegistry } from '../../../src/sandbox/access/token-registry.ts'
import { verifyState } from '../../../src/sandbox/store/file/verify.ts'
import { openSandbox } from '../../../src/server/sandbox/sandbox.ts'
import { DamagedFile } from '../../../src/shared/files/checked-json.ts'
import { grantOf, unexpected, wantedToken } from '../../support/access-stores.ts'
import { temporaryFolder } from '../../support/service/service.ts'

/** The tokens of a folder, whose last uses are written soon. */
function openTokens(folder = temporaryFolder()) {
  const options = { folder, wall: Date.now, confirm: () => undefined, report: unexpected }
  return {
    folder,
    path: join(folder, tokensFileName),
    tokens: new TokenRegistry(fileTokens(options), options, 20),
  }
}

test('only the owner of the state folder can read tokens.json', async () => {
  const { tokens, path } = openTokens()
  await tokens.create(wantedToken('lee'))
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('the last use of a token is written soon, and never after a close', async () => {
  const { tokens, path } = openTokens()
  const { token } = await tokens.create(wantedToken('lee'))
  const grant = await grantOf(tokens, token)
  tokens.used(grant)
  await expect.poll(() => readFileSync(path, 'utf8')).toMatch(/"lastUsedAt": "20/)
  tokens.used(grant)
  await tokens.close()
  rmSync(path)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(existsSync(path)).toBe(false)
})

describe('a damaged tokens.json', () => {
  const entry = {
    ...{ id: '00000000', name: 'lee', scope: 'viewer', space: null, hash: '0'.repeat(64) },
    ...{ createdAt: '2026-11-20T12:00:00.000Z', expiresAt: null, lastUsedAt: null },
    revokedAt: null,
  }

  test.each([
    ['it is empty', ''],
    ['it is cut off', '{"tokens":'],
    ['it is another kind of JSON', '[]'],
    ['a scope is none', JSON.stringify({ tokens: [{ ...entry, scope: 'owner' }] })],
    ['a hash is short', JSON.stringify({ tokens: [{ ...entry, hash: '00' }] })],
    ['a member is missing', JSON.stringify({ tokens: [{ ...entry, space: undefined }] })],
    ['a time is none', JSON.stringify({ tokens: [{ ...entry, expiresAt: 'soon' }] })],
  ])('a damaged tokens.json stops the start, and verify reports it: %s', async (_, text) => {
    const state = temporaryFolder()
    const path = join(state, 'tokens.json')
    writeFileSync(path, text)
    await expect(openSandbox({ state })).rejects.toThrow(DamagedFile)
    expect(readdirSync(state)).toEqual(['tokens.json'])
    const { sound, problems } = await verifyState(state)
    expect([sound, problems.join()]).toEqual([false, expect.stringContaining(path)])
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  test('one changed word in tokens.json is detected by its checksum', async () => {
    const { tokens, folder, path } = openTokens()
    await tokens.create(wantedToken('lee'))
    writeFileSync(path, readFileSync(path, 'utf8').replace('"viewer"', '"admin"'))
    expect(() => openTokens(folder)).toThrow(/tokens\.json is damaged: its checksum/)
  })

  test('a folder in place of tokens.json stops the start', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, tokensFileName))
    expect(() => openTokens(folder)).toThrow(expect.objectContaining({ code: 'EISDIR' }))
  })
})
