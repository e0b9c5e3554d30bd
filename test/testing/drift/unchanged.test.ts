import { describe, expect, test } from 'vitest'
import { control } from '../../../src/client/client.ts'
import { createSandbox } from '../../../src/library/create-sandbox.ts'
import { driftOptions } from '../../../src/testing/drift/drift.ts'
import { findingsIn } from '../../../src/testing/drift/findings.ts'
import type { TestSandbox } from '../../../src/testing/helpers/test-sandbox.ts'
import type { AnyJson } from '../../support/any-json.ts'
import { newId } from '../../support/service/new-id.ts'
import { following, sale } from '../../support/service/service.ts'
import { compareDay, type Entry, recorderOf } from './recording.ts'

/** A service that is a sandbox: nothing differs but what was changed. */

type Recorder = ReturnType<typeof recorderOf> & { readonly service: TestSandbox }

/** What a recording differs in, and what of it was left out. */
async function comparedTo(record: (recorder: Recorder) => Promise<unknown>, options: object = {}) {
  await using service = await createSandbox({ ...driftOptions, ...options })
  const recorder = recorderOf(service)
  await record({ ...recorder, service })
  return await resultsOf(recorder.entries)
}

async function resultsOf(entries: readonly Entry[]) {
  const compared = await compareDay(entries)
  return {
    differences: findingsIn(compared).map(({ of, where, kept, claim }) => [of, where, ...kept, claim]),
    leftOut: compared.flatMap(({ leftOut }) => leftOut ?? []),
  }
}

const none = { differences: [], leftOut: [] }
const byHand = 'somebody decided the payment at its terminal or on its page'

/** Moves the last call in its recording. */
function shift(entries: readonly Entry[], milliseconds: number): void {
  const { har } = entries.at(-1) as Entry
  har.startedDateTime = new Date(Date.parse(har.startedDateTime) + milliseconds).toISOString()
  const timestamp = har.request.headers.find(({ name }: { name: string }) => name === 'X-Timestamp')
  timestamp.value = String(Number(timestamp.value) + milliseconds)
}

