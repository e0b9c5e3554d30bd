import { type TypedField, typedFields } from '../checkout/form/card-checks.ts'
import { timeLeftInWords, timeLeftOnClock } from '../checkout/time-left.ts'
import { fieldInput, problemFinder, showProblem, watchExpiry, watchNumber } from './number-field.ts'
import { reloadKept } from './on-page.ts'

/** Script of the payment page. Without it the page works too; the service checks everything again. */

const form = document.querySelector<HTMLFormElement>('.card-form')
const live = document.querySelector('[data-announce]')
const announce = (text: string): void => {
  if (live !== null) live.textContent = text
}

reloadKept()

/** Moments at which the time left is read out; in between it is only shown. */
const readOutAt = [5 * 60_000, 60_000]
const timeLeft = document.querySelector<HTMLElement>('[data-time-left]')
if (timeLeft !== null) countDown(timeLeft)
if (form !== null) watch(form)

const cancel = document.querySelector<HTMLFormElement>('.cancel-form')
if (cancel !== null) sendReachably(cancel, busyButton(cancel))
const wallets = document.querySelector<HTMLFormElement>('.wallet-form')
if (wallets !== null) sendReachably(wallets, () => undefined) // a button that is disabled would not send its wallet

/**
 * Sends a form once the sandbox answered. A browser that cannot reach it would show a page of its own, and
 * forget what was typed. `send`: what happens when it goes.
 */
function sendReachably(form: HTMLFormElement, setBusy: (isBusy: boolean) => void): void {
  let state: 'idle' | 'asking' | 'reached' | 'sent' = 'idle'
  form.addEventListener('submit', async (event) => {
    if (event.defaultPrevented) return
    if (state === 'reached') {
      state = 'sent'
      return
    }
    event.preventDefault()
    if (state !== 'idle') return
    state = 'asking'
    setBusy(true)
    const isReached = await answers()
    const notice = document.querySelector<HTMLElement>('[data-dead]')
    if (notice !== null) notice.hidden = isReached
    state = isReached ? 'reached' : 'idle'
    setBusy(isReached)
    if (isReached) form.requestSubmit(event.submitter)
  })
}

/** A small file of the sandbox, at its own address. */
const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? location.href

const answers = (): Promise<boolean> =>
  fetch(icon, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  )

/** Disables a form's button while the form is on its way. */
function busyButton(form: HTMLFormElement): (isBusy: boolean) => void {
  const button = form.querySelector<HTMLButtonElement>('button[type=submit]')
  const label = button?.querySelector('.button-label')
  const usual = label?.textContent ?? ''
  return (isBusy) => {
    if (!button || !label) return
    button.disabled = isBusy
    button.toggleAttribute('data-busy', isBusy)
    label.textContent = isBusy ? (button.dataset.busyLabel ?? usual) : usual
  }
}

function watch(form: HTMLFormElement): void {
  const findProblem = problemFinder(form)
  const startSending = busyButton(form)
  const typed = form.querySelector<HTMLFieldSetElement>('.typed')
  const isTyped = () => new FormData(form).get('choice') === 'typed'
  /** Fields of a typed card are only sent when that choice is selected. */
  const follow = () => {
    if (typed !== null) typed.disabled = !isTyped()
  }

  for (const field of typedFields) {
    const input = fieldInput(form, field)
    input?.addEventListener('blur', () => check(field, input))
    input?.addEventListener('input', () => amend(field, input))
  }
  const [number, expiry] = [fieldInput(form, 'number'), fieldInput(form, 'expiry')]
  if (number !== undefined) watchNumber(number)
  if (expiry !== undefined) watchExpiry(expiry)
  form.addEventListener('change', follow)
  window.addEventListener('pageshow', follow)
  follow()
  const wrong = ['.card-form [aria-invalid=true]', 'main [role=alert]']
    .map((selector) => document.querySelector<HTMLElement>(selector))
    .find((element) => element !== null)
  if (wrong?.matches('[role=alert]')) wrong.tabIndex = -1
  wrong?.focus()

  form.addEventListener('submit', (event) => {
    follow()
    const problems = isTyped() ? typedFields.filter((field) => findProblem(field) !== undefined) : []
    for (const field of typedFields) showProblem(form, field, isTyped() ? findProblem(field) : undefined)
    const first = problems[0]
    if (first === undefined) return
    event.preventDefault()
    announce(problems.length === 1 ? 'One thing to correct' : `${problems.length} things to correct`)
    fieldInput(form, first)?.focus()
  })

  sendReachably(form, startSending)

  /** Leaving a field: an empty one is not wrong before it is sent. */
  function check(field: TypedField, input: HTMLInputElement): void {
    if (input.value.trim() === '' && !input.hasAttribute('aria-invalid')) return
    const problem = findProblem(field)
    showProblem(form, field, problem)
    if (problem !== undefined) announce(problem)
  }

  /** While a wrong field is corrected, its error goes as soon as it is right; new ones do not appear. */
  function amend(field: TypedField, input: HTMLInputElement): void {
    if (input.hasAttribute('aria-invalid') && findProblem(field) === undefined)
      showProblem(form, field, undefined)
  }
}

/** Counts down to the expiry of the payment, then loads its state from the service. */
function countDown(element: HTMLElement): void {
  const clock = element.querySelector('[data-clock]')
  const total = Number(element.dataset.timeLeft)
  if (clock === null || !Number.isFinite(total)) return
  const started = performance.now()
  let before = total
  const show = (remainingMs: number) => {
    clock.textContent = timeLeftOnClock(remainingMs)
    if (readOutAt.some((moment) => before > moment && remainingMs <= moment))
      announce(`${timeLeftInWords(remainingMs + 1000)} left to pay`)
    before = remainingMs
  }
  const timer = setInterval(() => {
    const remainingMs = total - (performance.now() - started)
    if (remainingMs > 0) return show(remainingMs)
    clearInterval(timer)
    location.replace(location.pathname.replace(/\/pay$/, '')) // a form's answer cannot be loaded again
  }, 1000)
  show(total)
}
