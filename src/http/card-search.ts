import { hasCheckDigit } from '../contract/card-numbers.ts'

/**
 * The search for card numbers in a text, in one pass: only the last five runs of digits are kept, so the time is linear
 * in the length of the text. assumption: card-data
 */

/** First digits of the card networks; the service's own ids begin with none of them. */
const networks = /^(4|5[0-8]|2[2-7]|3[0-9]|6[0-9])/

/** Lengths of a card number in one run. */
const [shortest, longest] = [13, 19]

/** Group lengths of printed card numbers: an octal digit for each group. */
const printed = [0o464, 0o465, 0o4444, 0o44441, 0o44442, 0o44443].map((lengths) => {
  const groups = lengths.toString(8).length
  return { lengths, groups, mask: 8 ** groups - 1 }
})

/** Maximum number of groups, and a mask of their lengths. */
const [mostGroups, allLengths] = [5, 0o77777]

/** Length of every group with more digits than a printed group has. */
const otherLength = 7

/** Maximum characters between two groups. */
const widestGap = 3

/** White space as `\s` knows it, and the punctuation that people put between groups. */
const separator = /[\s._+/-]/

/** `separator` for each ASCII code, computed once: a text of 1 MiB has many characters. */
const separators = Array.from({ length: 128 }, (_, code) => separator.test(String.fromCharCode(code)))

const separates = (code: number): boolean => separators[code] ?? separator.test(String.fromCharCode(code))

/** Pattern of the separators between two groups. */
const between = `${separator.source}{1,${widestGap}}`

/** A quick test: a card number has a run of the shortest length, or the groups of the shortest printed number. */
const mayHold = new RegExp(
  `\\d{4}(?:\\d{${shortest - 4}}|${between}(?:\\d{6}|\\d{4}${between}\\d{4})${between}\\d{4})`,
)

/** True when the text has a card number, as one run of digits or in printed groups. */
export function holdsCardNumber(text: string): boolean {
  if (!mayHold.test(text)) return false
  const starts = new Array<number>(mostGroups).fill(0) // starts of the last runs, as a ring buffer
  let count = 0 // runs so far
  let lengths = 0 // lengths of the last runs that belong together, as in `printed`
  let start = -1 // start of the current run; -1 between runs
  let gap = 0 // separators since the last run; above `widestGap` after any other character
  for (let index = 0; index <= text.length; index++) {
    const code = text.charCodeAt(index) // NaN after the end
    if (code >= 48 && code <= 57) {
      if (start < 0) start = index
      continue
    }
    if (start >= 0) {
      const length = index - start
      starts[count % mostGroups] = start
      lengths = ((gap > widestGap ? 0 : lengths * 8) + Math.min(length, otherLength)) & allLengths
      const startOf = (groups: number) => starts[(count - groups + 1) % mostGroups]
      if (length >= shortest && length <= longest && isCardNumber(text.slice(start, index))) return true
      for (const shape of printed)
        if (
          (lengths & shape.mask) === shape.lengths &&
          isCardNumber(text.slice(startOf(shape.groups), index))
        )
          return true
      count += 1
      start = -1
      gap = 0
    }
    gap = gap < widestGap && separates(code) ? gap + 1 : widestGap + 1
  }
  return false
}

const isCardNumber = (digits: string): boolean => networks.test(digits) && hasCheckDigit(digits)
