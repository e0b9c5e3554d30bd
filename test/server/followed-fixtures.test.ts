import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { AnyJson } from '../support/any-json.ts'
import { fileWith } from '../support/commands/scratch.ts'
import { askJson } from '../support/network/ask-json.ts'
import { openRawSandbox } from '../support/service/raw.ts'
import { salePath } from '../support/service/requests.ts'
import { apiHeaders, sale } from '../support/service/service.ts'

const fixtures = (message: string, terminalSn = 'TEA-001') =>
  JSON.stringify({
    applications: [
      {
        appId: 'tbxapp0000000001',
        merchants: [{ merchantId: 'M-TEA', terminals: [{ terminalSn, summary: 'tea' }] }],
      },
    ],
    outcomes: [{ name: 'maintenance', code: '091', message, status: 'FAIL', amount: 7091 }],
  })

async function serve() {
  const file = fileWith('fixtures.json', fixtures('Down'))
  const running = await openRawSandbox({ fixtures: file })
  const { url, apiKey } = running.connection
  const ask = (path: string, body?: object, key = apiKey) =>
    askJson(url + path, body ? 'POST' : 'GET', body, apiHeaders(key))
  const message = async (base = '') =>
    (await ask(`${base}/_sandbox/outcomes`)).data.outcomes.find(({ name }: AnyJson) => name === 'maintenance')
      ?.message
  return { ...running, file, ask, message }
}

test('assumption fixtures: a changed file applies to every space, and payments and what was set stay', async () => {
  const { file, ask, message, followFixtures } = await serve()
  const spaceKey = (await ask('/_sandbox/spaces', { name: 'ci-1' })).data.apiKey
  const { data } = await ask(salePath, sale(1000))
  await ask('/_sandbox/clock', { action: 'advance', milliseconds: 3_600_000 })
  await ask('/_sandbox/terminals/TBX-AUTO-001/queue', { outcome: 'insufficient-funds', times: 1 })
  const before = (await ask('/_sandbox/state')).data
  writeFileSync(file, fixtures('Back soon', 'TEA-002'))
  await followFixtures()
  expect([await message(), await message('/s/ci-1')]).toEqual(['Back soon', 'Back soon'])
  expect((await ask('/_sandbox/state')).data).toMatchObject({
    transactions: before.transactions,
    openBatches: before.openBatches,
  })
  expect((await ask(`/_sandbox/transactions/${data.transactionId}`)).data.status).toBe('SUCCESS')
  expect((await ask('/_sandbox/clock')).data.offsetMs).toBeGreaterThanOrEqual(3_600_000)
  const terminals = (await ask('/_sandbox/terminals')).data.terminals
  const added = expect.arrayContaining(['TEA-001', 'TEA-002'])
  expect(terminals.map(({ terminalSn }: AnyJson) => terminalSn)).toEqual(added)
  expect((await ask(salePath, sale(1000))).code).toBe('0') // the queued outcome is still there
  expect((await ask('/_sandbox/transactions?status=declined')).data.transactions).toHaveLength(1)
  expect((await ask(salePath, sale(7091, { merchantId: 'M-TEA', terminalSn: 'TEA-002' }))).code).toBe('0')
  expect((await ask(salePath, sale(1000), spaceKey)).code).toBe('0')
})

test('assumption fixtures: a wrong file is refused with its mistake, and changes nothing', async () => {
  const { file, message, followFixtures } = await serve()
  writeFileSync(file, fixtures('Never').replace('"FAIL"', '"MAYBE"'))
  await expect(followFixtures()).rejects.toThrow(/outcomes\[0\]\.status/)
  writeFileSync(file, '{')
  await expect(followFixtures()).rejects.toThrow('fixtures.json')
  expect(await message()).toBe('Down')
})
