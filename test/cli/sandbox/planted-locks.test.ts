import { expect, test } from 'vitest'
import { runCommand, startCommand } from '../../support/commands/command.ts'
import { fails } from '../../support/commands/launched.ts'
import { everyCommand, typedCommandOf } from '../every-command.ts'
import { hostileServer, plantedFolder, plantedSecrets, secretPattern, wholeOf } from '../planted.ts'

/** Goes on until it is stopped. */
const goesOn = new Set(['listen', 'logs:tail', 'webhook:receive'])

const talking = Object.keys(everyCommand).filter((id) => id !== 'terminal:open') // which needs a window

test('doctor does not call the address in it either', async () => {
  const hostile = await hostileServer()
  const cwd = plantedFolder({ lock: { pid: 1, url: hostile.url }, mode: 0o644 })
  expect((await runCommand('doctor', { cwd, env: plantedSecrets })).code).toBe(1)
  expect(hostile.received).toEqual([])
})

test('every command ends with 3 and the reason, without calling the address in it', async () => {
  const wrong: unknown[] = []
  const { TILLBOX_WEBHOOK_SECRET: _, ...env } = plantedSecrets // with it the webhook commands need nobody
  for (const id of talking) {
    const hostile = await hostileServer()
    const cwd = plantedFolder({ lock: { pid: 1, url: hostile.url }, mode: 0o644 })
    const ended = await runCommand(typedCommandOf(id), { cwd, env: { ...env, TILLBOX_STATE: '.tillbox' } })
    const isReported = ended.stderr.includes('.tillbox/lock.json was not used: ')
    if (ended.code !== 3 || !isReported || hostile.received.length > 0)
      wrong.push([id, ended, hostile.received])
  }
  expect(wrong).toEqual([])
})

test('a planted lock file that is valid in every detail still gets no secret from any command', async () => {
  const wrong: unknown[] = []
  for (const id of talking) {
    const hostile = await hostileServer()
    const lock = { ...wholeOf(hostile), token: 'a-planted-token-0001' }
    const running = startCommand(typedCommandOf(id), { cwd: plantedFolder({ lock }), env: plantedSecrets })
    if (goesOn.has(id)) {
      await expect.poll(() => hostile.received.length).toBeGreaterThan(1)
      await running.stop('SIGINT')
    }
    const ended = await running.ended()
    const all = hostile.received.join('\n')
    const isSilent = all === '' && id !== 'webhook:sign' // which signs with the secret that is set
    if (isSilent || secretPattern.test(all)) wrong.push([id, ended, hostile.received])
  }
  expect(wrong).toEqual([])
})

test('a sandbox that answers with another id gets nothing after the first question', async () => {
  const hostile = await hostileServer()
  const lock = { ...wholeOf(hostile), id: 'another', token: 'a-planted-token-0001' }
  const cwd = plantedFolder({ lock })
  const named = `sale --amount 10.00 --state .tillbox --api-key ${plantedSecrets.TILLBOX_API_KEY}`
  await fails(runCommand(named, { cwd, env: plantedSecrets }), 3, 'not the one that answers')
  expect(hostile.received).toEqual([expect.stringMatching(/^GET \/_sandbox\/connection/)])
  expect(hostile.received[0]).not.toMatch(secretPattern)
})

test('without a named folder the refusal says why the lock was not used, and no other sandbox is', async () => {
  const hostile = await hostileServer()
  const cwd = plantedFolder({ lock: wholeOf(hostile), mode: 0o644 })
  const why = '.tillbox/lock.json was not used: other users can open it: its mode is 0644, not 0600'
  await fails(runCommand('query 1', { cwd, env: plantedSecrets }), 3, why)
  expect(hostile.received).toEqual([])
})