describe('a service that did not change', () => {
  test('an unknown terminal, application or merchant was refused', async () => {
    const results = await comparedTo(async ({ call, service }) => {
      await call('sale', 'sale', sale(700, { appId: service.appId, merchantId: service.merchantId }))
      for (const other of [{ terminalSn: 'NOPE-1' }, { appId: 'nobody' }, { merchantId: 'M777' }])
        await call('unknown', 'sale', sale(700, other))
    })
    expect(results).toEqual(none)
  })

  test('each payment has its own outcome: a refused or repeated one, one in the cloud', async () => {
    const decline = async (service: TestSandbox) => {
      await service.faults.add('outcome=insufficient-funds')
    }
    const record = async ({ call, service }: Recorder) => {
      const first = sale(1000)
      const paid = await call('sale', 'sale', first)
      await decline(service)
      const declined = sale(1100)
      const failed = await call('declined', 'sale', declined)
      await call('again', 'sale', declined)
      await call('next', 'query', await call('sale', 'sale', sale(1200)))
      await decline(service)
      const refund = await call('refund', 'refund', {
        ...following(paid.transactionId, { amount: 100, pushToTerminal: false }),
      })
      for (const { transactionId } of [paid, failed, refund]) await call('query', 'query', { transactionId })
    }
    expect(await comparedTo(record)).toEqual(none)
    const replayed = await comparedTo(record, { duplicates: 'replay' })
    expect(replayed.differences.map(([of]) => of)).toEqual(['SBX_DUP_TXN_ID'])
  })

  test('days pass between the requests', async () => {
    const results = await comparedTo(async ({ call, service, entries }) => {
      const { transactionId } = await call('sale', 'sale', sale(1000))
      const { sessionId } = await call('session', 'create-session', sale(700))
      await service.clock.advance('1d')
      for (const [name, members] of [
        ['void', following(transactionId)],
        ['expire-session', { sessionId }],
      ] as const) {
        await call(name, name, members)
        shift(entries, 86_400_000)
      }
    })
    expect(results).toEqual(none)
  })

  test.each([
    ['a payment is cancelled', 'TBX-CANCEL-001'],
    ['a tip is chosen', 'TBX-TIP20-001'],
  ])('%s at %s: queries and follow-ups are left out', async (_, terminalSn) => {
    const results = await comparedTo(async ({ call, service }) => {
      const { transactionId } = await call('sale', 'sale', sale(1000, { terminalSn }))
      await service.payments.waitFor(transactionId).catch(() => undefined) // it is cancelled
      await call('query', 'query', { transactionId })
      await call('refund', 'refund', following(transactionId, { amount: 100 }))
    })
    expect(results).toEqual({ differences: [], leftOut: [byHand, byHand] })
  })

  test('nobody pays: one payment is aborted, and one expires', async () => {
    const results = await comparedTo(
      async ({ call, service, entries }) => {
        const terminal = { terminalSn: 'TILL-9', mode: 'attended' }
        await control({ baseUrl: service.url }, 'add-terminal', terminal)
        const members = { terminalSn: 'TILL-9' }
        const aborted = await call('sale', 'sale', sale(1000, members))
        await call('waiting', 'query', { transactionId: aborted.transactionId })
        await call('abort', 'abort', following(aborted.transactionId))
        await call('query', 'query', { transactionId: aborted.transactionId })
        const again = await call('sale', 'sale', sale(1100, { terminalSn: 'TILL-8' }))
        await call('query', 'query', { transactionId: again.transactionId })
        const soon = new Date(Date.now() + 300_000).toISOString()
        const left = await call('sale', 'sale', sale(1200, { terminalSn: 'TILL-9', timeExpire: soon }))
        await service.clock.advance('10m')
        await call('query', 'query', { transactionId: left.transactionId })
        shift(entries, 600_000)
      },
      { terminals: 'open' },
    )
    expect(results).toEqual({ differences: [], leftOut: ['a payment that was under way'] })
  })

  test('a payment succeeds although its abort was accepted: somebody was faster', async () => {
    const results = await comparedTo(async ({ call, entries }) => {
      const { transactionId } = await call('sale', 'sale', sale(1000))
      await call('abort', 'abort', following(transactionId))
      const { content } = entries.at(-1)?.har.response ?? {}
      content.text = '{"code":"0","msg":"success","traceId":"x","data":{"transactionStatus":"P"}}'
      await call('query', 'query', { transactionId })
    })
    expect(results).toEqual({ differences: [], leftOut: [byHand, byHand] })
  })

  test('a tipped payment is refunded in full, and a session expires by request', async () => {
    const results = await comparedTo(async ({ call }) => {
      const { transactionId } = await call('sale', 'sale', sale(1000, { tipAmount: 100 }))
      const refund = await call('refund', 'refund', following(transactionId, { amount: 1100 }))
      await call('query', 'query', { transactionId: refund.transactionId })
      const members = { ...sale(700), transactionRequestId: newId() }
      const { sessionId } = await call('session', 'create-session', members)
      await call('expire', 'expire-session', { sessionId })
      await call('query', 'query', { transactionRequestId: members.transactionRequestId })
    })
    expect(results).toEqual(none)
  })

  test('what was paid before the recording is named by its request id', async () => {
    const results = await comparedTo(async ({ call, entries }) => {
      const members = { ...sale(1000), transactionRequestId: newId() }
      await call('sale', 'sale', members)
      entries.length = 0
      await call('query', 'query', { transactionRequestId: members.transactionRequestId })
      await call('refund', 'refund', {
        ...{ originalTransactionRequestId: members.transactionRequestId, transactionRequestId: newId() },
        amount: 100,
      })
    })
    const unknown = 'it acts on what was not recorded'
    expect(results).toEqual({ differences: [], leftOut: [unknown, unknown] })
  })

  test('a shopper paid on the page', async () => {
    const results = await comparedTo(async ({ call, service }) => {
      const { sessionId } = await call('session', 'create-session', sale(700))
      const { transactionId } = await service.checkout(sessionId).pay()
      await service.payments.waitFor(transactionId)
      await call('query', 'query', { transactionId })
      await call('expire', 'expire-session', { sessionId })
    })
    expect(results).toEqual({ differences: [], leftOut: [byHand, byHand] })
  })

  test('ids have another form than those of a sandbox, in every answer and request', async () => {
    await using service = await createSandbox(driftOptions)
    const { entries, call } = recorderOf(service)
    const { transactionId } = await call('sale', 'sale', sale(1000))
    await call('refund', 'refund', following(transactionId, { amount: 100 }))
    await call('query', 'query', { transactionId })
    const results = await resultsOf(
      JSON.parse(
        JSON.stringify(entries).replace(/(?<=TransactionId\\?[":\\]*|transactionId[="\\:]*)\d{16}/gi, 'TX$&'),
      ),
    )
    expect(results.leftOut).toEqual([])
    expect(results.differences).toEqual([
      ['answers', 'data.transactionId', '16 digits', 'text', 'record'],
      ['answers', 'data.originalTransactionId', '16 digits', 'text', 'record'],
    ])
  })

  test('ids are numbers: one difference, and what follows is compared', async () => {
    await using service = await createSandbox(driftOptions)
    const { entries, call } = recorderOf(service)
    const { transactionId } = await call('sale', 'sale', sale(1000))
    await call('query', 'query', { transactionId })
    await call('refund', 'refund', following(transactionId, { amount: 400 }))
    const asNumbers = (text: string) => text.replace(/("\w*ransactionId":)"(\d+)"/g, '$1$2')
    for (const { har } of entries) {
      if (har.request.postData) har.request.postData.text = asNumbers(har.request.postData.text)
      har.response.content.text = asNumbers(har.response.content.text)
    }
    const { differences, leftOut } = await resultsOf(entries)
    expect(leftOut).toEqual([])
    expect(differences.map(([, where, own, theirs]) => [where, own, theirs])).toEqual([
      ['data.transactionId', 'text', 'integer'],
      ['data.originalTransactionId', 'text', 'integer'],
    ])
  })

  test('a text is what the merchant is called, and each entry is there twice', async () => {
    await using service = await createSandbox(driftOptions)
    const { merchantId } = service
    const { entries, call } = recorderOf(service)
    const paid = await call('sale', 'sale', sale(1000, { merchantId, description: merchantId }))
    await call('query', 'query', { transactionId: paid.transactionId })
    const renamed = JSON.parse(JSON.stringify(entries).replaceAll(merchantId, 'M17')) as Entry[]
    expect(await resultsOf([...renamed, ...renamed])).toEqual(none)
  })

  test('an answer was lost on the way, and the request was sent again', async () => {
    const results = await comparedTo(async ({ call, entries }) => {
      const members = { ...sale(1000), transactionRequestId: newId() }
      await call('sale', 'sale', members)
      const har = entries.at(-1)?.har
      har.response = { status: 0, headers: [], content: {} }
      await call('again', 'sale', members)
      await call('query', 'query', { transactionRequestId: members.transactionRequestId })
    })
    expect(results).toEqual({ differences: [], leftOut: ['its answer was not recorded'] })
  })

  test('the recording begins after some payments, and ends with a close', async () => {
    const results = await comparedTo(async ({ call, entries }) => {
      const { transactionId } = await call('sale', 'sale', sale(1000))
      entries.length = 0
      await call('query', 'query', { transactionId })
      await call('refund', 'refund', following(transactionId, { amount: 9_999 }))
      await call('batches', 'batch-query', {})
      await call('close', 'batch-close', { transactionRequestId: newId() })
    })
    const unknown = 'it acts on what was not recorded'
    const leftOut = [unknown, unknown, 'its list is empty in the sandbox', 'it settles what was not recorded']
    expect(results).toEqual({ differences: [], leftOut })
  })

  test('further pages, bodies that were not recorded, and another merchant are left out', async () => {
    const results = await comparedTo(async ({ call, service, entries }) => {
      const other = await service.newMerchant()
      await call('sale', 'sale', sale(1000, { merchantId: service.merchantId }))
      await call(
        'sale',
        'sale',
        sale(1000, { merchantId: other.merchantId, terminalSn: other.terminals[0] }),
        {
          Authorization: `Bearer ${other.apiKey}`,
        },
      )
      await call('terminals', 'merchant-terminals', { nextToken: 'x' })
      for (const change of [(request: AnyJson) => (request.postData = undefined), hideWallet]) {
        await call('sale', 'sale', sale(1100))
        const { request } = entries.at(-1)?.har ?? {}
        request.bodySize = 99
        change(request)
      }
    })
    const unread = 'its body was not recorded whole'
    expect(results).toEqual({
      differences: [],
      leftOut: ['another merchant', 'a further page of a list', unread, unread],
    })
  })
})

