/** A line of CSV with its end. RFC 4180. No spreadsheet takes a cell for a formula. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map(plainCell).map(csvCell).join(',')}\r\n`

const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A text that begins like a formula gets an apostrophe before it; a negative number is none. */
const plainCell = (text: string): string =>
  /^[=+\-@\t\r]/.test(text) && !/^-\d+(\.\d+)?$/.test(text) ? `'${text}` : text
