import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv6 } from 'node:net'

/** Addresses that are never called, whatever is allowed: link-local, and where clouds tell their secrets. */
const forbidden = new BlockList()
forbidden.addSubnet('169.254.0.0', 16)
forbidden.addAddress('100.100.100.200')
forbidden.addSubnet('fe80::', 10, 'ipv6')
forbidden.addAddress('fd00:ec2::254', 'ipv6')
// The same inside of IPv6: translated (NAT64), compatible, and 6to4.
for (const prefix of ['64:ff9b::', '::']) {
  forbidden.addSubnet(`${prefix}a9fe:0`, 112, 'ipv6')
  forbidden.addAddress(`${prefix}6464:64c8`, 'ipv6')
}
forbidden.addSubnet('2002:a9fe::', 32, 'ipv6')
forbidden.addSubnet('2002:6464:64c8::', 48, 'ipv6')

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
  if (contains(forbidden, address))
    return `${address} is link-local or a metadata address, which is never called`
  if (allowed || contains(loopback, address)) return null
  return `${address} is not on this machine; allow the host with --allow-webhook-host`
}
