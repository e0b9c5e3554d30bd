import { timeLeftInWords, timeLeftOnClock } from '../checkout/time-left.ts'

/** Moments at which the time left is read out; in between it is only shown. */
const readOutAt = [5 * 60_000, 60_000]

/** Counts down to the expiry of the payment, then loads its state from the service. */
export function countDown(element: HTMLElement, announce: (text: string) => void): void {
  const clock = element.querySelector('[data-clock]')
  const total = Number(element.dataset.timeLeft)
  if (clock === null || !Number.isFinite(total)) return
  const started = performance.now()
  let before = total
  const show = (left: number) => {
    clock.textContent = timeLeftOnClock(left)
    if (readOutAt.some((moment) => before > moment && left <= moment))
      announce(`${timeLeftInWords(left + 1000)} left to pay`)
    before = left
  }
  const timer = setInterval(() => {
    const left = total - (performance.now() - started)
    if (left > 0) return show(left)
    clearInterval(timer)
    location.replace(location.pathname.replace(/\/pay$/, '')) // a form's answer cannot be loaded again
  }, 1000)
  show(total)
}
