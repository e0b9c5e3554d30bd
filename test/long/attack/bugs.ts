import type { ShopName } from '../../support/attack/shops.ts'

/** A bug of a kind that people write: what stands in a sound shop, once, and what stands there in its place. */
export interface Bug {
  readonly shop: ShopName
  readonly name: string
  readonly find: string
  readonly replace: string
}

/** Bugs that a plain approved payment does not show. */
export const bugs: readonly Bug[] = [
  {
    shop: 'node',
    name: 'a payment whose answer is lost is paid again, with a new id',
    find: `  if (answer === undefined || answer.code === usedBefore) return // it may have arrived: reconcile asks
`,
    replace: `  if (answer === undefined) return send(order, Object.assign(payment, { id: randomUUID() }))
  if (answer.code === usedBefore) return
`,
  },
  {
    shop: 'node',
    name: 'a refund whose answer is lost gets a new id for its next try',
    find: `  if (answer === undefined || answer.code === usedBefore) return // it may have arrived: reconcile asks
`,
    replace: `  if (answer === undefined && operation === 'refund') payment.id = randomUUID()
  if (answer === undefined || answer.code === usedBefore) return
`,
  },
  {
    shop: 'node',
    name: 'a notification that comes twice counts twice',
    find: 'if (!(rank[status] > rank[payment.status])) return',
    replace: 'if (!(rank[status] >= rank[payment.status])) return',
  },
  {
    shop: 'node',
    name: 'what is not approved at the first look is called failed, and its late approval is lost',
    find: 'const rank = { I: 0, P: 0, F: 1, C: 1, S: 2 }',
    replace: 'const rank = { I: 0, P: 1, F: 1, C: 1, S: 1 }',
  },
  {
    shop: 'python',
    name: 'whoever comes back from the page with a good status has paid',
    find: 'settle(order, order["pages"][-1])  # the rest of the query proves nothing: anybody can type it',
    replace: 'note(order, order["pages"][-1], query["status"])',
  },
  {
    shop: 'python',
    name: 'the signature of a webhook is checked in production alone',
    find: 'if not is_genuine(headers, body):',
    replace: 'if os.environ.get("STAGE") == "production" and not is_genuine(headers, body):',
  },
  {
    shop: 'python',
    name: 'an amount is a number with a fraction on its way to cents',
    find: 'return int(amount.replace(".", ""))',
    replace: 'return int(float(amount) * 100)',
  },
  {
    shop: 'python',
    name: 'the last notification says how an order stands',
    find: `        if RANK[status] <= RANK[payment["status"]]:
            return
        payment["status"] = status
        order["status"] = status_of(order)
`,
    replace: `        payment["status"] = status
        order["status"] = {"S": "paid", "F": "failed", "C": "failed"}.get(status, "pending")
`,
  },
  {
    shop: 'php',
    name: 'an accepted request is called approved',
    find: "$answer['code'] === '0' ? $answer['data']['transactionStatus'] : 'F'",
    replace: "$answer['code'] === '0' ? 'S' : 'F'",
  },
  {
    shop: 'php',
    name: 'a payment is stored when the service has answered',
    find: `        $payment += ['id' => bin2hex(random_bytes(16)), 'status' => 'I'];
        return $orders[$id]['payments'][$payment['id']] = $payment;
    });
    if ($payment !== null) {
        send(order($id), $payment);
    }
`,
    replace: `        return $payment === null ? null : $payment + ['id' => bin2hex(random_bytes(16)), 'status' => 'I'];
    });
    if ($payment !== null) {
        send(order($id), $payment);
        change(function (array &$orders) use ($id, $payment): void {
            $orders[$id]['payments'][$payment['id']] = $payment;
        });
    }
`,
  },
  {
    shop: 'php',
    name: 'two clicks refund twice',
    find: `        if (in_array($key, array_column($order['payments'], 'key'), true)) {
            return null;
        }
`,
    replace: `        // the page disables its button with the first click
`,
  },
  {
    shop: 'php',
    name: 'a payment without an answer is rolled back',
    find: `    if ($answer === null || $answer['code'] === USED_BEFORE) {
`,
    replace: `    if ($answer === null) {
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
  },
]
