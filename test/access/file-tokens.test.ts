import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { FileTokens } from '../../src/access/file-tokens.ts'
import { DamagedFile } from '../../src/files/checked-json.ts'
import { openSandbox } from '../../src/sandbox/sandbox.ts'
import { verifyState } from '../../src/store/file/verify.ts'
import { refusalCode, wantedToken } from '../support/access-stores.ts'
import { temporaryFolder, WallClock } from '../support/service/service.ts'

/** The tokens of a folder, with the wall clock in the test's hand. */
function openTokens(folder = temporaryFolder()) {
  const wall = new WallClock(Date.parse('2026-11-20T12:00:00Z'))
  const reports: string[] = []
  const confirm = vi.fn<() => void>()
  const open = () =>
    new FileTokens({ folder, wall: wall.read, confirm, report: ({ message }) => reports.push(message) })
  return { folder, wall, reports, confirm, open, tokens: open(), file: join(folder, 'tokens.json') }
}

describe('assumption sandbox-token', () => {
  test('no file of the state folder has the token, and only its owner can read tokens.json', async () => {
    const folder = temporaryFolder()
    const sandbox = await openSandbox({ state: folder, token: 'a-token-of-the-test-0001' })
    const { token } = await sandbox.access.tokens.create(wantedToken('lee'))
    const grant = await sandbox.access.find(token)
    if (grant !== undefined) sandbox.access.used(grant)
    await sandbox.close()
    const files = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile())
    expect(files).toContain('tokens.json')
    for (const name of files) {
      const text = readFileSync(join(folder, name), 'latin1')
      for (const secret of [token, token.slice(-43), 'a-token-of-the-test-0001'])
        expect([name, text.includes(secret)]).toEqual([name, false])
    }
    expect(statSync(join(folder, 'tokens.json')).mode & 0o777).toBe(0o600)
  })
})

describe('the expiry of a token', () => {
  test('a token expires by the wall clock, to the millisecond', async () => {
    const { tokens, wall } = openTokens()
    const { token, expiresAt } = await tokens.create(wantedToken('lee', { ttlMs: 60_000 }))
    expect(expiresAt).toBe('2026-11-20T12:01:00.000Z')
    wall.pass(59_999)
    expect(await tokens.find(token)).toBeDefined()
    wall.pass(1)
    expect(await tokens.find(token)).toBeUndefined()
  })

  test('a token that expires between two checks of the clock ends the streams that are open with it', async () => {
    const [folder, shown] = [temporaryFolder(), [] as number[]]
    let now = 0
    const wall = () => shown.shift() ?? now
    const tokens = new FileTokens({ folder, wall, confirm: () => undefined, report: () => undefined })
    const { token } = await tokens.create(wantedToken('lee', { ttlMs: 30 }))
    const grant = await tokens.find(token)
    now = 30
    shown.push(29)
    await expect.poll(() => grant?.isOver).toBe(true)
    await tokens.close()
  })

  test('a token that expires while another one is created ends the streams that are open with it', async () => {
    const { tokens, wall } = openTokens()
    const { token } = await tokens.create(wantedToken('lee', { ttlMs: 60_000 }))
    const grant = await tokens.find(token)
    wall.pass(60_000)
    await tokens.create(wantedToken('kim'))
    await expect.poll(() => grant?.isOver).toBe(true)
    await tokens.close()
  })
})

describe('the last use of a token', () => {
  test('the last use is not written at once', async () => {
    const { tokens, file } = openTokens()
    const { token } = await tokens.create(wantedToken('lee'))
    const before = readFileSync(file, 'utf8')
    const grant = await tokens.find(token)
    if (grant === undefined) throw new Error('the token is not found')
    tokens.used(grant)
    expect(readFileSync(file, 'utf8')).toBe(before)
    await tokens.close()
    expect(readFileSync(file, 'utf8')).not.toBe(before)
  })

  test('the last use is written when the tokens are closed, and nothing is written afterwards', async () => {
    const { folder, confirm, file } = openTokens()
    const options = { folder, wall: Date.now, confirm, report: () => undefined, usesEvery: 20 }
    const tokens = new FileTokens(options)
    const { token } = await tokens.create(wantedToken('late'))
    const grant = await tokens.find(token)
    if (grant === undefined) throw new Error('the token is not found')
    tokens.used(grant)
    await tokens.close()
    expect(readFileSync(file, 'utf8')).toMatch(/"lastUsedAt": "20/)
    rmSync(file)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(existsSync(file)).toBe(false)
  })

  test('a last use that cannot be written is reported, and the token stays valid', async () => {
    const { tokens, confirm, reports } = openTokens()
    const { token } = await tokens.create(wantedToken('lee'))
    const grant = await tokens.find(token)
    if (grant === undefined) throw new Error('the token is not found')
    tokens.used(grant)
    confirm.mockImplementation(() => {
      throw new Error('the folder is not ours')
    })
    await tokens.close()
    expect(reports).toEqual(['the folder is not ours'])
    expect(await tokens.find(token)).toBe(grant)
  })
})

describe('a write that fails', () => {
  test('a failed write neither creates nor revokes a token', async () => {
    const { tokens, confirm, folder, open } = openTokens()
    const { token } = await tokens.create(wantedToken('lee'))
    confirm.mockImplementation(() => {
      throw new Error('the disk is full')
    })
    expect(await refusalCode(tokens.create(wantedToken('kim')))).toBe('SBX_STORE_FAIL')
    expect(await refusalCode(tokens.revoke('lee'))).toBe('SBX_STORE_FAIL')
    expect((await tokens.list()).map(({ name }) => name)).toEqual(['lee'])
    expect(await tokens.find(token)).toBeDefined()
    expect(await open().list()).toEqual(await tokens.list())
    expect(readdirSync(folder)).toEqual(['tokens.json'])
  })
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
    const { tokens, file, open } = openTokens()
    await tokens.create(wantedToken('lee'))
    writeFileSync(file, readFileSync(file, 'utf8').replace('"viewer"', '"admin"'))
    expect(open).toThrow(/tokens\.json is damaged: its checksum/)
  })

  test('a folder in place of tokens.json stops the start', () => {
    const state = temporaryFolder()
    mkdirSync(join(state, 'tokens.json'))
    expect(
      () =>
        new FileTokens({ folder: state, wall: Date.now, confirm: () => undefined, report: () => undefined }),
    ).toThrow(/EISDIR/)
    rmSync(join(state, 'tokens.json'), { recursive: true })
  })

  test('verify knows the use of a sound tokens.json', async () => {
    const { tokens, folder } = openTokens()
    await tokens.create(wantedToken('lee'))
    const { files } = await verifyState(folder)
    expect(files).toMatchObject([{ name: 'tokens.json', use: 'hashes of tokens' }])
  })
})
