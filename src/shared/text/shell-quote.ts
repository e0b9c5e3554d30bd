/**
 * Makes a text one word of a POSIX shell. A text with control characters becomes `$'…'` of bash and zsh: a
 * terminal would act on raw ones when they are pasted. Line ends alone are kept.
 */
export function shellQuote(text: string): string {
  if (/^[A-Za-z0-9_./:=@%+-]+$/.test(text)) return text
  if (!unsafe.test(text)) return `'${text.replaceAll("'", "'\\''")}'`
  const escaped = text
    .replace(/[\\']/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replace(new RegExp(unsafe, 'gu'), (each) =>
      Array.from(Buffer.from(each), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
    )
  return `$'${escaped}'`
}

const unsafe = /(?!\n)[\p{Cc}\p{Bidi_Control}]/u
