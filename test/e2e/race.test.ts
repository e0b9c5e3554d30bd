import { expect, test } from 'vitest'
import { keepAlive, startSandboxCommand } from '../support/commands/running-sandbox.ts'
import { times } from '../support/runner/counts.ts'
import { newId } from '../support/service/new-id.ts'
import { salePath } from '../support/service/requests.ts'

const [rounds, burstSize] = [times(1, 5), 50]

const saleOf = (transactionRequestId: string) => ({
  transactionRequestId,
  amount: 1000,
  priceCurrency: 'USD',
})

const burst = <T>(send: () => Promise<T>) => Promise.all(Array.from({ length: burstSize }, send))

test('api ids-4: equal requests at the same moment with one transactionRequestId open one transaction', async () => {
  const sandbox = await startSandboxCommand()
  for (let round = 1; round <= rounds; round++) {
    const body = saleOf(newId())
    const answers = await burst(() => sandbox.send('POST', salePath, { body }))
    const codes = answers.map(({ envelope }) => envelope.code)
    expect(codes.filter((code) => code === '0')).toHaveLength(1)
    expect(codes.filter((code) => code === 'SBX_DUP_TXN_ID')).toHaveLength(burstSize - 1)
    const { transactionId } = answers[codes.indexOf('0')]?.envelope.data ?? {}
    for (const { envelope } of answers)
      if (envelope.code !== '0') expect(envelope.detail).toContain(transactionId)
    expect((await sandbox.json('sandbox status')).stored.transactions).toBe(round)
  }
})

test('api authentication-3: only one of the requests at the same moment with one X-Client-Request-Id is accepted', async () => {
  const sandbox = await startSandboxCommand()
  const agent = keepAlive(burstSize)
  for (let round = 1; round <= rounds; round++) {
    const headers = { 'X-Client-Request-Id': crypto.randomUUID() }
    const answers = await burst(() =>
      sandbox.send('POST', salePath, { body: saleOf(newId()), headers, agent }),
    )
    const all = answers.map(({ status, envelope }) => `${status} ${envelope.code}`)
    expect(all.filter((one) => one === '200 0')).toHaveLength(1)
    expect(all.filter((one) => one === '409 SBX_DUP_REQUEST')).toHaveLength(burstSize - 1)
    expect((await sandbox.json('sandbox status')).stored.transactions).toBe(round)
  }
})

test('replay: all equal requests at the same moment get the same answer, and one transaction is stored', async () => {
  const sandbox = await startSandboxCommand('--set duplicates=replay')
  const agent = keepAlive(burstSize)
  for (let round = 1; round <= rounds; round++) {
    const body = saleOf(newId())
    const answers = await burst(() => sandbox.send('POST', salePath, { body, agent }))
    expect(new Set(answers.map(({ envelope }) => envelope.data?.transactionId)).size).toBe(1)
    const first = answers.filter(({ headers }) => headers['x-sandbox-replayed'] === undefined)
    expect(first).toHaveLength(1)
    expect((await sandbox.json('sandbox status')).stored.transactions).toBe(round)
  }
})
