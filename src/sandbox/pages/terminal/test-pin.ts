/** The PIN of every test card. Only the page knows it: it tells the sandbox right or wrong. assumption: test-pin */
export const testPin = '1234'

/** How long a PIN is. ISO 9564-1: 4 to 12 digits; terminals commonly take 6. */
export const pinLength = { least: 4, most: 6 } as const
