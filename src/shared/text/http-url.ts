/** True for a whole URL with http:// or https://. */
export const isHttpUrl = (text: string): boolean => /^https?:\/\/./i.test(text) && URL.canParse(text)

/** The port of a URL, which does not say the usual one of its scheme. */
export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

/** True for the name or the address of a host, alone: an IPv6 address without brackets. */
export const isHost = (text: string): boolean =>
  !/[\s/?#@\\]/.test(text) && URL.canParse(`http://${text.includes(':') ? `[${text}]` : text}`)

/** Says that a text is not such a URL. `input`: where it was typed, such as `--to`. */
export const notHttpUrl = (input: string, text: string): string =>
  /^(?!https?:)[a-z][a-z\d+.-]*:\/\//i.test(text)
    ? `${input} must begin with http:// or https://, not ${text}`
    : `${input} ${text} is not a URL`

/** True for the URL of a PostgreSQL database, as `--store` names it. */
export const isDatabaseUrl = (text: string): boolean =>
  /^postgres(ql)?:\/\//i.test(text) && URL.canParse(text)

/** A URL without its password; any other text unchanged. */
export function withoutPassword(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  url.password = ''
  return url.href
}

/** A text for people whose URLs, whole or mistyped, show no user, password or query but an example's. */
export const withoutUrlSecrets = (text: string): string =>
  text
    .replace(/([a-z][a-z\d+.-]*:\/\/)(?!user:password@host\b)\S*@/gi, '$1***@')
    .replace(/(^|[\s/])(?!user:password@host\b)[^\s@:/]+:(?!\/\/)[^\s@]*@(?=\S)/g, '$1***@')
    .replace(/(?<=\S)\?[^\s?=]*=\S*?(?=[.,;:)]*(?:\s|$))/g, '?***')
