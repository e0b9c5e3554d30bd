import type { Restored } from '../../../contract/control/snapshot-answers.ts'
import type { State } from '../../../domain/state.ts'
import type { SnapshotFacts } from '../../store/file/state-file.ts'
import { diffStates } from '../../views/state-diff.ts'
import type { ControlContext } from '../control-context.ts'
import { restore, snapshotFacts } from './restore.ts'
import { listSnapshots, readNamed, removeSnapshot, saveNew, toSnapshotView } from './snapshot-handlers.ts'

/** A reset and a restore that save the state before, so that they can be undone. assumption: reset */

/** The snapshot that has the state before. */
interface Kept {
  readonly name: string
  readonly transactions: number
}

/**
 * Deletes all transactions once the state is saved; nothing is accepted between the two. Null: nothing was
 * stored.
 */
export async function keepAndReset(context: ControlContext): Promise<Kept | null> {
  const { clockQueue, engine, emptyState } = context
  let kept: Kept | null = null
  await clockQueue.run(() =>
    engine.reset(emptyState, {
      before: async (state) => {
        const facts = snapshotFacts(context, state)
        const empty = { name: null, state: emptyState(), facts }
        if (!(await diffStates(empty, { name: null, state, facts })).same)
          kept = await keep(context, 'reset', state)
      },
    }),
  )
  await forgetOldest(context)
  return kept
}

/**
 * Restores a snapshot once the state is saved as another one; nothing is accepted between the two. Resolves
 * to what was restored and the saved snapshot.
 */
export async function keepAndRestore(
  context: ControlContext,
  name: string,
): Promise<Restored & { readonly kept: string }> {
  const saved = await readNamed(context, name)
  let kept = ''
  const before = async (state: State) => {
    kept = (await keep(context, 'restore', state)).name
  }
  const replaced = await restore(context, saved, { before })
  await forgetOldest(context)
  return { ...toSnapshotView(saved.name, saved), replaced, kept }
}

/** Most states saved before a reset or a restore; the oldest are removed. */
const maxKept = 3

const keptName = /^before-(reset|restore)-(\d{8}-\d{6}-\d{3})$/

/** Saves the state as a snapshot of the moment, unless the last one saved here has the same. */
async function keep(context: ControlContext, what: 'reset' | 'restore', state: State): Promise<Kept> {
  const facts: SnapshotFacts = snapshotFacts(context, state)
  const { transactions } = facts
  const [last] = await keptBefore(context)
  if (last?.problem === null) {
    const { same } = await diffStates(await readNamed(context, last.name), { name: null, state, facts })
    if (same) return { name: last.name, transactions }
  }
  const [date = '', time = ''] = new Date(context.clock.wall()).toISOString().replace(/[-:Z]/g, '').split('T')
  const name = `before-${what}-${date}-${time.replace('.', '-')}`
  await saveNew(context, name, state, { ...facts, name })
  return { name, transactions }
}

/** Forgets only snapshots that were saved here. */
async function forgetOldest(context: ControlContext): Promise<void> {
  for (const { name } of (await keptBefore(context)).slice(maxKept)) await removeSnapshot(context, name)
}

/** The snapshots that were saved here, the newest first. */
async function keptBefore(context: ControlContext) {
  const timeInName = (name: string) => keptName.exec(name)?.[2] ?? ''
  return (await listSnapshots(context)).snapshots
    .filter(({ name }) => keptName.test(name))
    .toSorted((one, other) => timeInName(other.name).localeCompare(timeInName(one.name)))
}