const hideWallet = (request: AnyJson) => {
  request.postData.text = request.postData.text.replace('{', '{"attach":"…",')
}

describe('a recording that was changed', () => {
  test('what is around the data of each answer is one difference', async () => {
    await using service = await createSandbox(driftOptions)
    const { entries, call } = recorderOf(service)
    const { transactionId } = await call('sale', 'sale', sale(1000))
    await call('refund', 'refund', following(transactionId, { amount: 9_999 }))
    for (const { har } of entries) {
      const { content } = har.response
      content.text = content.text.replace('{', '{"timestamp":1796026715622,')
    }
    expect((await resultsOf(entries)).differences).toEqual([
      ['answers', 'timestamp', 'absent', 'integer', 'sdk-envelope'],
    ])
  })

  test('it accepts wrong parameters: each is a difference of its own', async () => {
    await using service = await createSandbox(driftOptions)
    const { entries, call } = recorderOf(service)
    await call('sale', 'sale', sale(-1))
    await call('sale', 'sale', sale(1000, { priceCurrency: '' }))
    for (const { har } of entries) har.response.content.text = '{"code":"0","msg":"success","data":{}}'
    expect((await resultsOf(entries)).differences).toEqual([
      ['C17', 'code', 'C17 amount', '0', 'field-limits'],
      ['C17', 'code', 'C17 priceCurrency', '0', 'amount-shapes'],
    ])
  })

  test('a trigger amount is approved', async () => {
    await using service = await createSandbox({ ...driftOptions, triggerAmounts: false })
    const { entries, call } = recorderOf(service)
    const { transactionId } = await call('sale', 'sale', sale(9823))
    await call('query', 'query', { transactionId })
    const { differences } = await resultsOf(entries)
    expect(differences).toContainEqual(['query', 'data.transactionResultCode', '005', '000', 'record'])
  })

  test('a member has a word in small letters', async () => {
    await using service = await createSandbox(driftOptions)
    const { entries, call } = recorderOf(service)
    const { transactionId } = await call('sale', 'sale', sale(1000))
    await call('query', 'query', { transactionId })
    const { content } = entries.at(-1)?.har.response ?? {}
    content.text = content.text.replace('CONTACTLESS', 'contactless')
    const { differences } = await resultsOf(entries)
    expect(differences).toEqual([['query', 'data.entryMode', 'word in capitals', 'text', 'record']])
  })

  test('a deep list stands where an object was', async () => {
    await using service = await createSandbox(driftOptions)
    const { entries, call } = recorderOf(service)
    await call('sale', 'sale', sale(1000))
    const { content } = entries[0]?.har.response ?? {}
    content.text = `{"code":"0","msg":"success","data":${'['.repeat(90)}${']'.repeat(90)}}`
    const { differences } = await resultsOf(entries)
    expect(differences).toContainEqual(['sale', 'data', 'object', 'list', 'sdk-envelope'])
  })
})
