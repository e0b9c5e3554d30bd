import type { Refusal } from '../../contract/errors.ts'
import { resendRemedy, storeRefusal } from '../../engine/gate.ts'

/** Converts an error into a refusal. */
export const nodeRefusalOf = (error: Error): Refusal => storeRefusal(error, resendRemedy)
