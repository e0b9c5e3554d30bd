import { firstSpace } from '../../contract/sandbox/spaces/space-name.ts'
import type { KnownSpace, OpenedSpace } from '../../control/context/known-spaces.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { defaultsOf } from '../../views/views.ts'

/** The first space of a server that keeps everything in files: its folder says nothing of its age. */
export const firstRecord = { name: firstSpace, createdAt: null, expiresAt: null }

type Named = Pick<KnownSpace, 'name' | 'createdAt' | 'expiresAt'>

/** A space as its server knows it; `sandbox`: null for one that is not in memory. */
export function knownSpace({ name, createdAt, expiresAt }: Named, sandbox: Sandbox | null): KnownSpace {
  const ledgers = [...(sandbox?.engine.state.ledgers.values() ?? [])]
  const transactions =
    sandbox === null ? null : ledgers.reduce((sum, { transactions: { size } }) => sum + size, 0)
  return { name, createdAt, expiresAt, inMemory: sandbox !== null, transactions }
}

/** What a client needs to use a space in memory. */
export const openedSpace = ({ name, createdAt, expiresAt }: Named, sandbox: Sandbox): OpenedSpace => ({
  name,
  createdAt,
  expiresAt,
  ...defaultsOf(sandbox),
})
