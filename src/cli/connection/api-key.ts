import { bearerPattern } from '../../contract/headers.ts'
import { UsageError } from '../errors/usage-error.ts'

/** Errors: UsageError for a key that no Authorization header can carry. The key itself is not shown. */
export function requireKey(key: string): void {
  if (!bearerPattern.test(`Bearer ${key}`))
    throw new UsageError(
      'The API key has characters that an Authorization header cannot carry',
      'Remove spaces, line ends and quotes; allowed are letters, digits and - . _ ~ + / =',
      'api-key',
    )
}
