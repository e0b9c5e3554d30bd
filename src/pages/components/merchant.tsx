/** The first letter of a name, as a capital. */
export const monogramOf = (name: string): string => ([...name.trim()][0] ?? '·').toUpperCase()

/** Who is paid: a monogram and the name. */
export const Merchant = ({ name }: { readonly name: string }) => (
  <p class="merchant">
    <span class="monogram" aria-hidden="true">
      {monogramOf(name)}
    </span>
    <span>{name}</span>
  </p>
)

/** The address if a browser may follow it, otherwise undefined: not `javascript:` and the like. */
export function safeLink(address: string | null): string | undefined {
  if (address === null || !URL.canParse(address)) return undefined
  const { protocol, href } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}
