import { describe, expect, test } from 'vitest'
import { fileWith } from '../support/commands/scratch.ts'
import { readProjectFile } from '../support/project.ts'
import { openTestSandbox } from '../support/service/test-sandbox.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'

test('the snippet accepts a webhook as it came, and no other', async () => {
  const receiver = await openReceiver()
  const sandbox = await openTestSandbox({ notifyUrl: receiver.url })
  await sandbox.client.sale({ amount: 1000, priceCurrency: 'USD', description: 'Crème brûlée' })
  const [webhook] = await receiver.got(1)
  const path = fileWith('webhook.mjs', blockWith('webhooks.md', 'function isGenuine'))
  const { isGenuine } = await import(path)
  const verdict = (headers: object, body: string, secret = sandbox.webhookSecret): boolean =>
    isGenuine(headers, Buffer.from(body), secret)
  const signature = String(webhook?.headers['x-signature'])
  const body = webhook?.body ?? ''
  expect(body).toContain('Crème brûlée')
  expect(verdict({ 'x-signature': signature }, body)).toBe(true)
  expect(verdict({ 'x-signature': signature }, body.replace('1000', '1001'))).toBe(false)
  expect(verdict({ 'x-signature': signature }, body, 'whsec_other')).toBe(false)
  for (const wrong of ['', 'é', signature.slice(1), signature.toUpperCase()])
    expect(verdict({ 'x-signature': wrong }, body)).toBe(false)
  expect(verdict({}, body)).toBe(false)
  const previous = { 'x-signature': '0'.repeat(64), 'x-sandbox-previous-signature': signature }
  expect(verdict(previous, body)).toBe(true)
})

test('every file that shows a receiver shows the same function', () => {
  const shown = (path: string) =>
    /^(?:export )?(function isGenuine\([\s\S]*?^}\n)/m.exec(readProjectFile(path))?.[1]
  const ofPage = shown('docs/webhooks.md')
  expect(ofPage).toContain('x-sandbox-previous-signature')
  for (const path of ['fixtures/init/tillbox/verify-webhook.mjs', 'examples/shop/webhooks.js'])
    expect(shown(path), path).toBe(ofPage)
})

/** The one code block of a document that has this in it. */
function blockWith(document: string, text: string): string {
  const found = [...readProjectFile(`docs/${document}`).matchAll(/```[jt]s\n([\s\S]*?)```/g)].filter(
    ([, code]) => code?.includes(text),
  )
  expect(found, `${text} in ${document}`).toHaveLength(1)
  return found[0]?.[1] ?? ''
}

/** The same without its imports: what they name is given. */
const codeWith = (document: string, text: string): string =>
  blockWith(document, text).replace(/^import .*\n/gm, '')

/** Runs code as the body of a function that is given these. */
const run = (code: string, given: Readonly<Record<string, unknown>>): Promise<unknown> => {
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor
  return new AsyncFunction(...Object.keys(given), code)(...Object.values(given))
}

describe.each([0, 50])('code of the documents, on terminals with a pace of %d ms a screen', (pace) => {
  async function open() {
    const receiver = await openReceiver()
    const sandbox = await openTestSandbox({ retries: 'fast', notifyUrl: receiver.url, pace })
    return { sandbox, receiver }
  }

  test('the hotel recipe authorises, increments and captures', async () => {
    const { sandbox } = await open()
    await run(codeWith('recipes/hotel.md', 'incrementalAuth'), { client: sandbox.client })
    expect(await sandbox.payments.list({ status: 'approved' })).toMatchObject([
      { type: 'AUTH', amount: 20_000 },
      { type: 'INCREMENTAL', amount: 5_000 },
      { type: 'POST_AUTH', amount: 23_400 },
    ])
  })

  test('the end-of-day recipe closes the batches', async () => {
    const { sandbox } = await open()
    const { transactionId } = await sandbox.client.sale({ amount: 1250, priceCurrency: 'USD' })
    await sandbox.payments.waitFor(transactionId)
    await run(codeWith('recipes/end-of-day.md', 'batchClose'), { client: sandbox.client })
    expect(await sandbox.client.batchQuery({})).toMatchObject({ batchList: [] })
    const envelope = { code: 'SBX_BATCH_EMPTY' }
    await expect(sandbox.client.batchClose({})).rejects.toMatchObject({ envelope })
  })

  test('the code on the page of webhooks delivers webhooks in the wrong order', async () => {
    const { sandbox, receiver } = await open()
    const running: Promise<void>[] = []
    const sandboxTest = () => (_name: string, body: (fixtures: object) => Promise<void>) =>
      running.push(body({ sandbox }))
    await run(codeWith('webhooks.md', 'webhooks.hold()'), { sandboxTest })
    await Promise.all(running)
    expect(running).toHaveLength(1)
    expect(receiver.arrivals.map(({ json }) => json.transactionType)).toEqual(['REFUND', 'SALE'])
  })

  test('the code on the page of the library waits for a late approval', async () => {
    const { sandbox } = await open()
    await run(codeWith('library.md', 'late-approval'), { sandbox, expect })
    expect(await sandbox.payments.list({ status: 'approved' })).toHaveLength(1)
  })
})

test('a wait that fails says what the page of the library shows', async () => {
  const sandbox = await openTestSandbox()
  const { transactionId } = await sandbox.client.sale(
    { amount: 1000, priceCurrency: 'USD' },
    { outcome: 'insufficient-funds' },
  )
  const error = await sandbox.payments.waitFor(transactionId).catch((thrown: Error) => thrown)
  const [, shown = ''] = /```\n(WaitFailed: [\s\S]*?)\n```/.exec(readProjectFile('docs/library.md')) ?? []
  const general = (text: string) =>
    text
      .replace(/\d{16}/, '<id>')
      .replace(/[-\d]+T[:\d]+/g, '<time>')
      .replace(/\(.+\):/, '(<zone>):')
  expect(general(String(error))).toBe(general(shown))
})
