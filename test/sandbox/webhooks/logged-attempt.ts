import type { LoggedAttempt } from '../../../src/sandbox/store/storage.ts'

/** An attempt of the delivery with that number, as it is logged. */
export const loggedAttempt = (number: number, more: Partial<LoggedAttempt> = {}): LoggedAttempt => ({
  ...{ at: 1, sandboxAt: 1, durationMs: 1, merchantId: 'M1', number, fault: null, error: null },
  ...{ url: 'http://127.0.0.1:9/', requestHeaders: {}, requestBody: 'x'.repeat(1_000) },
  ...{ status: 200, responseHeaders: {}, responseBody: '' },
  ...more,
})
