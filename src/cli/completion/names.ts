import { control } from '../../client/client.ts'
import type { FoundSandbox } from '../../client/discover.ts'
import { formatAmount } from '../../contract/currencies.ts'
import { isOnLoopback } from '../../contract/sandbox/state-folder/lock-file.ts'
import { statusWordOf, typeWordOf } from '../../contract/statuses.ts'
import { type SandboxFlags, sandboxOf } from '../connection/sandbox-address.ts'
import { namedTarget } from '../connection/target.ts'
import { clean } from '../output/clean.ts'
import type { NameKind } from './value-source.ts'

/** A name that may be typed, and its description. */
interface CompletedName {
  readonly name: string
  readonly what: string
}

/** Transactions that are proposed at most, the latest first. */
const mostTransactions = 30

/** How names of each kind are listed. */
const listed: Readonly<Record<NameKind, (flags: SandboxFlags) => Promise<readonly CompletedName[]>>> = {
  terminals: ofSandbox(async (sandbox) => {
    const { terminals } = await control(sandbox, 'terminals')
    return terminals
      .filter(({ appId }) => appId === sandbox.appId)
      .map(({ terminalSn, summary }) => ({ name: terminalSn, what: summary }))
  }),
  outcomes: ofSandbox(async (sandbox) => {
    const { outcomes } = await control(sandbox, 'outcomes')
    return outcomes.map(({ name, code, message }) => ({ name, what: `${code} ${message}` }))
  }),
  cards: ofSandbox(async (sandbox) => {
    const { cards } = await control(sandbox, 'cards')
    return cards.map(({ name, cardNetworkType, category }) => ({
      name,
      what: `${cardNetworkType} ${category.toLowerCase()}`,
    }))
  }),
  transactions: ofSandbox(async (sandbox) => {
    const { transactions } = await control(sandbox, 'transactions', { limit: String(mostTransactions) })
    return transactions.map(({ transactionId, type, amount, currency, status }) => ({
      name: transactionId,
      what: `${typeWordOf(type)} ${formatAmount(amount, currency)} ${currency}, ${statusWordOf(status)}`,
    }))
  }),
  checkpoints: ofSandbox(async (sandbox) => {
    const { checkpoints } = await control(sandbox, 'checkpoints')
    return checkpoints.map(({ name, savedAt }) => ({ name, what: savedAt ?? '' }))
  }),
  tokens: ofSandbox(async (sandbox) => {
    const { tokens } = await control(sandbox, 'tokens')
    return tokens.map(({ name, scope, space }) => ({
      name,
      what: space === null ? scope : `${scope}, ${space}`,
    }))
  }),
  profiles: async () => {
    const { profileViews } = await import('../profile/profile-view.ts')
    return profileViews().map(({ name, baseUrl, state }) => ({ name, what: baseUrl ?? state ?? '' }))
  },
  triggers: async () => {
    const { triggers } = await import('../scenario/triggers.ts')
    return (await triggers()).map(({ name, summary }) => ({ name, what: summary }))
  },
}

/** A list from a sandbox on this machine. A Tab sends nothing to any other address. */
function ofSandbox(list: (sandbox: FoundSandbox) => Promise<readonly CompletedName[]>) {
  return async (flags: SandboxFlags): Promise<readonly CompletedName[]> => {
    const { baseUrl } = namedTarget(flags)
    if (baseUrl !== undefined && !isOnLoopback(baseUrl.value)) return []
    return list(await sandboxOf(flags))
  }
}

/** A plain word for a shell: other names are not proposed, because a shell could execute them. */
const plainWord = /^[\w@][\w.@:+-]*$/

/**
 * The names of a kind, one a line: the name, a tab, its description. `typed`: the words of the line. Errors: of the
 * sandbox, and of settings.
 */
export async function nameLines(kind: NameKind, typed: readonly string[]): Promise<string> {
  const names = await listed[kind](flagsIn(typed))
  return names
    .filter(({ name }) => plainWord.test(name))
    .map(({ name, what }) => `${name}\t${clean(what)}\n`)
    .join('')
}

/** The flags of a command line that select the sandbox. */
function flagsIn(typed: readonly string[]): SandboxFlags {
  const valueAfter = (flag: string): string | undefined => {
    const joined = typed.findLast((word) => word.startsWith(`${flag}=`))
    if (joined !== undefined) return joined.slice(flag.length + 1)
    const at = typed.lastIndexOf(flag)
    return at < 0 ? undefined : typed[at + 1]
  }
  return {
    'base-url': valueAfter('--base-url'),
    state: valueAfter('--state'),
    profile: valueAfter('--profile'),
  }
}
