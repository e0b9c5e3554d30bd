/** A day at a shop: payments of every kind and state, for the pictures. */

/** Amounts of the sales, in minor units; the test amounts among them are declined. */
const sales = [
  1250, 480, 2399, 1800, 9734, 3650, 720, 5400, 9823, 1599, 2875, 640, 4120, 990, 1430, 7051, 2210, 860,
]

/** The day of the README's pictures, too: ends with a payment that waits for its card. Returns ids by name. */
export async function dayAtShop(sandbox) {
  const { client, clock } = sandbox
  const pass = (minutes) => clock.advance(`${minutes}m`)
  await clock.set('2026-11-20T07:40:00Z')
  const ids = []
  for (const [index, amount] of sales.entries()) {
    await pass(37)
    const { transactionId } = await client.sale({
      ...usd(amount),
      referenceOrderId: `ORDER-${1000 + index}`,
      ...(index % 5 === 3 && { terminalSn: 'TBX-TIP20-001' }),
    })
    ids.push(transactionId)
  }
  const [, , refunded, , declined, wholly, voided, tipped] = ids
  await client.refund({ originalTransactionId: refunded, amount: 800 })
  await client.refund({ originalTransactionId: wholly, amount: 3650 })
  await client.void({ originalTransactionId: voided })
  await client.tipAdjust({ originalTransactionId: tipped, tipAmount: 810 })
  await pass(25)
  const { transactionId: captured } = await client.auth(usd(12_000))
  await sandbox.payments.waitFor(captured)
  await pass(31)
  await client.postAuth({ originalTransactionId: captured, amount: 10_450, pushToTerminal: false })
  // A reversal that is refused, for the log of requests.
  await client.void({ originalTransactionId: refunded }).catch(ignoreRefusal)
  const { transactionId: held } = await client.auth(usd(20_000))
  await pass(12)
  const { transactionId: waiting } = await client.sale({
    ...usd(1800),
    terminalSn: 'TBX-ATTENDED-001',
    referenceOrderId: 'TABLE-7',
    description: 'Lunch',
    tipConfig: { onScreenTip: true },
  })
  await sandbox.webhooks.delivered({ timeout: 20_000 })
  return { refunded, declined, voided, held, waiting }
}

/** 200 payments in six currencies at three merchants with 23 terminals. */
async function busyDays(sandbox) {
  await sandbox.clock.set('2026-11-18T20:00:00Z')
  const serials = (place) => Array.from({ length: 7 }, (_, index) => `${place}-${index + 1}`)
  const shops = [{ client: sandbox.client, terminals: [sandbox.terminalSn, 'TBX-TIP20-001'] }]
  for (const [name, place] of [
    ['Harbour Hotel and Conference Centre', 'RECEPTION'],
    ['Bookshop at the Old Town Market Hall', 'MARKET-HALL'],
  ]) {
    const terminals = serials(place)
    shops.push({ terminals, client: (await sandbox.newMerchant({ name, terminals })).client })
  }
  const currencies = ['USD', 'USD', 'EUR', 'GBP', 'JPY', 'CHF', 'KWD']
  for (let index = 0; index < 200; index++) {
    await sandbox.clock.advance('11m')
    const { client, terminals } = shops[index % shops.length]
    await client.sale({
      amount: sales[index % sales.length] * (1 + (index % 7)),
      priceCurrency: currencies[index % currencies.length],
      terminalSn: terminals[index % terminals.length],
      referenceOrderId: `WEBSHOP-2026-${String(100_000 + 37 * index)}-EU`,
    })
  }
}

