import { afterEach, beforeEach } from 'node:test'
import { useSandbox } from 'tillbox/node-test'
import { openShop } from './server.js'

/** A new shop beside a new sandbox for each test, and what tests do with them. */
export function useShop() {
  const sandbox = useSandbox({ retries: [50, 100] })
  const shops = []
  let count = 0

  /** Opens a shop; those of the same orders are one that was restarted. */
  async function open({ apiKeys = [sandbox.apiKey], timeout, ...more } = {}) {
    const { url, appId, merchantId, terminalSn, webhookSecret } = sandbox
    const service = { url, apiKeys, appId, merchantId, terminalSn, timeout }
    const shop = await openShop({ service, webhookSecret, ...more })
    shops.unshift(shop)
    return shop
  }
  beforeEach(() => open())
  afterEach(async () => {
    for (const shop of shops.splice(0)) await shop.close()
  })

  /** Asks the shop that was opened last. */
  async function ask(method, path, members) {
    const answer = await fetch(`${shops[0].url}${path}`, {
      method,
      body: members && JSON.stringify(members),
    })
    return { status: answer.status, ...(await answer.json()) }
  }
  const post = (path, members) => ask('POST', path, members)

  /** Begins an order at a path, such as `/orders`. */
  async function begin(path, members) {
    count += 1
    const id = `ORDER-${count}`
    return { ...(await ask('PUT', `${path}/${id}`, members)), id }
  }

  /** Where an order stands once its last transaction has ended, and all that was sent has arrived. */
  async function ended(id, status = 'approved') {
    await sandbox.payments.waitFor(id, status)
    await sandbox.webhooks.delivered()
    return ask('GET', `/orders/${id}`)
  }

  /** Sells something that is paid. Returns the id of the order. */
  async function paid(amount, more) {
    const { id } = await begin('/orders', { amount, ...more })
    await ended(id)
    return id
  }

  /** The page of a session, as its customer uses it. */
  const pageAt = (checkoutUrl) => sandbox.checkout(checkoutUrl.split('/').at(-1))

  /** Replaces a secret of the application, through the control interface of the sandbox. */
  async function replace(path, members) {
    const headers = { 'Content-Type': 'application/json' }
    const url = `${sandbox.url}/_sandbox${path}`
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(members) })
    return (await answer.json()).data
  }

  return { sandbox, shops, open, ask, post, begin, ended, paid, pageAt, replace }
}
