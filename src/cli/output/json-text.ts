/** JSON as it is printed. assumption: foreign-text */

/**
 * Characters that act on a terminal and that JSON.stringify does not escape: C1 controls, and characters that reverse
 * or hide text.
 */
const active = /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu

const escaped = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')

/** A value as JSON with every control character escaped; its meaning is unchanged. `indent`: by default, one line. */
export const jsonText = (value: unknown, indent = 0): string =>
  `${JSON.stringify(value, null, indent).replace(active, escaped)}\n`
