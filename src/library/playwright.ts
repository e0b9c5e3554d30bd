import {
  test as base,
  expect as baseExpect,
  type Expect,
  type Locator,
  type MatcherReturnType,
  type Page,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test'
import {
  createSandbox,
  type TestCheckout,
  type TestSandbox,
  type TestWebhooks,
  WaitFailed,
  type WaitOptions,
} from './index.ts'

export * from './index.ts'

type CardName = NonNullable<Parameters<TestCheckout['pay']>[0]>
type Delivery = Awaited<ReturnType<TestWebhooks['waitFor']>>

/** The hosted payment page, in the window that shows it. Each act is a step of the report. */
export class CheckoutPage {
  constructor(readonly page: Page) {}

  /** Pays with a test card, by its name, and sees that it was approved. */
  async pay(card: CardName = 'visa-contactless'): Promise<void> {
    await step(`pay with ${card}`, async () => {
      await this.#payWith(card)
      const paid = 'Payment received'
      const said = this.#heading(paid).or(this.#declined)
      await baseExpect(said).toBeVisible()
      baseExpect(await said.textContent()).toBe(paid)
    })
  }

  /** Pays with a test card, and sees that it was declined. The third time, the payment has failed. */
  async decline(card: CardName = 'visa-declined'): Promise<void> {
    await step(`pay with ${card}, which is declined`, async () => {
      await this.#payWith(card)
      await baseExpect(this.#declined).toBeVisible()
    })
  }

  /** Cancels the payment. */
  async cancel(): Promise<void> {
    await step('cancel the payment', async () => {
      await this.#press('Cancel payment')
      await baseExpect(this.#heading('Payment cancelled')).toBeVisible()
    })
  }

  /** Goes back to the shop, as the page does by itself after a while. */
  async leave(): Promise<void> {
    await this.page.getByRole('link', { name: /^Return to / }).click()
  }

  async #payWith(card: CardName): Promise<void> {
    const tile = this.page.locator(`input[name=choice][value="${card}"]`)
    const fold = this.page.locator('details:not([open])', { has: tile })
    if ((await fold.count()) > 0) await fold.locator('summary').click()
    await tile.check()
    await this.#press(/^Pay /)
  }

  async #press(name: string | RegExp): Promise<void> {
    const button = this.page.getByRole('button', { name })
    await Promise.all([this.page.waitForEvent('framenavigated'), button.click()])
  }

  get #declined(): Locator {
    const again = this.page.getByRole('alert').getByText(/^Declined: /)
    return again.or(this.#heading('Payment declined'))
  }

  #heading(name: string): Locator {
    return this.page.getByRole('heading', { level: 1, name })
  }
}

/** Its error points at the line of the test. */
const step = (title: string, act: () => Promise<void>): Promise<void> => base.step(title, act, { box: true })

/** What each test is given. */
export interface SandboxFixtures {
  /** The sandbox of the worker, as new, also for a test that does not ask for it. */
  readonly sandbox: TestSandbox
  readonly checkoutPage: CheckoutPage
}

/** What each worker has. */
export interface SandboxWorkerFixtures {
  /** Options of its sandbox, of the config or of `test.use`: those of `createSandbox`. */
  readonly sandboxOptions: NonNullable<Parameters<typeof createSandbox>[0]>
  /** The sandbox, for fixtures that last as long as the worker, such as your server. */
  readonly workerSandbox: TestSandbox
}

/** A `test` of Playwright with a sandbox for each worker. */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & SandboxFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & SandboxWorkerFixtures
> = base.extend<SandboxFixtures, SandboxWorkerFixtures>({
  sandboxOptions: [{}, { option: true, scope: 'worker' }],
  workerSandbox: [
    async ({ sandboxOptions }, use) => {
      const sandbox = await createSandbox(sandboxOptions)
      await use(sandbox)
      await sandbox.close()
    },
    { scope: 'worker' },
  ],
  sandbox: [
    async ({ workerSandbox }, use) => {
      await workerSandbox.reset({ everything: true })
      await use(workerSandbox)
    },
    { auto: true },
  ],
  checkoutPage: async ({ page }, use) => use(new CheckoutPage(page)),
})

/** Waits until a webhook with these members was acknowledged; with `not`, until all were and none has them */
async function toHaveDelivered(
  this: { readonly isNot: boolean },
  { webhooks }: TestSandbox,
  members: Partial<Delivery>,
  options?: WaitOptions,
): Promise<MatcherReturnType> {
  const fits = (delivery: Delivery) =>
    Object.entries(members).every(([name, value]) => delivery[name as keyof Delivery] === value)
  const wanted = JSON.stringify(members)
  if (this.isNot) {
    await webhooks.delivered(options)
    const found = (await webhooks.list({ state: 'delivered' })).find(fits)
    return { pass: found !== undefined, message: () => `${wanted} was delivered: ${JSON.stringify(found)}` }
  }
  try {
    await webhooks.waitFor(fits, options)
    return { pass: true, message: () => '' }
  } catch (error) {
    if (!(error instanceof WaitFailed)) throw error
    return { pass: false, message: () => `${wanted}: ${error.message}` }
  }
}

/** Playwright's `expect` with more: `await expect(sandbox).toHaveDelivered({ transactionStatus: 'S' })`. */
export const expect: Expect<{ toHaveDelivered: typeof toHaveDelivered }> = baseExpect.extend({
  toHaveDelivered,
})
