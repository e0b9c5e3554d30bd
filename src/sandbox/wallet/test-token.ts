/**
 * What a test payload holds where a wallet's is encrypted, as JSON text. It has the name of a test card: a
 * number would be refused as card data. assumption: wallets
 */
export interface TestToken {
  readonly testCard: string
  /** ISO 8601. */
  readonly expires: string
}

/** In place of each signature and key of a test payload. */
export const testSignature = 'TEST'
