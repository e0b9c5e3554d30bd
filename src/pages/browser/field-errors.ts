import { cardProblems, type TypedField } from '../checkout/form/card-checks.ts'

/** The input of a field, or undefined if it has none. */
export function inputOf(form: HTMLFormElement, field: TypedField): HTMLInputElement | undefined {
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
  const typed = (field: TypedField) => inputOf(form, field)?.value ?? ''
  return (field) => {
    const [number, expiry] = [typed('number'), typed('expiry')]
    const [securityCode, holder] = [typed('securityCode'), typed('holder')]
    return cardProblems({ number, expiry, securityCode, holder }, testNumbers, now())[field]
  }
}

/** Shows or clears the error of a field. */
export function showProblem(form: HTMLFormElement, field: TypedField, problem: string | undefined): void {
  const input = inputOf(form, field)
  const errorElement = document.getElementById(`${field}-error`)
  if (input === undefined || errorElement === null) return
  errorElement.textContent = problem ?? ''
  if (problem === undefined) input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
}
