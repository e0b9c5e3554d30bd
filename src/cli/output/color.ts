/** When colours are used. */
export const colorModes = ['auto', 'always', 'never'] as const
type ColorMode = (typeof colorModes)[number]

let mode: ColorMode = 'auto'

/** What `--color` says; auto without it. */
export const colorMode = (): ColorMode => mode

/** Sets what `--color` says. */
export function setColor(typed: ColorMode = 'auto'): void {
  mode = typed
}

let forPrograms = false

/** True where the answer is JSON, CSV, or nothing: no person reads along. */
export const isForPrograms = (): boolean => forPrograms

/** Sets whether a program reads the answer. */
export function setForPrograms(is: boolean): void {
  forPrograms = is
}
