import { BlockList, isIP, isIPv6 } from 'node:net'
import * as v from 'valibot'

/** An address, or a range of them in CIDR notation: `10.0.0.0/8`. */
interface AddressRange {
  readonly address: string
  readonly family: 'ipv4' | 'ipv6'
  /** Bits of the network prefix; null for a single address. */
  readonly prefix: number | null
}

/** Reads an address or a range; undefined for anything else. IPv4 may be written as ::ffff:192.0.2.1. */
function rangeIn(text: string): AddressRange | undefined {
  const [written = '', bits, ...more] = text.split('/')
  const address = written.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIP(address) === 0 || more.length > 0) return undefined
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (bits === undefined) return { address, family, prefix: null }
  const prefix = /^\d{1,3}$/.test(bits) && address === written ? Number(bits) : Number.NaN
  return prefix <= (family === 'ipv6' ? 128 : 32) ? { address, family, prefix } : undefined
}

/** True for an address, or a range of them in CIDR notation. */
export const isAddressRange = (text: string): boolean => rangeIn(text) !== undefined

/** An entry of an allow-list. */
export const addressRange = v.pipe(
  v.string('must be a string'),
  v.check(isAddressRange, 'must be an IP address, or a range such as 10.0.0.0/8'),
)

/** True if an entry is the address, in any spelling, or a range that contains it. */
export function coversAddress(entries: readonly string[], address: string): boolean {
  const list = new BlockList() // it knows every spelling of an address
  for (const entry of entries) {
    const range = rangeIn(entry)
    if (range === undefined) continue
    if (range.prefix === null) list.addAddress(range.address, range.family)
    else list.addSubnet(range.address, range.prefix, range.family)
  }
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
