/** A URL without its password; a text that is none as it is. */
export function withoutPassword(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  url.password = ''
  return url.href
}
