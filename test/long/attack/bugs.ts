import type { ShopName } from '../../support/attack/shops.ts'

/** A bug of a kind that people write: what stands in a sound shop, once, and what stands there in its place. */
export interface Bug {
  readonly shop: ShopName
  readonly name: string
  readonly find: string
  readonly replace: string
}

/** Bugs that a plain approved payment does not show, by shop and name: what stands there, and what in its place. */
const bugsOf: Readonly<Record<ShopName, Readonly<Record<string, readonly [find: string, replace: string]>>>> =
  {
    node: {
      'a payment whose answer is lost is paid again, with a new id': [
        `  if (answer === undefined || answer.code === usedBefore) return // it may have arrived: reconcile asks
`,
        `  if (answer === undefined) return send(order, Object.assign(payment, { id: randomUUID() }))
  if (answer.code === usedBefore) return
`,
      ],
      'a refund whose answer is lost gets a new id for its next try': [
        `  if (answer === undefined || answer.code === usedBefore) return // it may have arrived: reconcile asks
`,
        `  if (answer === undefined && operation === 'refund') payment.id = randomUUID()
  if (answer === undefined || answer.code === usedBefore) return
`,
      ],
      'a notification that comes twice counts twice': [
        'if (!(rank[status] > rank[payment.status])) return',
        'if (!(rank[status] >= rank[payment.status])) return',
      ],
      'what is not approved at the first look is called failed, and its late approval is lost': [
        'const rank = { I: 0, P: 0, F: 1, C: 1, S: 2 }',
        'const rank = { I: 0, P: 1, F: 1, C: 1, S: 1 }',
      ],
      'a click that is repeated makes another order': [
        `  const before = key && withKey(orders, key, cents)
  if (before) return before
`,
        `  // each click is an order
`,
      ],
      'what was read before the answer is stored over what the webhook said (statamic-cargo #195)': [
        "const answer = await call('POST', `/v1/semi-integration/transaction/${operation}`, request)\n",
        `const read = JSON.stringify(payment)
  const answer = await call('POST', \`/v1/semi-integration/transaction/\${operation}\`, request)
  Object.assign(payment, JSON.parse(read))
`,
      ],
      'a refund that was declined counts as paid back': [
        "if (status === 'S' && payment.operation === 'refund')",
        "if (payment.operation === 'refund')",
      ],
      'a notification is of an approval, whatever its status (apiary #1580)': [
        'if (payment.id === transactionRequestId) note(order, payment, transactionStatus)',
        "if (payment.id === transactionRequestId) note(order, payment, 'S')",
      ],
    },
    python: {
      'whoever comes back from the page with a good status has paid': [
        'settle(order, order["pages"][-1])  # the rest of the query proves nothing: anybody can type it',
        'note(order, order["pages"][-1], query["status"])',
      ],
      'the signature of a webhook is checked in production alone': [
        'if not is_genuine(headers, body):',
        'if os.environ.get("STAGE") == "production" and not is_genuine(headers, body):',
      ],
      'an amount is a number with a fraction on its way to cents': [
        'return int(amount.replace(".", ""))',
        'return int(float(amount) * 100)',
      ],
      'the last notification says how an order stands': [
        `        if RANK[status] <= RANK[payment["status"]]:
            return
        payment["status"] = status
        order["status"] = status_of(order)
`,
        `        payment["status"] = status
        order["status"] = {"S": "paid", "F": "failed", "C": "failed"}.get(status, "pending")
`,
      ],
    },
    php: {
      'an accepted request is called approved': [
        "$answer['code'] === '0' ? $answer['data']['transactionStatus'] : 'F'",
        "$answer['code'] === '0' ? 'S' : 'F'",
      ],
      'a payment is stored when the service has answered': [
        `        $payment += ['id' => bin2hex(random_bytes(16)), 'status' => 'I'];
        return $orders[$id]['payments'][$payment['id']] = $payment;
    });
    if ($payment !== null) {
        send(order($id), $payment);
    }
`,
        `        return $payment === null ? null : $payment + ['id' => bin2hex(random_bytes(16)), 'status' => 'I'];
    });
    if ($payment !== null) {
        send(order($id), $payment);
        change(function (array &$orders) use ($id, $payment): void {
            $orders[$id]['payments'][$payment['id']] = $payment;
        });
    }
`,
      ],
      'two clicks refund twice': [
        `        if (in_array($key, array_column($order['payments'], 'key'), true)) {
            return null;
        }
`,
        `        // the page disables its button with the first click
`,
      ],
      'a payment without an answer is rolled back': [
        `    if ($answer === null || $answer['code'] === USED_BEFORE) {
`,
        `    if ($answer === null) {
        change(function (array &$orders) use ($order, $payment): void {
            unset($orders[$order['id']]['payments'][$payment['id']]);
            if ($orders[$order['id']]['payments'] === []) {
                unset($orders[$order['id']]);
            }
        });
        throw new Refused('The payment failed: try again', 502);
    }
    if ($answer['code'] === USED_BEFORE) {
`,
      ],
    },
  }

export const bugs: readonly Bug[] = Object.entries(bugsOf).flatMap(([shop, ofShop]) =>
  Object.entries(ofShop).map(([name, [find, replace]]) => ({ shop: shop as ShopName, name, find, replace })),
)
