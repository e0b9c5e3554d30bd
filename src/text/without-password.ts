/** A URL without its password; any other text unchanged. */
export function withoutPassword(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  url.password = ''
  return url.href
}
