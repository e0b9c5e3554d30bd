/** Moves the focus to the next or the one before of some buttons, round and round. False where there is none. */
export function moveFocus(buttons: Iterable<HTMLElement>, way: 'up' | 'down'): boolean {
  const seen = [...buttons].filter((button) => button.checkVisibility())
  if (seen.length === 0) return false
  const at = seen.indexOf(document.activeElement as HTMLElement)
  const next = at < 0 ? (way === 'down' ? 0 : -1) : (at + (way === 'down' ? 1 : -1)) % seen.length
  seen.at(next)?.focus()
  return true
}
