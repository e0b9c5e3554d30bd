import { moveFocus, type PadKey } from './keys.ts'

/** A key on the tip screen: digits enter an amount, as on a till; arrows move through the choices. */
export function pressOnTip(screen: HTMLElement, key: PadKey): boolean {
  const own = screen.querySelector<HTMLInputElement>('[data-own]')
  if (own === null) return false
  if (key === 'up' || key === 'down') return moveFocus(screen.querySelectorAll('.tip-choice'), key)
  if (key === 'enter') {
    if (own.value === '') return false
    own.form?.querySelector('button')?.click()
    return true
  }
  const decimals = own.placeholder.split('.')[1]?.length ?? 0
  const digits = own.value.replace(/\D/g, '').replace(/^0+/, '')
  const next =
    key === 'clear' ? digits.slice(0, -1) : /^\d$/.test(key) ? (digits + key).slice(0, 9) : undefined
  if (next === undefined) return false
  own.value = next === '' ? '' : inMajorUnits(next, decimals)
  return true
}

function inMajorUnits(digits: string, decimals: number): string {
  const long = digits.padStart(decimals + 1, '0')
  return decimals === 0 ? String(Number(long)) : `${long.slice(0, -decimals)}.${long.slice(-decimals)}`
}
