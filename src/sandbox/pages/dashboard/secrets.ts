/** What is not shown of addresses and headers. assumption: dashboard-secrets */

const hidden = 'hidden'

const secretHeaders =
  /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key|.*(secret|token|password).*)$/i

const secretParameters = /secret|token|password|passwd|signature|api[-_]?key|^key$|^sig$|^auth$/i

/** An address without its user, its password, and what its query calls a secret. */
export function withoutSecrets(address: string): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  let changed = false
  if (url.username !== '' || url.password !== '') {
    url.username = hidden
    url.password = ''
    changed = true
  }
  for (const name of [...url.searchParams.keys()])
    if (secretParameters.test(name)) {
      url.searchParams.set(name, hidden)
      changed = true
    }
  return changed ? url.href : address
}

/** Headers in their order; those that carry a secret by their name say only that there was one. */
export const safeHeaders = (headers: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(headers).map(([name, value]) => [name, secretHeaders.test(name) ? hidden : value])
