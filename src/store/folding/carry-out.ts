import { type FoldOrder, fold } from '../file/fold.ts'

/** Carries out an order in the folding thread. Resolves to its result. Errors: those of the fold. */
export const carryOutFold = async (order: FoldOrder): Promise<unknown> => fold(order)