/** Busy days, faults, queued outcomes, snapshots, a closed batch, and notifications that nobody accepts, some of them held. */
export async function unusualState(sandbox) {
  await busyDays(sandbox)
  for (const amount of sales.slice(0, 6)) await sandbox.client.sale(usd(amount))
  for (const priceCurrency of ['EUR', 'JPY', 'KWD'])
    await sandbox.client.sale({ amount: 123_456_789_000, priceCurrency })
  await sandbox.snapshot('opening')
  await sandbox.clock.advance('2h')
  await sandbox.client.batchClose({ terminalSn: sandbox.terminalSn })
  await sandbox.snapshot('after-close')
  await sandbox.terminal().queue('insufficient-funds', 3)
  await sandbox.faults.add('http-503', { operation: 'refund', times: 2 })
  await sandbox.faults.add('latency=2000', { always: true })
  await sandbox.faults.add('duplicate', { always: true })
  await sandbox.webhooks.hold()
  for (const amount of sales.slice(6, 9)) await sandbox.client.sale(usd(amount))
  const week = 7 * 86_400_000
  for (const name of ['ci-1', 'ci-2', 'nightly']) await create(sandbox, 'spaces', { name, ttlMs: week })
  await create(sandbox, 'tokens', { name: 'ci', scope: 'spaces', ttlMs: week })
  await create(sandbox, 'tokens', { name: 'wall-screen', scope: 'viewer', space: 'nightly' })
}

const create = ({ url }, what, members) =>
  fetch(`${url}/_sandbox/${what}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(members),
  })

/** A terminal on each of its screens. Returns their serial numbers by screen. */
export async function terminalScreens(sandbox) {
  const screens = {
    idle: async () => undefined,
    card: (at) => at.sell(4200),
    tip: async (at) => {
      await at.sell(4200, { tipConfig: { onScreenTip: true } })
      await at.terminal.present('visa-contactless')
    },
    pin: async (at) => {
      await at.sell(4200)
      await at.terminal.present('visa-chip-pin')
      await at.terminal.pin({ correct: false })
    },
    signature: async (at) => {
      await at.sell(4200)
      await at.terminal.present('discover-swipe')
    },
    processing: async (at) => {
      await at.sell(4200)
      await at.terminal.present('amex-chip', { outcome: 'late-approval' })
    },
    approved: async (at) => {
      await at.sell(4200)
      await at.terminal.present('visa-contactless')
    },
    declined: async (at) => {
      await at.sell(4200)
      await at.terminal.present('visa-contactless', { outcome: 'insufficient-funds' })
    },
    line: async (at) => {
      await at.sell(4200)
      await at.sell(900)
    },
    offline: (at) => at.terminal.offline(),
  }
  const serials = Object.fromEntries(Object.keys(screens).map((name) => [name, `TILL-${name.toUpperCase()}`]))
  const merchant = await sandbox.newMerchant({ name: 'Harbour Hotel', terminals: Object.values(serials) })
  for (const [name, park] of Object.entries(screens)) {
    const terminalSn = serials[name]
    const terminal = merchant.terminal(terminalSn)
    await terminal.set({ mode: 'attended' })
    await park({
      terminal,
      sell: (amount, more) => merchant.client.sale({ ...usd(amount), terminalSn, ...more }),
    })
  }
  return serials
}

/** A checkout session in each of its states. Returns their URLs by state. */
export async function checkoutStates(sandbox) {
  const states = {
    open: async () => undefined,
    declined: (checkout) => checkout.pay('visa-declined'),
    paid: (checkout) => checkout.pay(),
    cancelled: (checkout) => checkout.cancel(),
  }
  const urls = {}
  for (const [name, reach] of Object.entries(states)) {
    const session = await sandbox.client.createSession({
      ...usd(5900),
      description: 'Two nights',
      merchantReturnUrl: 'http://127.0.0.1:3000/thanks',
    })
    await reach(sandbox.checkout(session.sessionId))
    urls[name] = session.checkoutUrl
  }
  return urls
}

/** Errors: those that are no refusal. */
function ignoreRefusal(error) {
  if (error.name !== 'ServiceRefusal') throw error
}

const usd = (amount) => ({ amount, priceCurrency: 'USD' })
