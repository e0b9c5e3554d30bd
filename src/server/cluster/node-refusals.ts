import type { Refusal } from '../../contract/errors.ts'
import { storeRefusal } from '../../engine/gate.ts'
import { resendRemedy } from '../../store/store-errors.ts'

/** Converts an error into a refusal. */
export const nodeRefusalOf = (error: Error): Refusal => storeRefusal(error, resendRemedy)
