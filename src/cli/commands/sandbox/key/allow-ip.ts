import { string as stringArg } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { control } from '../../../../client/client.ts'
import { coversAddress, isAddressRange } from '../../../../contract/control/addresses.ts'
import { command } from '../../../../shared/text/commands.ts'
import { BaseCommand } from '../../../base-command.ts'
import { applicationFlags, applicationMembers, callerFrom } from '../../../connection/application.ts'
import { resolveSandbox } from '../../../connection/sandbox-address.ts'
import { UsageError } from '../../../errors/exit-codes.ts'

export default class SandboxKeyAllowIp extends BaseCommand {
  static override summary = 'Show or change which IP addresses may call.'
  static override description =
    'Addresses and ranges are added to those that may call the payment API; they take effect immediately and survive ' +
    'restarts. An empty list lets every address in. Any other request is refused with SBX_IP_BLOCKED. A list that would ' +
    'refuse this machine needs --force.'
  static override examples = [
    'tillbox sandbox key allow-ip',
    'tillbox sandbox key allow-ip 127.0.0.1 10.0.0.0/8',
    'tillbox sandbox key allow-ip --remove 10.0.0.0/8',
    'tillbox sandbox key allow-ip --clear',
  ]
  static override args = { address: stringArg({ description: 'Addresses, or ranges such as 10.0.0.0/8.' }) }
  static override strict = false
  static override memberFlags = { addresses: 'address', ...applicationMembers }
  static override flags = {
    remove: boolean({ description: 'Remove these addresses.' }),
    clear: boolean({ description: 'Empty the list: every address may call.', exclusive: ['remove'] }),
    force: boolean({ description: 'Change it even if this machine is then refused.' }),
    ...applicationFlags,
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(SandboxKeyAllowIp)
    const typed = argv as string[]
    requireAddresses(typed, flags)
    const isChange = flags.clear || typed.length > 0
    const sandbox = await resolveSandbox(flags, { asks: isChange ? 'set-allow-list' : 'allow-list' })
    const { members, apiKey } = await callerFrom(flags)
    const before = await control(sandbox, 'allow-list', members, { apiKey })
    const wanted = flags.clear ? [] : changed(before.addresses, typed, flags.remove)
    if (isChange && !flags.force) requireThisMachine(wanted, typed, sandbox.baseUrl)
    const list = isChange
      ? await control(sandbox, 'set-allow-list', { ...members, addresses: wanted }, { apiKey })
      : before
    await this.show(list, async () =>
      (await import('../../../sandbox/render-applications.ts')).renderAllowList(list),
    )
  }
}

/** What can be said before the sandbox is asked. */
function requireAddresses(
  typed: readonly string[],
  { remove, clear }: { readonly remove: boolean; readonly clear: boolean },
): void {
  if (clear && typed.length > 0)
    throw new UsageError(['--clear', `and ${typed[0]} exclude each other`], 'Remove one of them')
  if (remove && typed.length === 0)
    throw new UsageError(['<address>', 'is missing'], 'Name what --remove takes away')
  const wrong = typed.find((text) => !isAddressRange(text))
  if (wrong === undefined) return
  const remedy = ['add', 'remove', 'list'].includes(wrong)
    ? 'Addresses alone are added, --remove takes them away, and the command alone lists them'
    : 'Use an address such as 203.0.113.7 or 2001:db8::7, or a range such as 10.0.0.0/8'
  throw new UsageError(`${wrong} is not an IP address`, remedy, 'address')
}

/** The list with those that are typed, or without them. */
function changed(before: readonly string[], typed: readonly string[], remove: boolean): readonly string[] {
  if (!remove) return [...new Set([...before, ...typed])]
  const unknown = typed.find((address) => !before.includes(address))
  if (unknown === undefined) return before.filter((address) => !typed.includes(address))
  const listed = before.length === 0 ? 'The list is empty' : `The list has ${before.join(', ')}`
  throw new UsageError(`${unknown} is not on the allow-list`, listed, 'address')
}

/** Errors: UsageError for a list that refuses the address by which this machine calls its own sandbox. */
function requireThisMachine(addresses: readonly string[], typed: readonly string[], url: string): void {
  const caller = loopbackAddress(new URL(url).hostname)
  if (caller === undefined || addresses.length === 0 || coversAddress(addresses, caller)) return
  throw new UsageError(
    `Callers on this machine (${caller}) would be refused with SBX_IP_BLOCKED`,
    addresses.includes(typed[0] ?? '')
      ? `Let them in, too: ${command('sandbox key allow-ip', caller, ...typed)}. Or pass --force`
      : 'Empty the list with --clear, or pass --force',
    'address',
  )
}

/** The address that calls to a host on this machine come from; undefined for another machine. */
function loopbackAddress(host: string): string | undefined {
  if (host === '[::1]') return '::1'
  return host === 'localhost' || host.startsWith('127.') ? '127.0.0.1' : undefined
}
