import { SunbayBusinessError } from '@sunbay/sunbay-nexus-sdk'
import { expect } from 'vitest'

/** The business error of a call of the Node SDK; fails the test when there is none. */
export async function sdkRefusal(call: Promise<unknown>): Promise<SunbayBusinessError> {
  const error = await call.then(
    (answer) => new Error(`accepted: ${JSON.stringify(answer)}`),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(SunbayBusinessError)
  return error as SunbayBusinessError
}
