import { networkOf } from '../../contract/card-numbers.ts'
import { digitsOf } from '../checkout/form/card-checks.ts'
import { groupDigits, withSlash } from '../checkout/form/card-digits.ts'
import { networkName } from '../components/network-names.ts'

/** Groups the digits of a card number while they are typed, and shows its network. */
export function watchNumber(input: HTMLInputElement): void {
  const box = input.parentElement
  const networkLabel = box?.querySelector('[data-network-name]')
  const update = () => {
    group(input)
    const network = networkOf(digitsOf(input.value))?.name
    for (const mark of box?.querySelectorAll<HTMLElement>('[data-network]') ?? [])
      mark.hidden = mark.dataset.network !== network
    const name = network === undefined ? '' : networkName(network)
    if (networkLabel && networkLabel.textContent !== name) networkLabel.textContent = name
  }
  input.addEventListener('input', update)
  update()
}

/** Groups digits and keeps the caret behind the same digit. Other characters are left for the check. */
function group(input: HTMLInputElement): void {
  const digits = digitsOf(input.value)
  const grouped = groupDigits(digits)
  if (!/^\d*$/.test(digits) || grouped === input.value) return
  const caret = input.selectionStart ?? input.value.length
  const atEnd = caret === input.value.length
  const before = digitsOf(input.value.slice(0, caret)).length
  input.value = grouped
  if (document.activeElement !== input) return
  const newCaret = atEnd ? grouped.length : indexAfter(grouped, before)
  input.setSelectionRange(newCaret, newCaret)
}

function indexAfter(grouped: string, digits: number): number {
  let index = 0
  for (let left = digits; left > 0 && index < grouped.length; index++) if (grouped[index] !== ' ') left--
  return index
}

/** Puts the slash into the expiry date while it is typed. */
export function watchExpiry(input: HTMLInputElement): void {
  input.addEventListener('input', () => {
    const value = withSlash(input.value)
    if (value !== input.value) input.value = value
  })
}
