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

/** Merchants beside the first one, with the serials of their terminals, which are 24 in all with the built-in ones. */
const otherShops = [
  ['Harbour Hotel and Conference Centre', 'RECEPTION'],
  ['مقهى المدينة القديمة ☕ Bookshop at the Old Town Market Hall', 'MARKET-HALL-GROUND-FLOOR-TILL'],
]

/** What orders and descriptions hold: the longest ones, other scripts, emoji. */
const orders = (index) =>
  [
    `WEBSHOP-2026-${100_000 + 37 * index}-EU`,
    `ORDER-${1000 + index}`,
    `W${'0123456789'.repeat(3)}${index % 10}`,
    `TABLE-${1 + (index % 40)}`,
  ][index % 4]
const descriptions = [
  undefined,
  'Lunch',
  '🍜 Ramen, twice · טייק אווי',
  'Two nights in a double room with a view of the harbour, breakfast for two persons, and parking in the garage below',
]

/** Three days with 300 payments in six currencies at three merchants, of which the last ones are of today. */
async function threeDays(sandbox, urls) {
  const serials = (place) => Array.from({ length: 7 }, (_, index) => `${place}-${index + 1}`)
  const shops = [
    { client: sandbox.client, terminals: [sandbox.terminalSn, 'TBX-TIP20-001', 'TBX-DECLINE-001'] },
  ]
  for (const [name, place] of otherShops) {
    const terminals = serials(place)
    shops.push({ terminals, client: (await sandbox.newMerchant({ name, terminals })).client })
  }
  const currencies = ['USD', 'USD', 'EUR', 'GBP', 'JPY', 'CHF', 'KWD']
  for (let index = 0; index < 300; index++) {
    await sandbox.clock.advance('13m')
    const { client, terminals } = shops[index % shops.length]
    const { transactionId } = await client.sale({
      amount:
        index % 11 === 7
          ? declined[index % declined.length]
          : sales[index % sales.length] * (1 + (index % 7)),
      priceCurrency: currencies[index % currencies.length],
      terminalSn: terminals[index % terminals.length],
      referenceOrderId: orders(index),
      description: descriptions[index % descriptions.length],
      notifyUrl: urls[index % 9 === 0 ? 1 + (Math.floor(index / 9) % (urls.length - 1)) : 0],
    })
    if (index % 17 === 3)
      await client.refund({ originalTransactionId: transactionId, amount: 100 }).catch(ignoreRefusal)
    if (index % 23 === 5) await client.void({ originalTransactionId: transactionId }).catch(ignoreRefusal)
    if (index % 29 === 4)
      await client.tipAdjust({ originalTransactionId: transactionId, tipAmount: 250 }).catch(ignoreRefusal)
  }
}

/** Amounts that are declined, each for another reason. */
const declined = [9823, 9734, 9651, 9542, 9467, 9318, 9276, 9185, 9094]

/**
 * Three days, faults, queued outcomes, snapshots, closed batches, and notifications that were accepted, retried, refused, held, or reach
 * nobody. `urls`: of the endpoints, the first of which accepts. Returns the ids of an authorisation that was raised and captured on a
 * later day, of a payment that waits, and the token of a viewer.
 */
export async function unusualState(sandbox, urls) {
  const { client, clock } = sandbox
  await clock.set('2026-11-18T06:40:00Z')
  const { transactionId: raised } = await client.auth({
    amount: 668,
    priceCurrency: 'JPY',
    notifyUrl: urls[0],
  })
  await client.incrementalAuth({ originalTransactionId: raised, amount: 200, pushToTerminal: false })
  await threeDays(sandbox, urls)
  await client.postAuth({ originalTransactionId: raised, amount: 868, pushToTerminal: false })
  await client.refund({ originalTransactionId: raised, amount: 1 }).catch(ignoreRefusal)
  for (const amount of sales.slice(0, 6)) await client.sale(usd(amount))
  for (const priceCurrency of ['EUR', 'JPY', 'KWD'])
    await client.sale({ amount: 123_456_789_000, priceCurrency })
  await sandbox.snapshot('opening')
  await clock.advance('2h')
  await client.batchClose({ terminalSn: sandbox.terminalSn })
  await sandbox.snapshot('after-close')
  await sandbox.terminal().queue('insufficient-funds', 3)
  await sandbox.faults.add('http-503', { operation: 'refund', times: 2 })
  await sandbox.faults.add('latency=2000', { always: true })
  await sandbox.faults.add('duplicate', { always: true })
  await sandbox.faults.add('http-503', { operation: 'query', times: 2 })
  await sandbox.faults.add('lost-answer', { terminalSn: sandbox.terminalSn, times: 1 })
  await sandbox.webhooks.hold()
  for (const amount of sales.slice(6, 9)) await client.sale({ ...usd(amount), notifyUrl: urls[0] })
  const { transactionId: waiting } = await client.sale({
    ...usd(1800),
    terminalSn: 'TBX-ATTENDED-001',
    referenceOrderId: 'TABLE-7',
  })
  const week = 7 * 86_400_000
  for (const name of ['ci-1', 'ci-2', 'nightly']) await create(sandbox, 'spaces', { name, ttlMs: week })
  await create(sandbox, 'tokens', { name: 'ci', scope: 'spaces', ttlMs: week })
  await create(sandbox, 'tokens', { name: 'wall-screen', scope: 'viewer', space: 'nightly' })
  return { raised, waiting }
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
