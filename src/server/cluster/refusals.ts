import type { Refusal } from '../../contract/errors.ts'
import { resendRemedy, storeRefusal } from '../../engine/gate.ts'

/** What was thrown, as a refusal. */
export const refusalOf = (error: Error): Refusal => storeRefusal(error, resendRemedy)
