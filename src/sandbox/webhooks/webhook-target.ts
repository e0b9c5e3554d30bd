import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { rejectField } from '../../contract/errors.ts'
import { portOf } from '../../shared/text/http-url.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { capitalize } from '../../shared/text/words.ts'
import { hideInAddress } from '../http/hide-addresses.ts'

/** Addresses that are never called, even if allowed: link-local ones, and metadata services of clouds. */
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
// IPv4 inside IPv6: translated (RFC 6052, RFC 2765), compatible, 6to4; and the prefix of RFC 8215.
for (const prefix of ['64:ff9b::', '::ffff:0:', '::']) forbidden.addSubnet(`${prefix}a9fe:0`, 112, 'ipv6')
forbidden.addSubnet('2002:a9fe::', 32, 'ipv6')
forbidden.addSubnet('64:ff9b:1::', 48, 'ipv6')

/** IPv4 inside IPv6 under any prefix: ISATAP, RFC 5214. */
const isatap = /:5efe:(?:(\d+\.\d+\.\d+\.\d+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i

/** The IPv4 address inside an ISATAP address; any other address unchanged. */
function innerAddress(address: string): string {
  const [, dotted, high, low] = isatap.exec(address) ?? []
  if (high === undefined || low === undefined) return dotted ?? address
  const number = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16)
  return [24, 16, 8, 0].map((bits) => (number >>> bits) & 255).join('.')
}

/** Loopback, also as IPv4 inside IPv6. */
const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

const unspecified = new BlockList()
unspecified.addAddress('0.0.0.0')
unspecified.addAddress('::', 'ipv6')

const contains = (list: BlockList, address: string): boolean =>
  list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

function isForbidden(address: string): boolean {
  const inside = innerAddress(address)
  return contains(forbidden, address) || (inside !== address && contains(forbidden, inside))
}

/** Webhooks must not be sent to this address. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused'
}

/** Where webhooks may go. assumption: webhook-targets */
export interface TargetRules {
  /** Hosts that may be called, as URLs write them. */
  readonly allowedHosts: readonly string[]
  /** True when other machines reach the sandbox: loopback, which they do not reach, must be allowed too. */
  readonly isShared?: boolean
  /** URLs of the sandbox itself and of the nodes of its database, which are never called. */
  readonly sandboxUrls?: () => readonly string[]
}

/** Resolves a name to all its addresses; tests inject their own. */
export type Resolve = (host: string) => Promise<readonly { readonly address: string }[]>

const systemResolve: Resolve = (host) => lookup(host, { all: true })

/** Why an address may not be called, and the remedy. */
interface TargetProblem {
  readonly why: string
  readonly remedy: string
}

/** A URL that webhooks may not go to, found at the start. `option`: the sandbox option that names it. */
export class UnusableTarget extends Error {
  override readonly name = 'UnusableTarget'
  constructor(
    readonly option: 'notifyUrl' | 'forwardTo' | 'webhookHosts',
    message: string,
    readonly remedy: string,
  ) {
    super(message)
  }
}

/**
 * The addresses to call for a URL: loopback, or those of an allowed host, but never link-local or metadata
 * ones. The URL parser has normalised IPv4 addresses. The own URLs are read after the look-up of the name, as
 * the sandbox may start to listen meanwhile. Errors: TargetRefused; an Error when the name cannot be
 * resolved.
 */
export async function checkedAddresses(
  url: URL,
  rules: TargetRules,
  resolve: Resolve = systemResolve,
): Promise<readonly { readonly address: string; readonly family: 4 | 6 }[]> {
  const host = bareHostname(url)
  const addresses = isIP(host) === 0 ? await resolve(host) : [{ address: host }]
  for (const { address } of addresses) {
    const refusal = targetProblem(address, host, rules) ?? refusalOfOwn(address, url, rules)
    if (refusal !== null)
      throw new TargetRefused(`${address === host ? '' : `${host}: `}${refusal.why}; ${refusal.remedy}`)
  }
  if (addresses.length === 0) throw new Error(`${host} has no address`)
  return addresses.map(({ address }) => ({ address, family: isIPv6(address) ? 6 : 4 }))
}

/** Why the address in a URL may not be called; null: it may, as a host name but localhost and own ones. */
export function refusedAtOnce(url: URL, rules: TargetRules): TargetProblem | null {
  const host = bareHostname(url)
  const refusal = isIP(host) === 0 ? null : targetProblem(host, host, rules)
  return refusal ?? refusedAsOwn(url, rules)
}

/** As `refusedAtOnce`, but only for the sandbox's own URLs. */
export const refusedAsOwn = (url: URL, rules: TargetRules): TargetProblem | null =>
  refusalOfOwn(hostOrLoopback(url), url, rules)

/** The address or the name in a URL; loopback for a name of it. */
const hostOrLoopback = (url: URL): string =>
  localName.test(bareHostname(url)) ? '127.0.0.1' : bareHostname(url)

/** Names that always resolve to loopback. RFC 6761, 6.3 */
const localName = /(^|\.)localhost\.?$/

/** Refuses a field's URL. */
export function refuseTarget(field: string, refusal: TargetProblem | null): void {
  if (refusal !== null) rejectField(field, `cannot be called: ${refusal.why}; ${refusal.remedy}`)
}

/**
 * Checks the targets of webhooks at the start; names are looked up only when they are called. Returns the
 * allowed hosts as URLs write them. assumption: webhook-targets Errors: UnusableTarget.
 */
export function checkTargets(targets: {
  readonly notifyUrl?: string | null
  readonly forwardTo?: string | null
  readonly webhookHosts?: readonly string[]
  /** The port that the sandbox will listen on; 0 for any free port. */
  readonly port?: number
  readonly publicUrl?: string | null
  readonly isShared?: boolean
}): string[] {
  const { port, publicUrl, isShared = false } = targets
  const hosts = (targets.webhookHosts ?? []).map(hostFrom)
  const sandboxUrls = () => listeningUrls(port || null, publicUrl ?? null)
  for (const option of ['notifyUrl', 'forwardTo'] as const) {
    const url = targets[option]
    const refusal =
      url == null ? null : refusedAtOnce(new URL(url), { allowedHosts: hosts, isShared, sandboxUrls })
    if (refusal !== null)
      throw new UnusableTarget(
        option,
        `${hideInAddress(String(url))} cannot be called: ${refusal.why}`,
        capitalize(refusal.remedy),
      )
  }
  return hosts
}

/** A host as URLs write it: a name, or an address without brackets. Errors: UnusableTarget. */
function hostFrom(text: string): string {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  const url = `http://${isIPv6(bare) ? `[${bare}]` : bare}/`
  const host =
    URL.canParse(url) && (isIPv6(bare) || /^[^\s/\\:@?#*]+$/.test(bare)) ? bareHostname(new URL(url)) : ''
  if (host === '')
    throw new UnusableTarget(
      'webhookHosts',
      `${text === '' ? 'An empty text' : text} is not a host`,
      'Give a name or an address alone, without http:// and without a port',
    )
  if (isIP(host) !== 0 && isForbidden(host))
    throw new UnusableTarget('webhookHosts', neverCalled(host).why, 'Leave it out')
  return host
}

/** True when the host of the URL is an IP address. */
export const hasAddress = (url: URL): boolean => isIP(bareHostname(url)) !== 0

const bareHostname = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

const neverCalled = (address: string): TargetProblem => ({
  why: `${address} is link-local or a metadata address, which is never called`,
  remedy: 'name another address',
})

/** URLs of a sandbox: its port on this machine, null before it listens, and its public URL. */
export const listeningUrls = (port: number | null, publicUrl: string | null): string[] => [
  ...(port === null ? [] : [`http://127.0.0.1:${port}`]),
  ...(publicUrl === null ? [] : [publicUrl]),
]

/** The sandbox never calls itself, nor a node of its database: a POST could reset it. */
function refusalOfOwn(address: string, url: URL, { sandboxUrls }: TargetRules): TargetProblem | null {
  const port = portOf(url)
  const isOwn = (sandboxUrl: URL) =>
    portOf(sandboxUrl) === port &&
    (sandboxUrl.hostname === url.hostname ||
      (isOfThisMachine(hostOrLoopback(sandboxUrl)) && isOfThisMachine(address)))
  if (sandboxUrls?.().some((sandboxUrl) => isOwn(new URL(sandboxUrl))) !== true) return null
  const place = isOfThisMachine(address) ? 'this machine' : bareHostname(url)
  return { why: `port ${port} of ${place} is the sandbox itself`, remedy: 'name the port of your receiver' }
}

/** True for loopback, the unspecified address and those of the interfaces; false for a name. */
function isOfThisMachine(address: string): boolean {
  if (isIP(address) === 0) return false
  if (contains(loopback, address) || contains(unspecified, address)) return true
  const localAddresses = new BlockList()
  for (const each of Object.values(networkInterfaces()).flat())
    if (each !== undefined) localAddresses.addAddress(each.address, each.family === 'IPv6' ? 'ipv6' : 'ipv4')
  return contains(localAddresses, address)
}

/** `host`: the host in the URL, as allow-lists name it. */
function targetProblem(address: string, host: string, { allowedHosts, isShared }: TargetRules) {
  if (isForbidden(address)) return neverCalled(address)
  const isLocal = contains(loopback, address)
  if (allowedHosts.includes(host) || (isLocal && !isShared)) return null
  return {
    why: isLocal
      ? `${address} is the machine of a sandbox that others reach`
      : `${address} is not on this machine`,
    remedy: `allow the host with --allow-webhook-host ${shellQuote(host)}`,
  }
}
