/** `1 transaction`, `2 transactions`. */
export const counted = (count: number, what: string, several = `${what}s`): string =>
  `${count} ${count === 1 ? what : several}`

/** The texts as sentences, each with its full stop. */
export const sentences = (...texts: readonly (string | false | undefined)[]): string =>
  texts
    .filter((text) => text)
    .map((text) => `${text}`.replace(/(?<![.?!])$/, '.'))
    .join(' ')

/** A name in camel case as words: `batch status` for `batchStatus`. */
export const memberInWords = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** `a`, `a or b`, `a, b or c`. */
export const joined = (texts: readonly string[], word: 'and' | 'or'): string =>
  [texts.slice(0, -1).join(', '), texts.at(-1)].filter(Boolean).join(` ${word} `)

/** The text with a capital at its beginning. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
