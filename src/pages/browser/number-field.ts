import { findCardNetwork } from '../../contract/card-numbers.ts'
import {
  cardDigits,
  cardProblems,
  groupDigits,
  type TypedField,
  withSlash,
} from '../checkout/form/card-checks.ts'
import { networkName } from '../components/network-names.ts'

/** Groups the digits of a card number while they are typed, and shows its network. */
export function watchNumber(input: HTMLInputElement): void {
  const box = input.parentElement
  const networkLabel = box?.querySelector('[data-network-name]')
  const update = () => {
    group(input)
    const network = findCardNetwork(cardDigits(input.value))?.name
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
  const digits = cardDigits(input.value)
  const grouped = groupDigits(digits)
  if (!/^\d*$/.test(digits) || grouped === input.value) return
  const caret = input.selectionStart ?? input.value.length
  const atEnd = caret === input.value.length
  const before = cardDigits(input.value.slice(0, caret)).length
  input.value = grouped
  if (document.activeElement !== input) return
  const newCaret = atEnd ? grouped.length : indexAfter(grouped, before)
  input.setSelectionRange(newCaret, newCaret)
}

function indexAfter(grouped: string, digits: number): number {
  let index = 0
  for (let ahead = digits; ahead > 0 && index < grouped.length; index++) if (grouped[index] !== ' ') ahead--
  return index
}

/** Puts the slash into the expiry date while it is typed. */
export function watchExpiry(input: HTMLInputElement): void {
  input.addEventListener('input', () => {
    const value = withSlash(input.value)
    if (value !== input.value) input.value = value
  })
}

/** The input of a field, or undefined if it has none. */
export function fieldInput(form: HTMLFormElement, field: TypedField): HTMLInputElement | undefined {
  const input = form.elements.namedItem(field)
  return input instanceof HTMLInputElement ? input : undefined
}

/** The error of each field, in the service's words. */
export function problemFinder(form: HTMLFormElement): (field: TypedField) => string | undefined {
  const testNumbers = new Set(
    [...form.querySelectorAll<HTMLInputElement>('[data-number]')].map(({ dataset }) => dataset.number ?? ''),
  )
  const opened = Number(form.dataset.now)
  const started = performance.now()
  const now = () => opened + performance.now() - started
  const typed = (field: TypedField) => fieldInput(form, field)?.value ?? ''
  return (field) => {
    const [number, expiry] = [typed('number'), typed('expiry')]
    const [securityCode, holder] = [typed('securityCode'), typed('holder')]
    return cardProblems({ number, expiry, securityCode, holder }, testNumbers, now())[field]
  }
}

/** Shows or clears the error of a field. */
export function showProblem(form: HTMLFormElement, field: TypedField, problem: string | undefined): void {
  const input = fieldInput(form, field)
  const errorElement = document.getElementById(`${field}-error`)
  if (input === undefined || errorElement === null) return
  errorElement.textContent = problem ?? ''
  if (problem === undefined) input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
}
