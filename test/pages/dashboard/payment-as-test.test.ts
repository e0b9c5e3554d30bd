import { expect, onTestFinished, test } from 'vitest'
import { connectSandbox, createSandbox, type TestSandbox } from '../../../src/index.ts'
import { paymentAsTest } from '../../../src/pages/dashboard/transactions/payment-as-test.ts'
import { openDashboard } from '../../support/pages/dashboard.ts'

const usd = (amount: number) => ({ amount, priceCurrency: 'USD' })

/** Payments, each with what its test must say. */
const payments: Readonly<Record<string, readonly [(sandbox: TestSandbox) => Promise<string>, RegExp]>> = {
  'a declined sale': [
    async ({ client, payments }) => {
      const { transactionId } = await client.sale(usd(9734))
      await payments.waitFor(transactionId, 'declined')
      return transactionId
    },
    /^test\('Sale 97\.34 USD is declined'.*transactionResultCode: '051'/ms,
  ],
  'a sale with an outcome that was asked for, and two refunds': [
    async ({ client, payments }) => {
      const { transactionId } = await client.sale(usd(2000), { outcome: 'approve' })
      await payments.waitFor(transactionId)
      for (const amount of [500, 700])
        await payments.waitFor(
          (await client.refund({ originalTransactionId: transactionId, amount })).transactionId,
        )
      return transactionId
    },
    /outcome: 'approve'.*client\.refund\(\{ originalTransactionId: sale\.transactionId, amount: 500 \}\).*refund2Record/s,
  ],
  'an attended sale with a tip and a wrong PIN': [
    async (sandbox) => {
      const terminal = sandbox.terminal('TBX-ATTENDED-001')
      const { transactionId } = await sandbox.client.sale({
        ...usd(2500),
        terminalSn: 'TBX-ATTENDED-001',
        tipConfig: { onScreenTip: true },
      })
      await terminal.waitForScreen('present-card')
      await terminal.present('visa-chip-pin')
      await terminal.tip(500)
      await terminal.pin({ correct: false })
      await terminal.pin()
      await sandbox.payments.waitFor(transactionId)
      return transactionId
    },
    /tipConfig: .*present\('visa-chip-pin'\).*tip\(500\).*pin\(\{ correct: false \}\).*pin\(\)/s,
  ],
  'an authorisation that is raised and captured': [
    async ({ client, payments }) => {
      const { transactionId: id } = await client.auth(usd(5000))
      await payments.waitFor(id)
      const original = { originalTransactionId: id }
      await payments.waitFor((await client.incrementalAuth({ ...original, amount: 1000 })).transactionId)
      await payments.waitFor((await client.postAuth({ ...original, amount: 5500 })).transactionId)
      return id
    },
    /client\.incrementalAuth\(.*client\.postAuth\(/s,
  ],
  'a checkout page that is paid and refunded': [
    async ({ client, checkout, payments }) => {
      const { sessionId } = await client.createSession(usd(900))
      await checkout(sessionId).pay('visa-contactless')
      const [page] = await payments.list()
      const id = page?.transactionId ?? ''
      await payments.waitFor(id)
      await payments.waitFor(
        (await client.onlineRefund({ originalTransactionId: id, amount: 900 })).transactionId,
      )
      return id
    },
    /createSession\(.*checkout\(page\.sessionId\)\.pay\('visa-contactless'\).*onlineRefund/s,
  ],
}

test.each(Object.entries(payments))(
  '%s is copied as a test that passes in a new sandbox',
  async (_, [pay, says]) => {
    const dashboard = await openDashboard()
    const id = await pay(await connectSandbox({ url: dashboard.url }))
    const [ledger] = dashboard.sandbox.engine.state.ledgers.values()
    const transaction = ledger?.transactions.get(id)
    if (ledger === undefined || transaction === undefined) throw new Error(`no transaction ${id}`)
    const text = paymentAsTest(ledger, transaction) ?? ''
    expect(text).toMatch(says)
    expect(await dashboard.read(`/transactions/${id}?tab=test`)).toContain(
      "import { test } from 'tillbox/vitest'",
    )
    const sandbox = await createSandbox()
    onTestFinished(() => sandbox.close())
    const bodies: ((context: { sandbox: TestSandbox }) => Promise<void>)[] = []
    const take = (_title: string, body: (typeof bodies)[number]) => bodies.push(body)
    new Function('test', 'expect', text.replace(/^import .*$/gm, ''))(take, expect)
    await bodies[0]?.({ sandbox })
    expect(await sandbox.payments.list()).toHaveLength(ledger.transactions.size)
  },
)
