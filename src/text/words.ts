/** `1 transaction`, `2 transactions`. */
export const counted = (count: number, what: string, several = `${what}s`): string =>
  `${count} ${count === 1 ? what : several}`

/** The text with a capital at its beginning. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
