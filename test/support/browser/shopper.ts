import type { Page } from 'playwright-core'
import { openShop } from '../pages/shop-front.ts'
import { openWindowAt, type WindowOptions } from './browser.ts'

/** What shoppers do on the hosted payment page, and what they see. */

/** A session of a new shop, and a window at its page. */
export async function openCheckout(members: object = {}, options: Omit<WindowOptions, 'origin'> = {}) {
  const shop = await openShop()
  const session = await shop.open(members)
  return { shop, ...session, ...(await openWindowAt(session.checkoutUrl, options)) }
}

/** Waits until the page says so in its heading. */
export const sees = (page: Page, heading: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name: heading }).waitFor()

/** Waits until the page can be paid on. */
export const seesForm = (page: Page): Promise<void> => payButton(page).waitFor()

export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay / })

/** Chooses a test card by its name in the fixtures; the fold it lies in is opened first. */
export async function chooseTestCard(page: Page, card: string): Promise<void> {
  const tile = page.locator(`input[name=choice][value=${card}]`)
  const fold = page.locator('details', { has: tile })
  if ((await fold.count()) > 0 && (await fold.getAttribute('open')) === null)
    await fold.locator('summary').click()
  await tile.check()
}

/** Chooses a test card and pays. */
export async function payWith(page: Page, card: string): Promise<void> {
  await chooseTestCard(page, card)
  await payButton(page).click()
}

/** The card that is typed by hand; what is left out here is good. */
export interface TypedCard {
  readonly number?: string
  readonly expiry?: string
  readonly securityCode?: string
  readonly holder?: string
}

export const goodCard = { number: '4111111111111111', expiry: '12/99', securityCode: '123', holder: '' }

/** Types a card: the fields that are given key by key as a person does, the others at once. */
export async function typeCard(page: Page, card: TypedCard = {}): Promise<void> {
  await pasteCard(page, Object.fromEntries(Object.keys(card).map((field) => [field, ''])))
  for (const [field, text] of Object.entries(card)) await page.locator(`#${field}`).pressSequentially(text)
}

/** Fills in a card, each field at once. */
export async function pasteCard(page: Page, card: TypedCard = {}): Promise<void> {
  await chooseTestCard(page, 'typed')
  for (const [field, text] of Object.entries({ ...goodCard, ...card }))
    await page.locator(`#${field}`).fill(text)
}

/** What the page says is wrong with a field. */
export const fieldError = (page: Page, field: string) => page.locator(`#${field}-error`)

/** Name of the field or button that has the focus. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement
    return element?.id || element?.textContent?.trim() || element?.tagName || ''
  })
