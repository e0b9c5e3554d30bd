import { formatAmount } from '../../../contract/currencies.ts'
import { moveFocus, type PadKey } from './keys.ts'

/** The form in which the sale is typed, while the screen has one. */
export const saleIn = (part: ParentNode): HTMLFormElement | null => part.querySelector('form.sale')

/** A key where a sale is typed. The red one clears, arrows move through the soft keys. */
export function pressOnSale(form: HTMLFormElement, key: PadKey, announce: (text: string) => void): boolean {
  const { amount, currency } = saleFields(form)
  if (key === 'up' || key === 'down')
    return moveFocus(form.querySelectorAll('select, [type=checkbox], button'), key)
  if (key === 'enter') {
    if (amount.value === '') return false
    form.requestSubmit()
    return true
  }
  if (key === 'cancel') amount.value = ''
  else pressOnAmount(amount, key, currency.value)
  announce(amount.value === '' ? 'No amount' : `${amount.value} ${currency.value}`)
  return true
}

/** Writes the typed digits in the currency that was chosen. */
export function followCurrency(form: HTMLFormElement): void {
  const { amount, currency } = saleFields(form)
  amount.placeholder = formatAmount(0, currency.value)
  amount.value = fieldValue(digitsIn(amount), currency.value)
}

function saleFields(form: HTMLFormElement) {
  const fieldNamed = (name: string) => form.elements.namedItem(name) as HTMLInputElement
  return { amount: fieldNamed('amount'), currency: fieldNamed('currency') }
}

/** Makes the second form as the first one is. */
export function keepSale(from: HTMLFormElement, to: HTMLFormElement): void {
  for (const [index, field] of [...from.elements].entries()) {
    const { value, checked } = field as HTMLInputElement
    Object.assign(to.elements[index] ?? {}, { value, checked })
  }
  followCurrency(to)
}

/** A key on the tip screen: digits enter an amount, as on a till; arrows move through the choices. */
export function pressOnTip(screen: HTMLElement, key: PadKey): boolean {
  const tip = screen.querySelector<HTMLInputElement>('[data-own]')
  if (tip === null) return false
  if (key === 'up' || key === 'down') return moveFocus(screen.querySelectorAll('.tip-choice'), key)
  if (key === 'enter') {
    if (tip.value === '') return false
    tip.form?.querySelector('button')?.click()
    return true
  }
  return pressOnAmount(tip, key, tip.form?.querySelector<HTMLInputElement>('[name=currency]')?.value ?? '')
}

/** Digits fill an amount from the right, as on a till. False for any other key than a digit and `clear`. */
function pressOnAmount(field: HTMLInputElement, key: PadKey, currency: string): boolean {
  const digits = digitsIn(field)
  if (key === 'clear') field.value = fieldValue(digits.slice(0, -1), currency)
  else if (!/^\d$/.test(key)) return false
  else if (digits.length < mostDigits) field.value = fieldValue(digits + key, currency)
  return true
}

/** Digits of the largest amount. */
const mostDigits = 13

const digitsIn = ({ value }: HTMLInputElement): string => value.replace(/\D/g, '').replace(/^0+/, '')

const fieldValue = (digits: string, currency: string): string =>
  digits === '' ? '' : formatAmount(Number(digits), currency)
