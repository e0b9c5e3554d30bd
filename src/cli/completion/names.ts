import { control } from '../../client/client.ts'
import type { FoundSandbox } from '../../client/discover.ts'
import type { AnsweredControl, ControlAnswer } from '../../contract/control/controls/controls.ts'
import { isOnLoopback } from '../../contract/control/state-folder.ts'
import { rowInWords } from '../../contract/presentation/status.ts'
import type { Members } from '../../contract/validate.ts'
import { resolveSandbox, type SandboxFlags, sandboxFlags } from '../connection/sandbox-address.ts'
import { namedTarget } from '../connection/target.ts'
import { typedFlag } from '../hints/same-sandbox.ts'
import { clean } from '../output/clean.ts'
import type { NameKind, Proposal } from './proposals.ts'

const listed: Readonly<Record<NameKind, (flags: SandboxFlags) => Promise<readonly Proposal[]>>> = {
  terminals: ofSandbox('terminals', ({ terminals }, sandbox) =>
    terminals
      .filter(({ appId }) => appId === sandbox.appId)
      .map(({ terminalSn, summary }) => ({ word: terminalSn, what: summary })),
  ),
  outcomes: ofSandbox('outcomes', ({ outcomes }) =>
    outcomes.map(({ name, code, message }) => ({ word: name, what: `${code} ${message}` })),
  ),
  cards: ofSandbox('cards', ({ cards }) =>
    cards.map(({ name, cardNetworkType, category }) => ({
      word: name,
      what: `${cardNetworkType} ${category.toLowerCase()}`,
    })),
  ),
  transactions: ofSandbox(
    'transactions',
    ({ transactions }) =>
      transactions.map((row) => {
        const { type, amount, state } = rowInWords(row)
        return { word: row.transactionId, what: `${type} ${amount}, ${state}` }
      }),
    { limit: '30' }, // the latest first
  ),
  snapshots: ofSandbox('snapshots', ({ snapshots }) =>
    snapshots.map(({ name, savedAt }) => ({ word: name, what: savedAt ?? '' })),
  ),
  tokens: ofSandbox('tokens', ({ tokens }) =>
    tokens.map(({ name, scope, space }) => ({
      word: name,
      what: space === null ? scope : `${scope}, ${space}`,
    })),
  ),
  profiles: async () => {
    const { profileViews } = await import('../profile/profiles.ts')
    return profileViews().map(({ name, baseUrl, state }) => ({ word: name, what: baseUrl ?? state ?? '' }))
  },
  triggers: async () => {
    const { triggers } = await import('../scenario/triggers.ts')
    return (await triggers()).map(({ name, summary }) => ({ word: name, what: summary }))
  },
}

/** What a sandbox on this machine lists. A Tab sends nothing to any other address. */
function ofSandbox<N extends AnsweredControl>(
  name: N,
  proposals: (answer: ControlAnswer<N>, sandbox: FoundSandbox) => readonly Proposal[],
  members?: Members,
) {
  return async (flags: SandboxFlags): Promise<readonly Proposal[]> => {
    const { baseUrl } = namedTarget(flags)
    if (baseUrl !== undefined && !isOnLoopback(baseUrl.value)) return []
    const sandbox = await resolveSandbox(flags)
    return proposals(await control(sandbox, name, members), sandbox)
  }
}

/** The names of a kind. `typed`: the words of the line. */
export async function namesFor(kind: NameKind, typed: readonly string[]): Promise<readonly Proposal[]> {
  const flags = Object.fromEntries(Object.keys(sandboxFlags).map((name) => [name, typedFlag(typed, name)]))
  const names = await listed[kind](flags)
  return names
    .filter(({ word }) => /^[\w@][\w.@:+-]*$/.test(word)) // a shell could execute other names
    .map(({ word, what }) => ({ word, what: clean(what) }))
}
