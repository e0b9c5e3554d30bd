import { type FoldOrder, fold } from '../file/fold.ts'
import type { SpaceFoldOrder } from '../postgres/fold-space.ts'

/** Carries out an order in the folding thread. Resolves to its result. Errors: those of the fold. */
export async function carryOutFold(order: FoldOrder | SpaceFoldOrder): Promise<unknown> {
  if ('folder' in order) return fold(order)
  const { foldSpace } = await import('../postgres/fold-space.ts')
  return foldSpace(order)
}
