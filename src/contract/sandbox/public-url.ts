/** What a public URL must look like. */
export const publicUrlForm = 'Use a URL with http or https, a host and no path, such as https://pay.team.test'

/** The origin of a public URL: scheme, host, and a port that is not the usual one. undefined: it is no such URL. */
export function publicOriginOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, origin, href } = new URL(text)
  return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : undefined
}
