import { expect, test } from 'vitest'
import { resultTime } from '../../../src/contract/control/screens.ts'
import { inBrowser, phone } from '../../support/browser/browser.ts'
import {
  displays,
  present,
  pressCancel,
  pressKeys,
  showsScreen,
  standAt,
} from '../../support/browser/cashier.ts'
import { tipConfig } from '../../support/pages/terminal-page.ts'

const signatureConfig = { useHostConfig: false, entryLocation: 'ON_SCREEN' }

inBrowser('a person at the terminal', () => {
  test('a person taps a card, and sees the receipt, which stays while the next payment is taken', async () => {
    const { page, terminalPage } = await standAt()
    await showsScreen(page, 'idle')
    const id = await terminalPage.sell(4250)
    await present(page, 'visa-contactless', 'tap')
    await displays(page, 'Approved')
    await page.locator('.copy-of-customer').getByText('42.50').waitFor()
    await page.getByText('Merchant copy', { exact: true }).first().click()
    await page.locator('.copy-of-merchant').getByText(id).waitFor()
    expect(await page.locator('.copy-of-customer').isVisible()).toBe(false)
    expect(await terminalPage.story(id)).toContain('approved')
    await terminalPage.sell(900)
    await displays(page, 'Present card')
    await page.locator('.copy-of-merchant').getByText(id).waitFor()
    await page.emulateMedia({ media: 'print' }) // both copies, and nothing else
    for (const copy of ['customer', 'merchant']) await page.locator(`.copy-of-${copy}`).waitFor()
    expect(await page.locator('.device').isVisible()).toBe(false)
  })

  test('a person types PINs, of which only right or wrong is sent, and above the limit inserts the card first', async () => {
    const { page, terminalPage, requests } = await standAt()
    const wrong = await terminalPage.sell()
    await present(page, 'visa-chip-pin', 'insert')
    for (const next of ['2 tries left', 'This is the last try', '(075)']) {
      await showsScreen(page, 'pin')
      await pressKeys(page, '4', '3', '2', '1', 'enter')
      await page.locator('[data-screen]').getByText(next).waitFor()
    }
    await displays(page, 'Declined')
    expect(await terminalPage.story(wrong)).not.toContain('host-asked')
    const right = await terminalPage.sell(25_001)
    await present(page, 'visa-contactless', 'tap')
    await displays(page, 'Insert the card')
    expect(await page.locator('button[value$=" tap"]').count()).toBe(0)
    await present(page, 'visa-contactless', 'insert')
    await showsScreen(page, 'pin')
    await pressKeys(page, '1', '2', '3', 'enter')
    await page.getByText('A PIN has 4 to 6 digits; 3 typed').waitFor({ state: 'attached' })
    await pressKeys(page, '9', 'clear', '4', 'enter')
    await displays(page, 'Approved')
    expect((await terminalPage.control('GET', `transactions/${right}`)).record.entryMode).toBe('CONTACT')
    const sent = requests.filter((request) => request.url().endsWith('/pin'))
    expect(sent.map((request) => request.postData())).toEqual([
      ...Array.from({ length: 3 }, () => `transactionId=${wrong}&correct=false`),
      `transactionId=${right}&correct=true`,
    ])
  })

  test('a person chooses a tip: one that is offered, none, or an own one by the keys or typed', async () => {
    const { page, terminalPage } = await standAt()
    const ways: readonly [number, () => Promise<unknown>][] = [
      [180, () => page.getByRole('button', { name: /^18 %/ }).click()],
      [0, () => page.getByRole('button', { name: 'No tip' }).click()],
      [275, () => pressKeys(page, '2', '7', '9', 'clear', '5', 'enter')],
      [
        350,
        async () => {
          await page.getByLabel('Other amount').fill('3,50')
          await page.keyboard.press('Enter')
        },
      ],
    ]
    for (const [tipAmount, choose] of ways) {
      const id = await terminalPage.sell(1000, { tipConfig })
      await present(page, 'amex-chip', 'insert')
      await showsScreen(page, 'tip')
      await choose()
      await displays(page, 'Approved')
      expect((await terminalPage.control('GET', `transactions/${id}`)).record.tipAmount ?? 0).toBe(tipAmount)
    }
  })

  test('a refused custom tip moves nothing, so a second click at the same place does the same', async () => {
    const { page, terminalPage } = await standAt({ reducedMotion: 'reduce' })
    const id = await terminalPage.sell(1000, { tipConfig })
    await present(page, 'amex-chip', 'insert')
    await showsScreen(page, 'tip')
    await page.getByLabel('Other amount in USD').fill('10.555')
    const add = page.getByRole('button', { name: 'Add' })
    await add.click({ trial: true }) // once the screen stands still
    const { x = 0, y = 0 } = (await add.boundingBox()) ?? {}
    const refused = () => page.waitForResponse((response) => response.url().endsWith('/tip'))
    for (let times = 0; times < 2; times++) {
      const answered = refused()
      await page.mouse.click(x + 10, y + 10)
      expect((await answered).status()).toBe(200) // the console keeps quiet: the page says it
      await page.getByRole('alert').getByText('too many decimals').waitFor()
    }
    expect(await add.boundingBox()).toMatchObject({ x, y })
    await page.getByRole('button', { name: 'Close this message' }).click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await showsScreen(page, 'tip')
    expect(await terminalPage.story(id)).not.toContain('tip-chosen')
  })

  test('a person signs with the pointer, and nothing of the drawing is sent', async () => {
    const { page, terminalPage, requests } = await standAt({ expected: [/getImageData/] })
    const id = await terminalPage.sell(1000, { signatureConfig })
    await present(page, 'visa-contactless', 'tap')
    await showsScreen(page, 'signature')
    const { x = 0, y = 0 } = (await page.locator('canvas').boundingBox()) ?? {}
    const inked = () =>
      page.locator('canvas').evaluate((canvas: HTMLCanvasElement) =>
        canvas
          .getContext('2d')
          ?.getImageData(0, 0, canvas.width, canvas.height)
          .data.some((value) => value > 0),
      )
    const draw = async () => {
      await page.mouse.move(x + 40, y + 60)
      await page.mouse.down()
      await page.mouse.move(x + 160, y + 30, { steps: 5 })
      await page.mouse.up()
    }
    await draw()
    expect(await inked()).toBe(true)
    await page.getByRole('button', { name: 'Wipe' }).click()
    expect(await inked()).toBe(false)
    await draw()
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await displays(page, 'Approved')
    expect((await terminalPage.story(id)).slice(-2)).toEqual(['signed', 'approved'])
    const posted = requests
      .filter((request) => request.url().endsWith('/sign'))
      .map((request) => request.postData())
    expect(posted).toEqual([`transactionId=${id}`])
  })

  test('a person chooses the outcome of the next card alone, switches the terminal off and on, and makes it automatic', async () => {
    const { page, terminalPage } = await standAt()
    await page.getByLabel('Next outcome').selectOption('lost-card')
    const id = await terminalPage.sell()
    await present(page, 'visa-contactless', 'tap')
    await page.locator('[data-screen=result]').getByText('Lost card').waitFor()
    expect(await terminalPage.control('GET', `transactions/${id}`)).toMatchObject({ rule: 'person' })
    expect(await page.getByLabel('Next outcome').inputValue()).toBe('')
    await terminalPage.sell()
    await present(page, 'visa-contactless', 'tap')
    await displays(page, 'Approved')
    await terminalPage.advance(resultTime)
    const online = page.getByRole('switch', { name: 'Online' })
    await online.click()
    await displays(page, 'No connection')
    await terminalPage.sell()
    await page.getByText('1 in line').waitFor()
    expect(await online.getAttribute('aria-checked')).toBe('false')
    await online.click()
    await showsScreen(page, 'present-card')
    await page.getByRole('switch', { name: 'Attended' }).click()
    await displays(page, 'Approved')
    await page.getByLabel('Next outcome').waitFor({ state: 'hidden' }) // nobody presents a card there
  })

  test('a person types a sale on the keys, in a currency with other decimals, and asks for a tip', async () => {
    const { page, terminalPage } = await standAt()
    const amount = page.getByLabel('Amount', { exact: true })
    const types = async (steps: readonly (readonly [string, string])[]) => {
      for (const [key, shown] of steps) {
        await pressKeys(page, key)
        expect(await amount.inputValue()).toBe(shown)
      }
    }
    await types([
      ['1', '0.01'],
      ['2', '0.12'],
      ['5', '1.25'],
      ['0', '12.50'],
      ['clear', '1.25'],
    ])
    await pressCancel(page)
    expect(await amount.inputValue()).toBe('')
    await types([
      ['1', '0.01'],
      ['2', '0.12'],
    ])
    await page.getByLabel('Currency').selectOption('KWD')
    expect(await amount.inputValue()).toBe('0.012')
    await page.keyboard.press('5') // the focus is on the currency
    await page.getByLabel('Ask for tip').check()
    await pressKeys(page, 'enter')
    await showsScreen(page, 'present-card')
    await present(page, 'amex-chip', 'insert')
    await showsScreen(page, 'tip')
    expect((await terminalPage.screen()).transaction).toMatchObject({
      currency: 'KWD',
      transactionAmount: 125,
    })
  })

  test('the next sale is typed over a result, which may end meanwhile, and a refusal keeps what was typed', async () => {
    const { page, terminalPage } = await standAt({ expected: [/sell: Failed .* status of/, /htmx:/] })
    await terminalPage.sell()
    await present(page, 'visa-contactless', 'tap')
    await displays(page, 'Approved')
    await page.getByRole('link', { name: 'Show the payment' }).waitFor()
    const amount = page.getByLabel('Amount', { exact: true })
    expect(await amount.isVisible()).toBe(false)
    await page.keyboard.type('700')
    expect(await amount.inputValue()).toBe('7.00')
    await terminalPage.advance(resultTime)
    await showsScreen(page, 'idle')
    expect(await amount.inputValue()).toBe('7.00')
    for (let more = 0; more < 10; more++) await pressKeys(page, '9')
    await pressKeys(page, 'enter')
    await page.getByRole('alert').waitFor()
    expect(await amount.inputValue()).toBe('70099999999.99')
  })

  test('the device alone fills a phone, and the device stays where it is when a payment arrives', async () => {
    const { page, terminalPage } = await standAt({ viewport: phone })
    const keysBox = () => page.locator('.key-enter').boundingBox()
    await page.locator('.card-hint').waitFor()
    const before = await keysBox()
    await terminalPage.sell()
    await page.locator('.card-choice').first().waitFor()
    expect(await keysBox()).toEqual(before)
    await page.goto(`${terminalPage.page}?view=device`)
    expect(await page.locator('.masthead, .terminal-settings:visible').count()).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(844)
    await present(page, 'visa-contactless', 'tap')
    await displays(page, 'Approved')
  })
})
