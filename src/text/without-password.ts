/** A URL without its password; any other text unchanged. */
export function withoutPassword(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  url.password = ''
  return url.href
}

/** A text for people in which URLs, whole or mistyped, show neither user and password nor query. */
export const withoutUrlSecrets = (text: string): string =>
  text
    .replace(/([a-z][a-z\d+.-]*:\/\/)\S*@/gi, '$1***@')
    .replace(/(^|[\s/])[^\s@:/]+:(?!\/\/)[^\s@]*@(?=\S)/g, '$1***@')
    .replace(/\?[^\s?=]*=\S*?(?=[.,;:)]*(?:\s|$))/g, '?***')
