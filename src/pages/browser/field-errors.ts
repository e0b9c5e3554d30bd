import { networkOf } from '../../contract/card-numbers.ts'
import {
  digitsOf,
  expiryProblem,
  holderProblem,
  numberProblem,
  securityCodeProblem,
} from '../checkout/form/card-checks.ts'
import type { CheckoutField } from '../checkout/form/checkout-view.ts'

/** A field of the form that is typed into. */
export type TypedField = Exclude<CheckoutField, 'choice'>

/** The fields that are typed into, in the order they are read. */
export const typedFields: readonly TypedField[] = ['number', 'expiry', 'securityCode', 'holder']

/** The input of a field, or undefined where there is none. */
export function inputOf(form: HTMLFormElement, field: TypedField): HTMLInputElement | undefined {
  const input = form.elements.namedItem(field)
  return input instanceof HTMLInputElement ? input : undefined
}

/** What is wrong with each field, in the words that the service has for it. */
export function problemFinder(form: HTMLFormElement): (field: TypedField) => string | undefined {
  const testNumbers = new Set(
    [...form.querySelectorAll<HTMLInputElement>('[data-number]')].map(({ dataset }) => dataset.number ?? ''),
  )
  const opened = Number(form.dataset.now)
  const started = performance.now()
  const now = () => opened + performance.now() - started
  const typedIn = (field: TypedField) => inputOf(form, field)?.value ?? ''
  const checks: Readonly<Record<TypedField, () => string | undefined>> = {
    number: () => numberProblem(typedIn('number'), testNumbers),
    expiry: () => expiryProblem(typedIn('expiry'), now()),
    securityCode: () => securityCodeProblem(typedIn('securityCode'), networkOf(digitsOf(typedIn('number')))),
    holder: () => holderProblem(typedIn('holder')),
  }
  return (field) => checks[field]()
}

/** Puts what is wrong next to the field, or takes it away. */
export function showProblem(form: HTMLFormElement, field: TypedField, problem: string | undefined): void {
  const input = inputOf(form, field)
  const place = document.getElementById(`${field}-error`)
  if (input === undefined || place === null) return
  place.textContent = problem ?? ''
  if (problem === undefined) input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
}
