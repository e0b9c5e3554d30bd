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
