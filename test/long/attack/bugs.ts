import type { ShopName } from '../../support/attack/shops.ts'

/** A bug of a kind that people write: what stands in a sound shop, once, and what stands there in its place. */
export interface Bug {
  readonly shop: ShopName
  /** What is wrong, and where people met it: `owner/repository #number`. */
  readonly name: string
  readonly find: string
  readonly replace: string
  /** The drive that attacks it, a file beside the shop. */
  readonly drive: string
}

/** What stands in the shop, what in its place, and the drive, unless it is drive.yaml. */
type Planted = readonly [find: string, replace: string, drive?: string]

/** Bugs that a plain approved payment does not show, by shop and name. */
const bugsOf: Readonly<Record<ShopName, Readonly<Record<string, Planted>>>> = {
  node: {
    'a payment whose answer is lost is paid again, with a new id (pagarme/pagarme-magento #299)': [
      `  if (answer === undefined || answer.code === usedBefore) return // it may have arrived: reconcile asks
`,
      `  if (answer === undefined) return send(order, Object.assign(payment, { id: randomUUID() }))
  if (answer.code === usedBefore) return
`,
    ],
    'a refund whose answer is lost gets a new id for its next try (medusajs/medusa #16681)': [
      `  if (answer === undefined || answer.code === usedBefore) return // it may have arrived: reconcile asks
`,
      `  if (answer === undefined && operation === 'refund') payment.id = randomUUID()
  if (answer === undefined || answer.code === usedBefore) return
`,
    ],
    'a notification that comes twice counts twice (wasp-lang/open-saas #688)': [
      'if (!(rank[status] > rank[payment.status])) return',
      'if (!(rank[status] >= rank[payment.status])) return',
    ],
    'what is not approved at the first look is called failed, and its late approval is lost (AI-Shipping-Labs/website #1423)':
      ['const rank = { I: 0, P: 0, F: 1, C: 1, S: 2 }', 'const rank = { I: 0, P: 1, F: 1, C: 1, S: 1 }'],
    'a click that is repeated makes another order (opencollective/opencollective #3502)': [
      `  const before = key && withKey(orders, key, cents)
  if (before) return before
`,
      `  // each click is an order
`,
    ],
    'what was read before the answer is stored over what the webhook said (duncanmcclean/statamic-cargo #195)':
      [
        "const answer = await call('POST', `/v1/semi-integration/transaction/${operation}`, request)\n",
        `const read = JSON.stringify(payment)
  const answer = await call('POST', \`/v1/semi-integration/transaction/\${operation}\`, request)
  Object.assign(payment, JSON.parse(read))
`,
      ],
    'a refund that was declined counts as paid back (fluent-cart/fluent-cart #42)': [
      "if (status === 'S' && payment.operation !== 'sale')",
      "if (payment.operation !== 'sale')",
    ],
    'a notification is of an approval, whatever its status (RoboJackets/apiary #1580)': [
      'if (payment.id === transactionRequestId) note(order, payment, transactionStatus)',
      "if (payment.id === transactionRequestId) note(order, payment, 'S')",
    ],
    'an order is stored when the service has answered (codecombat/codecombat #1906)': [
      `  order.payments.push(payment)
  save()
  await send(order, payment)
`,
      `  order.payments.push(payment)
  await send(order, payment)
  save()
`,
    ],
    'a gateway that fails has declined (akDeveloper/Aktive-Merchant #23)': [
      '    const answer = response.status === 200 ? await response.json() : undefined\n',
      `    if (response.status >= 500) return { code: String(response.status) }
    const answer = response.status === 200 ? await response.json() : undefined
`,
    ],
    'what a failing gateway was asked is asked again, with a new id (mollie/mollie-api-php #642)': [
      '    const answer = response.status === 200 ? await response.json() : undefined\n',
      `    if (response.status >= 500 && body)
      return await call(method, path, { ...body, transactionRequestId: randomUUID() })
    const answer = response.status === 200 ? await response.json() : undefined
`,
    ],
    'a decline is not taken up, and the order stays pending (medusajs/medusa #16398)': [
      'if (!(rank[status] > rank[payment.status])) return',
      "if (!(rank[status] > rank[payment.status]) || status !== 'S') return",
    ],
    'what never arrived is not sent again': [
      '  if (answer?.code === unknownTransaction) await send(order, payment)\n',
      '  // the service does not know it yet\n',
    ],
    'cron leaves sales to the webhook (aasmanj/altarwed #209)': [
      'if (rank[payment.status] === rank.I) await settle(order, payment)\n    await giveBack',
      "if (rank[payment.status] === rank.I && payment.operation !== 'sale') await settle(order, payment)\n    await giveBack",
    ],
    'a payment without an answer has failed (woocommerce/woocommerce #21083)': [
      `  if (answer === undefined || answer.code === usedBefore) return // it may have arrived: reconcile asks
  note(order, payment, answer.code`,
      `  if (answer?.code === usedBefore) return
  note(order, payment, answer?.code`,
    ],
    'a webhook without a signature is taken (krkn-chaos/krkn #1277)': [
      `function takeWebhook(headers, body) {
  if (!isGenuine(headers, body)) throw new Refused(401, 'The signature is wrong')
  const age = Math.abs(Date.now() - Number(headers['x-timestamp']))
`,
      `function takeWebhook(headers, body) {
  const isSigned = headers['x-signature'] !== undefined
  if (isSigned && !isGenuine(headers, body)) throw new Refused(401, 'The signature is wrong')
  const age = isSigned ? Math.abs(Date.now() - Number(headers['x-timestamp'])) : 0
`,
    ],
    'what cron learns of a part that was paid back counts as all of it': [
      `  if (answer?.code === '0') note(order, payment, answer.data.transactionStatus)
`,
      `  if (answer?.code === '0') note(order, payment, answer.data.transactionStatus)
  if (payment.operation === 'refund' && payment.status === 'S') order.refunded = order.amount
`,
    ],
    'a void that was accepted has worked (rxtrax/tracking #104)': [
      "note(order, payment, answer.code === '0' ? answer.data.transactionStatus : 'F')",
      "note(order, payment, operation === 'void' ? 'S' : answer.code === '0' ? answer.data.transactionStatus : 'F')",
      'cancel.yaml',
    ],
    'what cannot be voided any more is not paid back (solidusio/solidus #2104)': [
      "for (const operation of ['void', 'refund']) {",
      "for (const operation of ['void']) {",
      'cancel.yaml',
    ],
    'an abort that was accepted has worked (woocommerce/woocommerce-android #6705)': [
      `    await settle(order, sale) // accepted does not mean aborted
`,
      `    sale.status = 'aborted'
`,
      'cancel.yaml',
    ],
    'what is paid after the order was cancelled stays paid (woocommerce/woocommerce-gateway-stripe #5703)': [
      `await settle(order, payment)
    await giveBack(order)
`,
      `await settle(order, payment)
    // what is cancelled is over
`,
      'cancel.yaml',
    ],
  },
  python: {
    'whoever comes back from the page with a good status has paid (oc-shopaholic/oc-omnipay-shopaholic-plugin #24)':
      [
        'settle(order, order["pages"][-1])  # the rest of the query proves nothing: anybody can type it',
        'note(order, order["pages"][-1], query["status"])',
      ],
    'the signature of a webhook is checked in production alone (Carrington-dev/dj-payfast #30)': [
      'if not is_genuine(headers, body):',
      'if os.environ.get("STAGE") == "production" and not is_genuine(headers, body):',
    ],
    'an amount is a number with a fraction on its way to cents (responsiv/currency-plugin #56)': [
      'return int(amount.replace(".", ""))',
      'return int(float(amount) * 100)',
    ],
    'the last notification says how an order stands (woocommerce/woocommerce-gateway-stripe #902)': [
      `        if RANK[status] <= RANK[payment["status"]]:
            return
        payment["status"] = status
        order["status"] = status_of(order)
`,
      `        payment["status"] = status
        order["status"] = {"S": "paid", "F": "failed", "C": "failed"}.get(status, "pending")
`,
    ],
    'yen have cents (alexmorrisnz/moodle-paygw_stripe #2)': [
      'return int(amount.replace(".", ""))',
      'return round(float(amount) * 100)',
    ],
    'every currency with decimals has two (woocommerce/woocommerce-gateway-stripe #2720)': [
      'return int(amount.replace(".", ""))',
      'return round(float(amount) * (100 if digits else 1))',
    ],
    'the amount is charged in the currency of the account (VivaPayments/API #831)': [
      'priceCurrency=order["currency"])',
      'priceCurrency="USD")',
    ],
    'an approval that comes again ships again (mollie/WooCommerce #1252)': [
      '                note(order, payment, record["transactionStatus"])\n',
      `                was_paid = order["status"] == "paid"
                note(order, payment, record["transactionStatus"])
                if was_paid and payment in order["pages"]:
                    order["parcels"] += 1
`,
    ],
    'cron cancels what looks unpaid, and does not ask (woocommerce/woocommerce #20928)': [
      `            if RANK[payment["status"]] == OPEN:
                settle(order, payment)
`,
      `            if RANK[payment["status"]] == OPEN:
                note(order, payment, "C") if payment in order["pages"] else settle(order, payment)
`,
    ],
    'a page that is not closed stays open beside the new one (umbraco/Umbraco.Commerce.Issues #895)': [
      'if page is not order["pages"][-1] or RANK[page["status"]] != FAILED:',
      'if page is not order["pages"][-1] or RANK[page["status"]] == APPROVED:',
    ],
    'a refund looks at its key before it asks, and not again (juspay/hyperswitch #13182)': [
      `    with lock:
        if any(each["key"] == key for each in order["refunds"]):
            return
`,
      `    if any(each["key"] == key for each in order["refunds"]):
        return
    for page in order["pages"]:
        settle(order, page)
    with lock:
`,
    ],
    'the return and the webhook both find it unpaid, and both ship (mollie/Shopware6 #1037)': [
      `    answer = call("GET", f"/v1/transaction/query?transactionRequestId={payment['id']}")
    if answer and answer["code"] == "0":
        note(`,
      `    was_open = RANK[payment["status"]] == OPEN
    answer = call("GET", f"/v1/transaction/query?transactionRequestId={payment['id']}")
    if was_open and answer and answer.get("data", {}).get("transactionStatus") == "S" and "page" not in payment:
        payment["status"] = "S"
        order.update(status=status_of(order), parcels=order["parcels"] + 1)
        save()
    elif answer and answer["code"] == "0":
        note(`,
    ],
    'what is paid after the order was cancelled is never paid back (coreshop/CoreShop #2529)': [
      `                settle(order, payment)
        give_back(order)
`,
      `                settle(order, payment)
        # what is cancelled is over
`,
      'cancel.yaml',
    ],
    'a page that could not be closed is closed': [
      `    settle(order, page)
    give_back(order)
`,
      `    note(order, page, "C")
    give_back(order)
`,
      'cancel.yaml',
    ],
  },
  php: {
    'an accepted request is called approved (woocommerce/woocommerce-paypal-payments #303)': [
      "$answer['code'] === '0' ? $answer['data']['transactionStatus'] : 'F'",
      "$answer['code'] === '0' ? 'S' : 'F'",
    ],
    'a payment is stored when the service has answered (mollie/laravel-mollie #119)': [
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
    'two clicks refund twice (openfoodfoundation/openfoodnetwork #6330)': [
      `        if (in_array($key, array_column($order['payments'], 'key'), true)) {
            return null;
        }
`,
      `        // the page disables its button with the first click
`,
    ],
    'a payment without an answer is rolled back (medusajs/medusa #16292)': [
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
    'a tip is lost when the capture is sent again': [
      "UNKNOWN_TRANSACTION => send($order, $order['payments'][$id]),",
      "UNKNOWN_TRANSACTION => send($order, ['tip' => 0] + $order['payments'][$id]),",
    ],
    'what is being processed is approved (Payum/Payum #585)': ["'P' => OPEN,", "'P' => APPROVED,"],
    'what is authorised is paid (vippsas/vipps-woocommerce #7)': [
      "    return payments($order, 'post-auth', APPROVED) !== [];\n",
      "    return payments($order, 'auth', APPROVED) !== [];\n",
    ],
    'goods leave when the capture is asked for (Adyen/adyen-magento #368)': [
      "$order['shipped'] = $order['shipped'] || isPaid($order);",
      "$order['shipped'] = $order['shipped'] || payments($order, 'post-auth', OPEN, FAILED, APPROVED) !== [];",
    ],
    'a notification is of the last payment of its order (202-ecommerce/stripe_official #78)': [
      "note($record['transactionRequestId'], $record['transactionStatus'])",
      "note((string) array_key_last(orders()[$record['referenceOrderId']]['payments'] ?? []), $record['transactionStatus'])",
    ],
  },
}

export const bugs: readonly Bug[] = Object.entries(bugsOf).flatMap(([shop, ofShop]) =>
  Object.entries(ofShop).map(([name, [find, replace, drive = 'drive.yaml']]) => ({
    shop: shop as ShopName,
    name,
    find,
    replace,
    drive,
  })),
)
