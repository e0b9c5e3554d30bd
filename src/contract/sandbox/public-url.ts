/** The origin of a public URL: scheme, host, and a port other than the default; undefined for anything else. */
export function publicOriginOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, origin, href } = new URL(text)
  return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : undefined
}
