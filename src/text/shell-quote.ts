/** Makes a text one word of a POSIX shell. */
export const shellQuote = (text: string): string =>
  /^[A-Za-z0-9_./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
