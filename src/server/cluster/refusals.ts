import type { Refusal } from '../../contract/errors.ts'
import { sendAgain, storeRefusal } from '../../engine/gate.ts'

/** Converts an error into a refusal. */
export const refusalOf = (error: Error): Refusal => storeRefusal(error, sendAgain)
