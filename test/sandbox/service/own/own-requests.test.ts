import { describe, expect, test } from 'vitest'
import type { FormRequest } from '../../../../src/sandbox/answering/answer.ts'
import { openDashboard } from '../../../support/pages/dashboard.ts'
import { sale, transactionsIn } from '../../../support/service/service.ts'

/** A sale that a page asks for, and the sandbox that is asked. */
async function openPage(options: Parameters<typeof openDashboard>[0] = {}) {
  const { sandbox, url, control } = await openDashboard(options)
  const { appId, merchants } = sandbox.directory.defaultApplication
  const merchantId = merchants[0]?.merchantId ?? ''
  const own = (more: Partial<FormRequest> = {}): FormRequest => ({
    operation: 'sale',
    appId,
    merchantId,
    members: { ...sale(1000) },
    outcome: null,
    baseUrl: url,
    ...more,
  })
  return { sandbox, control, own }
}

describe('a request of a page', () => {
  test('the request is carried out by the rules and logged as a request of its operation', async () => {
    const { sandbox, own } = await openPage()
    const { data } = await sandbox.handleFormRequest(own())
    const transactionId = expect.stringMatching(/^\d{16}$/)
    expect(data).toMatchObject({ transactionId, transactionStatus: 'I' })
    const [logged] = sandbox.log.list()
    expect(logged).toMatchObject({ operation: 'sale', method: 'POST', code: '0', status: 200 })
    expect(JSON.parse(logged?.answer ?? '')).toMatchObject({ code: '0', data })
    const { directory } = sandbox
    expect(JSON.stringify(logged?.headers)).not.toContain(directory.currentKey(directory.defaultApplication))
  })

  test('a refused request throws the refusal, and the log has it', async () => {
    const { sandbox, own } = await openPage()
    const refused = sandbox.handleFormRequest(own({ members: { ...sale(0) } }))
    await expect(refused).rejects.toMatchObject({ code: 'C17', field: 'amount' })
    expect(sandbox.log.list()).toMatchObject([
      { operation: 'sale', code: 'C17', refusal: { field: 'amount' } },
    ])
    expect(sandbox.running).toBe(0)
  })

  test('the outcome of the request applies, an unknown one is refused, and without extras it is ignored', async () => {
    const { sandbox, own } = await openPage()
    const nonsense = sandbox.handleFormRequest(own({ outcome: 'nonsense' }))
    await expect(nonsense).rejects.toMatchObject({ code: 'SBX_OUTCOME' })
    const plain = await openPage({ extras: false })
    for (const each of [{ sandbox, own }, plain])
      await each.sandbox.handleFormRequest(each.own({ outcome: 'lost-card' }))
    const statuses = [sandbox, plain.sandbox].map((each) => transactionsIn(each).map(({ status }) => status))
    expect(statuses).toEqual([['FAIL'], ['SUCCESS']])
  })
})
