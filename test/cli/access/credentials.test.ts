import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ConnectionFlags, resolveProfile } from '../../../src/cli/connection/profile.ts'
import { resolveSandbox, sandboxFinder } from '../../../src/cli/connection/sandbox-address.ts'
import * as http from '../../../src/client/http.ts'
import * as lock from '../../../src/client/sandbox-lock.ts'
import { startCommand } from '../../support/commands/command.ts'
import { fails, untilStderr } from '../../support/commands/launched.ts'
import { startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'
import { foreignServer } from '../../support/network/foreign.ts'
import { toldConnection } from '../../support/network/told-connection.ts'
import { deadPid, folderWithLock, lockText } from '../../support/store/locks.ts'
import { hostileServer, plantedSecrets, secretPattern, wholeOf } from '../planted.ts'

const { TILLBOX_API_KEY: key, TILLBOX_TOKEN: token } = plantedSecrets
const lockToken = 'a-token-of-the-lock-0001'
const answeredKey = 'key-that-it-tells'

beforeEach(() => {
  vi.stubEnv('TILLBOX_API_KEY', key)
  vi.stubEnv('TILLBOX_TOKEN', token)
  vi.stubEnv('TILLBOX_BASE_URL', '')
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
})

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** What a command said on standard error. */
const stderrText = (): string => vi.mocked(process.stderr.write).mock.calls.join('')

/** The key and the token with which a command calls. Its state folder is empty when it names none. */
async function credentialsOf(flags: ConnectionFlags) {
  vi.stubEnv('TILLBOX_STATE', scratchFolder())
  const { target } = await resolveProfile(flags, '0')
  return [target.apiKey, target.token]
}

function writeLock(folder: string, lock: object): void {
  writeFileSync(join(folder, 'lock.json'), lockText(folder, lock), { mode: 0o600 })
}

test.each([
  ['is not set', ''],
  ['is the same', 'http://192.0.2.1'],
  ['has another path', 'http://192.0.2.1/base/'],
])('a typed URL gets key and token where TILLBOX_BASE_URL %s', async (_, url) => {
  vi.stubEnv('TILLBOX_BASE_URL', url)
  expect(await credentialsOf({ 'base-url': 'http://192.0.2.1' })).toEqual([key, token])
})

test.each([
  ['names another host', 'https://api.example.test'],
  ['names another port', 'http://127.0.0.1:9'],
  ['cannot be read', 'nonsense'],
])('a typed URL gets only the key that its sandbox provides where TILLBOX_BASE_URL %s', async (_, url) => {
  vi.stubEnv('TILLBOX_BASE_URL', url)
  const hostile = await hostileServer()
  expect(await credentialsOf({ 'base-url': hostile.url })).toEqual([answeredKey, undefined])
  expect((await resolveSandbox({ 'base-url': hostile.url })).token).toBeUndefined()
  expect(hostile.received).toHaveLength(2)
  expect(hostile.received.join()).not.toMatch(secretPattern)
})

test('another name of loopback gets no key or token, as another program may listen there', async () => {
  const hostile = await hostileServer()
  vi.stubEnv('TILLBOX_BASE_URL', hostile.url.replace('127.0.0.1', 'localhost'))
  expect(await credentialsOf({ 'base-url': hostile.url })).toEqual([answeredKey, undefined])
})

test('a typed URL gets a typed key, wherever TILLBOX_BASE_URL points', async () => {
  vi.stubEnv('TILLBOX_BASE_URL', 'https://api.example.test')
  const typed = { 'api-key': 'typed' }
  expect(await credentialsOf({ 'base-url': 'http://192.0.2.1', ...typed })).toEqual(['typed', undefined])
})

test('a URL that is not a sandbox gets no key, and the error says how to give one', async () => {
  vi.stubEnv('TILLBOX_BASE_URL', 'https://api.example.test')
  const receivedHeaders: string[] = []
  const url = await foreignServer((request, response) => {
    receivedHeaders.push(request.rawHeaders.join())
    response.end('<html>')
  })
  const error = await credentialsOf({ 'base-url': url }).catch((thrown) => thrown)
  expect(error.message).toBe(`${url} is not a tillbox sandbox, and no API key is set for it`)
  expect(error.failure.remedy).toMatch(/profile set.*--api-key @file.*TILLBOX_BASE_URL/)
  expect(receivedHeaders.join()).not.toMatch(secretPattern)
})

test('at a sandbox found by its lock file, commands use the key that it provides and the token of the file', async () => {
  const hostile = await hostileServer()
  const state = folderWithLock({ ...wholeOf(hostile), token: lockToken })
  expect(await credentialsOf({ state })).toEqual([answeredKey, lockToken])
  expect(await credentialsOf({ state, 'api-key': 'typed' })).toEqual(['typed', lockToken])
  expect((await resolveSandbox({ state })).token).toBe(lockToken)
  expect(hostile.received.join()).not.toMatch(secretPattern)
})

test('at a sandbox found on the default port, commands use the key that it provides, and no token', async () => {
  vi.spyOn(lock, 'readLock').mockReturnValue(undefined)
  const send = vi.spyOn(http, 'send').mockResolvedValue({
    status: 200,
    headers: {},
    body: JSON.stringify({ code: '0', data: { ...toldConnection, apiKey: answeredKey } }),
  })
  const [target, sandbox] = [(await resolveProfile({}, '0')).target, await resolveSandbox({})]
  const sent = JSON.stringify(send.mock.calls)
  vi.stubEnv('TILLBOX_PORT', '9001')
  const elsewhere = await resolveSandbox({})
  vi.unstubAllEnvs()
  const baseUrl = 'http://127.0.0.1:8455'
  expect([target.baseUrl, target.apiKey, target.token]).toEqual([baseUrl, answeredKey, undefined])
  expect([sandbox.baseUrl, sandbox.token]).toEqual([baseUrl, undefined])
  expect(elsewhere.baseUrl).toBe('http://127.0.0.1:9001')
  expect(sent).toContain(`${baseUrl}/_sandbox/connection`)
  expect(sent).not.toMatch(secretPattern)
})

test('a server without the id of its lock file gets one request, and no more', async () => {
  const hostile = await hostileServer()
  await credentialsOf({ state: folderWithLock(wholeOf(hostile)) })
  expect(hostile.received).toEqual([expect.stringMatching(/^GET \/_sandbox\/connection\n/)])
})

test('the URL of the state folder gets the token of its lock file, also by another name of loopback', async () => {
  vi.stubEnv('TILLBOX_BASE_URL', 'https://api.example.test')
  const hostile = await hostileServer()
  const state = folderWithLock({ ...wholeOf(hostile), token: lockToken })
  for (const url of [hostile.url, hostile.url.replace('127.0.0.1', 'localhost')]) {
    expect(await credentialsOf({ 'base-url': url, state })).toEqual([answeredKey, lockToken])
    const { baseUrl, token: used, stateFolder } = await resolveSandbox({ 'base-url': url, state })
    expect([baseUrl, used, stateFolder]).toEqual([hostile.url, lockToken, undefined])
  }
  expect(hostile.received.join()).not.toMatch(secretPattern)
})

test.each([
  ['another id', (lock: object) => ({ ...lock, id: 'another' }), 'is not the one that answers'],
  ['no id', (lock: object) => ({ ...lock, id: undefined }), 'it has no id'],
])('a lock file with %s lends no token, and the reason is reported', async (_, changed, why) => {
  const hostile = await hostileServer()
  const state = folderWithLock(changed({ ...wholeOf(hostile), token: lockToken }))
  vi.stubEnv('TILLBOX_BASE_URL', 'https://api.example.test')
  expect((await resolveSandbox({ 'base-url': hostile.url, state })).token).toBeUndefined()
  expect(stderrText()).toContain(why)
})

test('a lock file of another URL is not used, and nothing is reported', async () => {
  const [hostile, other] = [await hostileServer(), await hostileServer()]
  const state = folderWithLock({ ...wholeOf(other), id: undefined, token: lockToken })
  vi.stubEnv('TILLBOX_STATE', state)
  const { target } = await resolveProfile({ 'base-url': hostile.url }, '0')
  expect([target.apiKey, target.token, other.received, stderrText()]).toEqual([key, token, [], ''])
})

/** Found by its lock file, which holds a token. */
async function openWithLock() {
  const server = await hostileServer()
  const state = folderWithLock({ ...wholeOf(server), token: lockToken })
  const again = sandboxFinder({ state }, await resolveSandbox({ state }))
  const other = await hostileServer()
  return { state, again, server, other }
}

test('a command finds a restarted sandbox with the token of the new lock file', async () => {
  const { state, again, other } = await openWithLock()
  const token = 'a-token-of-the-lock-0002'
  writeLock(state, { ...wholeOf(other), token })
  expect(await again()).toMatchObject({ baseUrl: other.url, token, stateFolder: state })
})

test('a command sends nothing while there is no lock file, its process is dead, or others could have written it', async () => {
  const { state, again, server, other } = await openWithLock()
  const before = server.received.length
  writeLock(state, { ...wholeOf(other), pid: deadPid() })
  await expect(again()).rejects.toMatchObject({ name: 'Unreachable', refused: true })
  rmSync(join(state, 'lock.json'))
  await expect(again()).rejects.toMatchObject({ name: 'Unreachable', refused: true })
  expect([server.received.length, other.received]).toEqual([before, []])
  writeLock(state, wholeOf(other))
  chmodSync(join(state, 'lock.json'), 0o666)
  await expect(again()).rejects.toMatchObject({ name: 'UnusableLock' })
  expect(other.received).toEqual([])
})

test('a command with a URL waits while another server answers there', async () => {
  vi.stubEnv('TILLBOX_STATE', scratchFolder())
  const flags = { 'base-url': await foreignServer((_, response) => response.end('starting')) }
  const again = sandboxFinder(flags, await resolveSandbox({ 'base-url': (await hostileServer()).url }))
  await expect(again()).rejects.toMatchObject({ name: 'Unreachable' })
})

test.each(['listen', 'logs tail'])('%s ends with 3 when the lock was replaced', async (command) => {
  const sandbox = await startSandboxCommand(`--token ${lockToken}`)
  const hostile = await hostileServer()
  const running = startCommand(command, { cwd: sandbox.cwd, env: plantedSecrets })
  await untilStderr(running, /Listening to|Requests of/)
  await sandbox.stop()
  writeLock(sandbox.state, { ...wholeOf(hostile), id: 'another' })
  await fails(running.ended(), 3, 'was not used')
  expect(hostile.received).toHaveLength(1)
  expect(hostile.received.join()).not.toMatch(secretPattern)
  expect(hostile.received.join()).not.toContain(lockToken)
})
