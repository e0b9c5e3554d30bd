import { firstSpace } from '../../contract/sandbox/spaces/space-name.ts'
import type { KnownSpace, OpenedSpace } from '../../control/context/known-spaces.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { defaultsOf } from '../../views/views.ts'

/** The record of the first space: a state folder does not store its age. */
export const firstRecord = { name: firstSpace, createdAt: null, expiresAt: null }

type NamedSpace = Pick<KnownSpace, 'name' | 'createdAt' | 'expiresAt'>

/** A space as its server knows it; `sandbox`: null when it is closed. */
export function knownSpace(
  { name, createdAt, expiresAt }: NamedSpace,
  sandbox: Pick<Sandbox, 'engine'> | null,
): KnownSpace {
  const ledgers = [...(sandbox?.engine.state.ledgers.values() ?? [])]
  const transactions =
    sandbox === null ? null : ledgers.reduce((sum, { transactions: { size } }) => sum + size, 0)
  return { name, createdAt, expiresAt, inMemory: sandbox !== null, transactions }
}

/** The data that a client needs to use an open space. */
export const openedSpace = (
  { name, createdAt, expiresAt }: NamedSpace,
  sandbox: Parameters<typeof defaultsOf>[0],
): OpenedSpace => ({
  name,
  createdAt,
  expiresAt,
  ...defaultsOf(sandbox),
})
