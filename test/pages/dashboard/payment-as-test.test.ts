import { expect, onTestFinished, test } from 'vitest'
import { connectSandbox, createSandbox, type TestSandbox } from '../../../src/library/index.ts'
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
  'a refund that another terminal cancels, and a void in the cloud': [
    async ({ client, payments }) => {
      const { transactionId } = await client.sale(usd(1000))
      await payments.waitFor(transactionId)
      const original = { originalTransactionId: transactionId }
      const closed = await client.refund({ ...original, amount: 300, terminalSn: 'TBX-CANCEL-001' })
      await payments.waitFor(closed.transactionId, 'closed')
      await client.void({ ...original, pushToTerminal: false })
      return transactionId
    },
    /terminalSn: 'TBX-CANCEL-001'.*const voided = .*pushToTerminal: false/s,
  ],
  'a refund without reference that the host does not answer': [
    async ({ client, clock, payments }) => {
      const { transactionId } = await client.refund(
        { ...usd(1000), referenceOrderId: 'ORDER-1', terminalSn: 'TBX-LATE-001' },
        { outcome: 'host-timeout' },
      )
      await clock.advance('2m')
      await payments.waitFor(transactionId, 'declined')
      return transactionId
    },
    /referenceOrderId: 'ORDER-1'.*clock\.advance\('/s,
  ],
  'a payment that nobody took up': [
    async ({ client, clock, payments }) => {
      const { transactionId } = await client.sale({ ...usd(1000), terminalSn: 'TBX-OFFLINE-001' })
      await clock.advance('1d')
      await payments.waitFor(transactionId, 'closed')
      return transactionId
    },
    /clock\.advance\('1d'\)/,
  ],
  'a page that its shopper cancels': [
    async ({ client, checkout }) => {
      const { sessionId } = await client.createSession(usd(900))
      const { transactionId } = await checkout(sessionId).state()
      await checkout(sessionId).cancel()
      return transactionId
    },
    /checkout\(page\.sessionId\)\.cancel\(\)/,
  ],
  'a page that its merchant closes': [
    async ({ client, checkout }) => {
      const { sessionId } = await client.createSession(usd(900))
      const { transactionId } = await checkout(sessionId).state()
      await client.expireSession({ sessionId })
      return transactionId
    },
    /client\.expireSession\(\{ sessionId: page\.sessionId \}\)/,
  ],
  'a card that is inserted, and three wrong PINs': [
    async ({ client, payments, terminal }) => {
      const { transactionId } = await client.sale({ ...usd(900), terminalSn: 'TBX-ATTENDED-001' })
      const attended = terminal('TBX-ATTENDED-001')
      await attended.waitForScreen('present-card')
      await attended.present('visa-contactless', { entry: 'insert' })
      for (let tries = 0; tries < 3; tries++) await attended.pin({ correct: false })
      await payments.waitFor(transactionId, 'declined')
      return transactionId
    },
    /present\('visa-contactless', \{ entry: 'insert' \}\)(.*pin\(\{ correct: false \}\)){3}/s,
  ],
  'a payment that asks for a signature, which is skipped': [
    async ({ client, payments, terminal }) => {
      const { transactionId } = await client.sale({
        ...usd(900),
        terminalSn: 'TBX-ATTENDED-001',
        signatureConfig: { useHostConfig: false, entryLocation: 'ON_SCREEN' },
      })
      const attended = terminal('TBX-ATTENDED-001')
      await attended.waitForScreen('present-card')
      await attended.present('visa-contactless')
      await attended.waitForScreen('signature')
      await attended.cancel()
      await payments.waitFor(transactionId)
      return transactionId
    },
    /signatureConfig: .*waitForScreen\('signature'\).*cancel\(\)/s,
  ],
  'a payment method that no card has': [
    async ({ client, payments }) => {
      const { transactionId } = await client.sale({ ...usd(900), paymentMethod: { id: 'NONE' } })
      await payments.waitFor(transactionId, 'declined')
      return transactionId
    },
    /paymentMethod: \{"id":"NONE"\}/,
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
