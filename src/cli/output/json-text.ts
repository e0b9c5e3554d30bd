/** JSON as it is printed. assumption: foreign-text */

/** What does something in a terminal and what JSON.stringify leaves as it is: C1 controls, and what turns or hides text. */
const active = /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu

const escaped = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')

/** A value as JSON in which every control is escaped: the value stays the same. `indent`: left out, one line. */
export const jsonText = (value: unknown, indent = 0): string =>
  `${JSON.stringify(value, null, indent).replace(active, escaped)}\n`
