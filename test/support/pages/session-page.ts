import { expect } from 'vitest'
import { plainLedgersOf } from '../service/service.ts'
import { fetchPlain, openShop, type Shop } from './shop-front.ts'

/** Fields that pay. */
export const chosenCardFields = { choice: 'visa-contactless' }
export const typedCardFields = {
  choice: 'typed',
  number: '4111111111111111',
  expiry: '12/99',
  securityCode: '123',
  holder: '',
}

/** A shop, a session in it, and requests to its page. */
export async function openPage(members = {}, headers = {}) {
  const shop = await openShop()
  const session = await shop.open(members, headers)
  const post = (
    step: 'pay' | 'cancel',
    body: Readonly<Record<string, string>> | string = chosenCardFields,
    more = {},
  ) =>
    fetchPlain(`${session.checkoutUrl}/${step}`, { method: 'POST', body, headers: { ...formType, ...more } })
  return { shop, ...session, post, show: () => fetchPlain(session.checkoutUrl) }
}

/** Headers of a form that a page of the sandbox sends. */
export const formType = {
  'Content-Type': 'application/x-www-form-urlencoded',
  'Sec-Fetch-Site': 'same-origin',
}

/** Does something that must be refused and change nothing. */
export async function unchanged<T>({ sandbox }: Pick<Shop, 'sandbox'>, action: () => Promise<T>): Promise<T> {
  const before = plainLedgersOf(sandbox())
  const result = await action()
  expect(plainLedgersOf(sandbox())).toEqual(before)
  return result
}
