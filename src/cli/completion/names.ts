import { control } from '../../client/client.ts'
import type { FoundSandbox } from '../../client/discover.ts'
import { isOnLoopback } from '../../contract/sandbox/state-folder.ts'
import { rowInWords } from '../../presentation/status.ts'
import { type SandboxFlags, sandboxFlags, sandboxOf } from '../connection/sandbox-address.ts'
import { namedTarget } from '../connection/target.ts'
import { typedFlag } from '../hints/same-sandbox.ts'
import { clean } from '../output/clean.ts'
import type { NameKind, Proposal } from './proposals.ts'

/** Transactions that are proposed at most, the latest first. */
const mostTransactions = 30

const listed: Readonly<Record<NameKind, (flags: SandboxFlags) => Promise<readonly Proposal[]>>> = {
  terminals: ofSandbox(async (sandbox) => {
    const { terminals } = await control(sandbox, 'terminals')
    return terminals
      .filter(({ appId }) => appId === sandbox.appId)
      .map(({ terminalSn, summary }) => ({ word: terminalSn, what: summary }))
  }),
  outcomes: ofSandbox(async (sandbox) => {
    const { outcomes } = await control(sandbox, 'outcomes')
    return outcomes.map(({ name, code, message }) => ({ word: name, what: `${code} ${message}` }))
  }),
  cards: ofSandbox(async (sandbox) => {
    const { cards } = await control(sandbox, 'cards')
    return cards.map(({ name, cardNetworkType, category }) => ({
      word: name,
      what: `${cardNetworkType} ${category.toLowerCase()}`,
    }))
  }),
  transactions: ofSandbox(async (sandbox) => {
    const { transactions } = await control(sandbox, 'transactions', { limit: String(mostTransactions) })
    return transactions.map((row) => {
      const { type, amount, state } = rowInWords(row)
      return { word: row.transactionId, what: `${type} ${amount}, ${state}` }
    })
  }),
  snapshots: ofSandbox(async (sandbox) => {
    const { snapshots } = await control(sandbox, 'snapshots')
    return snapshots.map(({ name, savedAt }) => ({ word: name, what: savedAt ?? '' }))
  }),
  tokens: ofSandbox(async (sandbox) => {
    const { tokens } = await control(sandbox, 'tokens')
    return tokens.map(({ name, scope, space }) => ({
      word: name,
      what: space === null ? scope : `${scope}, ${space}`,
    }))
  }),
  profiles: async () => {
    const { profileViews } = await import('../profile/profiles.ts')
    return profileViews().map(({ name, baseUrl, state }) => ({ word: name, what: baseUrl ?? state ?? '' }))
  },
  triggers: async () => {
    const { triggers } = await import('../scenario/triggers.ts')
    return (await triggers()).map(({ name, summary }) => ({ word: name, what: summary }))
  },
}

/** A list from a sandbox on this machine. A Tab sends nothing to any other address. */
function ofSandbox(list: (sandbox: FoundSandbox) => Promise<readonly Proposal[]>) {
  return async (flags: SandboxFlags): Promise<readonly Proposal[]> => {
    const { baseUrl } = namedTarget(flags)
    if (baseUrl !== undefined && !isOnLoopback(baseUrl.value)) return []
    return list(await sandboxOf(flags))
  }
}

/** A plain word for a shell: other names are not proposed, because a shell could execute them. */
const plainWord = /^[\w@][\w.@:+-]*$/

/** The names of a kind. `typed`: the words of the line. Errors: of the sandbox, and of settings. */
export async function namesOf(kind: NameKind, typed: readonly string[]): Promise<readonly Proposal[]> {
  const flags = Object.fromEntries(Object.keys(sandboxFlags).map((name) => [name, typedFlag(typed, name)]))
  const names = await listed[kind](flags)
  return names
    .filter(({ word }) => plainWord.test(word))
    .map(({ word, what }) => ({ word, what: clean(what) }))
}
