import { Refusal } from '../../contract/errors.ts'
import { sendAgain } from '../../engine/gate.ts'

/** What was thrown, as a refusal. */
export const refusalOf = (error: Error): Refusal =>
  error instanceof Refusal
    ? error
    : new Refusal('SBX_STORE_FAIL', { detail: error.message, remedy: sendAgain, cause: error })
