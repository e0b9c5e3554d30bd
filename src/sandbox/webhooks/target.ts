import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv6 } from 'node:net'

/** Addresses that are never called, whatever is allowed: link-local, and where clouds tell their secrets. */
const forbidden = new BlockList()
forbidden.addSubnet('169.254.0.0', 16)
forbidden.addSubnet('fe80::', 10, 'ipv6')
const metadata = ['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe', 'fd00:42::42']
for (const address of metadata) forbidden.addAddress(address, 'ipv6')
for (const [address, words] of [
  ['100.100.100.200', '6464:64c8'],
  ['168.63.129.16', 'a83f:8110'],
] as const) {
  forbidden.addAddress(address)
  for (const prefix of ['64:ff9b::', '::ffff:0:', '::']) forbidden.addAddress(`${prefix}${words}`, 'ipv6')
  forbidden.addSubnet(`2002:${words}::`, 48, 'ipv6')
}
// IPv4 inside of IPv6: translated (RFC 6052, RFC 2765), compatible, 6to4; and RFC 8215, which may stand for any.
for (const prefix of ['64:ff9b::', '::ffff:0:', '::']) forbidden.addSubnet(`${prefix}a9fe:0`, 112, 'ipv6')
forbidden.addSubnet('2002:a9fe::', 32, 'ipv6')
forbidden.addSubnet('64:ff9b:1::', 48, 'ipv6')

/** IPv4 inside of IPv6 whatever the prefix: ISATAP, RFC 5214. */
const isatap = /:5efe:(?:(\d+\.\d+\.\d+\.\d+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i

/** The IPv4 address that an ISATAP address stands for; any other address as it is. */
function insideOf(address: string): string {
  const [, dotted, high, low] = isatap.exec(address) ?? []
  if (high === undefined || low === undefined) return dotted ?? address
  const number = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16)
  return [24, 16, 8, 0].map((bits) => (number >>> bits) & 255).join('.')
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

const contains = (list: BlockList, address: string): boolean =>
  list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

/** A webhook must not go there. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused'
}

/** An address that was checked, and is one to call. */
export interface CheckedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Resolves a name to all its addresses; tests put their own here. */
export type Resolve = (host: string) => Promise<readonly { readonly address: string }[]>

const systemResolve: Resolve = (host) => lookup(host, { all: true })

/**
 * The addresses to call for a URL: loopback, or any other of a host that is allowed, never link-local or metadata ones.
 * The URL's parser has turned every notation of an IPv4 address into the usual one. assumption: webhook-targets
 * Errors: TargetRefused; an Error when the name cannot be resolved.
 */
export async function checkedAddresses(
  url: URL,
  allowedHosts: readonly string[],
  resolve: Resolve = systemResolve,
): Promise<readonly CheckedAddress[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const found = isIP(host) === 0 ? await resolve(host) : [{ address: host }]
  const allowed = allowedHosts.includes(host.toLowerCase())
  const refusal = found.map(({ address }) => whyNot(address, allowed)).find((why) => why !== null)
  if (refusal != null) throw new TargetRefused(`${host}: ${refusal}`)
  if (found.length === 0) throw new TargetRefused(`${host} has no address`)
  return found.map(({ address }) => ({ address, family: isIPv6(address) ? 6 : 4 }))
}

function whyNot(address: string, allowed: boolean): string | null {
  if (contains(forbidden, address) || contains(forbidden, insideOf(address)))
    return `${address} is link-local or a metadata address, which is never called`
  if (allowed || contains(loopback, address)) return null
  return `${address} is not on this machine; allow the host with --allow-webhook-host`
}
