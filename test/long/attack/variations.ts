import type { Change } from '../../support/attack/changed-shop.ts'
import type { ShopName } from '../../support/attack/shops.ts'

/** A shop that does something in another sound way, which must raise no alarm. */
export interface Variation {
  readonly shop: ShopName
  readonly name: string
  /** The drive, a file beside the shop. */
  readonly drive: string
  /** Changes of the shop. */
  readonly changes: readonly Change[]
  /** Changes of the drive. */
  readonly driveChanges: readonly Change[]
}

const inShop = (shop: ShopName, name: string, ...changes: readonly Change[]): Variation => ({
  shop,
  name,
  drive: 'drive.yaml',
  changes,
  driveChanges: [],
})

export const variations: readonly Variation[] = [
  { ...inShop('node', 'voids, or else pays back'), drive: 'cancel.yaml' },
  { ...inShop('python', 'closes a page, or else pays back'), drive: 'cancel.yaml' },
  inShop(
    'node',
    'splits the bill into two payments',
    [
      "  await pay(order, 'sale', cents, { referenceOrderId: id, terminalSn })\n",
      `  const half = Math.floor(cents / 2)
  const members = { referenceOrderId: id, terminalSn }
  const parts = [half, cents - half].map((amount) => ({ id: randomUUID(), operation: 'sale', amount, members, status: 'I' }))
  order.payments.push(...parts)
  save()
  for (const part of parts) await send(order, part)
`,
    ],
    [
      `  const [sale] = order.payments
  for (const operation of ['void', 'refund']) {
    const left = leftOf(order)
    if (order.cancelled && sale.status === 'S' && left > 0)
      await pay(order, operation, left, { originalTransactionRequestId: sale.id, pushToTerminal: false })
  }
`,
      `  if (statusOf(order) !== 'failed') return
  for (const sale of salesOf(order))
    if (sale.status === 'S' && leftOf(order, sale) > 0)
      await pay(order, 'refund', leftOf(order, sale), { originalTransactionRequestId: sale.id })
`,
    ],
    [
      `function leftOf({ amount, payments: [, ...back] }) {
  return back.filter(({ status }) => !hasFailed(status)).reduce((left, each) => left - each.amount, amount)
}
`,
      `function leftOf({ payments }, { id, amount }) {
  const back = payments.filter(({ members }) => members.originalTransactionRequestId === id)
  return back.filter(({ status }) => !hasFailed(status)).reduce((left, each) => left - each.amount, amount)
}

const salesOf = ({ payments }) => payments.filter(({ operation }) => operation === 'sale')
`,
    ],
    [
      `  const [sale] = order.payments
  if (sale.status !== 'S') throw new Refused(409, \`\${order.id} is not paid\`)
  const left = leftOf(order)
  if (cents > left)`,
      `  if (!['paid', 'refunded'].includes(statusOf(order))) throw new Refused(409, \`\${order.id} is not paid\`)
  const sale = salesOf(order).find((each) => leftOf(order, each) >= cents)
  const left = Math.max(...salesOf(order).map((each) => leftOf(order, each)))
  if (cents > left)`,
    ],
    [
      "if (status === 'S' && payment.operation === 'sale') order.shipped = !order.cancelled",
      "if (statusOf(order) === 'paid') order.shipped = true",
    ],
    [
      `  const [{ status }] = order.payments
  if (order.cancelled) return 'cancelled'
  if (status === 'S') return`,
      `  const sales = salesOf(order)
  const status = sales.find(({ status }) => status !== 'S')?.status ?? 'S'
  if (sales.some(({ status }) => hasFailed(status))) return 'failed'
  if (status === 'S') return`,
    ],
  ),
  inShop('node', 'refunds through a queue', [
    "  await pay(order, 'refund', cents, { originalTransactionRequestId: sale.id }, key)\n",
    `  const members = { originalTransactionRequestId: sale.id }
  const payment = { id: randomUUID(), key, operation: 'refund', amount: cents, members, status: 'I' }
  order.payments.push(payment)
  save()
  setTimeout(() => send(order, payment), 100) // after a crash cron finds it, and sends it
`,
  ]),
  inShop(
    'node',
    'polls, and takes no webhooks',
    ['transactionRequestId: id, notifyUrl }', 'transactionRequestId: id }'],
    [
      '  if (withKey(order.payments, key, cents)) return order\n',
      `  if (rank[order.payments[0].status] === rank.I) await settle(order, order.payments[0])
  if (withKey(order.payments, key, cents)) return order
`,
    ],
  ),
  inShop(
    'node',
    'sends what it stored from an outbox',
    [
      `  save()
  await send(order, payment)
}
`,
      `  save()
  setImmediate(empty)
}

/** Sends what was stored and is not sent yet; after a crash perhaps again, with the same id. */
async function empty() {
  for (const order of orders)
    for (const payment of order.payments.filter(({ isSent }) => !isSent)) {
      payment.isSent = true
      await send(order, payment)
      save()
    }
}
`,
    ],
    [
      "server.listen(Number(PORT), '127.0.0.1', () =>",
      "server.listen(Number(PORT), '127.0.0.1', empty).on('listening', () =>",
    ],
  ),
  inShop('node', 'refunds in the cloud', [
    "'refund', cents, { originalTransactionRequestId: sale.id }, key)",
    "'refund', cents, { originalTransactionRequestId: sale.id, pushToTerminal: false }, key)",
  ]),
  inShop(
    'node',
    'is patient, and sends again what had no answer',
    ['AbortSignal.timeout(3000)', 'AbortSignal.timeout(10_000)'],
    [
      "  const answer = await call('POST', `/v1/semi-integration/transaction/${operation}`, request)\n",
      `  const path = \`/v1/semi-integration/transaction/\${operation}\`
  const answer = (await call('POST', path, request)) ?? (await call('POST', path, request))
`,
    ],
  ),
  inShop(
    'node',
    'answers 409 to what is repeated',
    [
      '  if (before) return before\n',
      "  if (before) throw new Refused(409, 'This order is there already')\n",
    ],
    [
      '  if (withKey(order.payments, key, cents)) return order\n',
      "  if (withKey(order.payments, key, cents)) throw new Refused(409, 'This refund is there already')\n",
    ],
  ),
  {
    ...inShop(
      'php',
      'has amounts in cents',
      ['function begin(string $amount, string $key)', 'function begin(int $amount, string $key)'],
      ['function ship(string $id, string $tip)', 'function ship(string $id, int $tip)'],
      ["    $tip = $tip === '' ? 0 : cents($tip);\n", ''],
      [
        'function refund(string $id, string $amount, string $key)',
        'function refund(string $id, int $amount, string $key)',
      ],
      [
        `function cents(string $amount): int
{
    if (!preg_match('/^\\d{1,7}\\.\\d\\d$/D', $amount)) {
        throw new Refused('An amount is a text such as "12.50"', 400);
    }
    return (int) str_replace('.', '', $amount);
}
`,
        `function cents(int $amount): int
{
    return $amount > 0 ? $amount : throw new Refused('An amount is a number of cents', 400);
}
`,
      ],
      [
        `function decimal(int $cents): string
{
    return sprintf('%d.%02d', intdiv($cents, 100), $cents % 100);
}
`,
        `function decimal(int $cents): int
{
    return $cents;
}
`,
      ],
      ["+ ['amount' => '', 'tip' => '', 'key' => ''];", "+ ['amount' => 0, 'tip' => 0, 'key' => ''];"],
    ),
    driveChanges: [
      ['{ amount: "12.50", key: guest }', '{ amount: 1250, key: guest }'],
      ['{ tip: "2.00" }', '{ tip: 200 }'],
      ['{ amount: "4.00", key: returned }', '{ amount: 400, key: returned }'],
    ],
  },
  {
    ...inShop('python', 'sells for yen'),
    driveChanges: [
      ['{ amount: "12.50", currency: USD }', '{ amount: "1250", currency: JPY }'],
      ['{ amount: "4.00", key: returned }', '{ amount: "400", key: returned }'],
    ],
  },
]
