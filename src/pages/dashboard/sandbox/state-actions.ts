import { listCheckpoints } from '../../../control/state/checkpoint-handlers.ts'
import { plural } from '../../components/format.ts'
import type { DoneNotice } from '../../frame/notices.ts'
import type { PagesContext } from '../../frame/pages-context.ts'
import type { FormFields } from '../../serving/form-fields.ts'

/** Fields of the form that saves a checkpoint. */
export const checkpointFields = ['name'] as const

/** Saves a checkpoint under a new name. Errors: SBX_CKPT_NAME, SBX_CKPT_EXISTS, SBX_STORE_FAIL. */
export async function saveFromForm(
  context: Pick<PagesContext, 'commands'>,
  { name = '' }: FormFields,
): Promise<DoneNotice> {
  const { transactions } = await context.commands.saveCheckpoint(name.trim(), false)
  return { text: `Saved ${name.trim()} with ${plural(transactions, 'transaction')}.` }
}

/** Takes away what happened, once it is kept as a checkpoint. Errors: SBX_STORE_FAIL. */
export async function saveAndReset(
  context: Pick<PagesContext, 'checkpoints' | 'clock' | 'commands'>,
): Promise<DoneNotice> {
  const { name, transactions } = await keepBefore(context, 'reset')
  await context.commands.reset()
  await forgetOldest(context)
  return { text: `Reset. ${plural(transactions, 'transaction')} kept in ${name}.`, undo: restoring(name) }
}

/** Restores a checkpoint, once the state is kept as another one. Errors: SBX_CKPT_NAME, SBX_CKPT_NONE, SBX_CKPT_READ, SBX_STORE_FAIL. */
export async function saveAndRestore(
  context: Pick<PagesContext, 'checkpoints' | 'clock' | 'commands'>,
  name: string,
): Promise<DoneNotice> {
  const before = await keepBefore(context, 'restore')
  try {
    const { transactions } = await context.commands.restoreCheckpoint(name)
    await forgetOldest(context)
    return {
      text: `Restored ${name} with ${plural(transactions, 'transaction')}.`,
      undo: restoring(before.name),
    }
  } catch (error) {
    // Nothing was replaced: there is nothing to undo.
    if (before.isNew) await context.commands.removeCheckpoint(before.name)
    throw error
  }
}

const restoring = (name: string) => ({ path: `/checkpoints/${name}/restore`, fields: {} })

/** Most states saved before a reset or a restore; the oldest are removed. assumption: kept-before */
const maxSavedStates = 3

const savedStateName = /^before-(reset|restore)-(\d{8}-\d{6}-\d{3})$/

/**
 * Keeps the state as a checkpoint of the moment; the last one that these buttons made, if it has the same state.
 * Errors: SBX_STORE_FAIL.
 */
async function keepBefore(
  context: Pick<PagesContext, 'checkpoints' | 'clock' | 'commands'>,
  what: 'reset' | 'restore',
): Promise<{ readonly name: string; readonly transactions: number; readonly isNew: boolean }> {
  const [last] = await savedStates(context)
  if (last?.problem === null) {
    const { same, to } = await context.commands.diffCheckpoint(last.name)
    if (same) return { name: last.name, transactions: to.transactions, isNew: false }
  }
  const [date = '', time = ''] = new Date(context.clock.wall()).toISOString().replace(/[-:Z]/g, '').split('T')
  const name = `before-${what}-${date}-${time.replace('.', '-')}`
  return { ...(await context.commands.saveCheckpoint(name, false)), isNew: true }
}

/** Forgets only checkpoints that these buttons made. Errors: SBX_STORE_FAIL. */
async function forgetOldest(context: Pick<PagesContext, 'checkpoints' | 'commands'>): Promise<void> {
  for (const { name } of (await savedStates(context)).slice(maxSavedStates))
    await context.commands.removeCheckpoint(name)
}

/** The checkpoints that these buttons made, the newest first. Errors: SBX_STORE_FAIL. */
async function savedStates(context: Pick<PagesContext, 'checkpoints'>) {
  const timeOf = (name: string) => savedStateName.exec(name)?.[2] ?? ''
  return (await listCheckpoints(context)).checkpoints
    .filter(({ name }) => savedStateName.test(name))
    .toSorted((one, other) => timeOf(other.name).localeCompare(timeOf(one.name)))
}
