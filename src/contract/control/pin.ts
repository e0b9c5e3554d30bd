/**
 * The PIN of every test card; a window compares what is typed with it and sends only the result.
 * assumption: attended-terminal
 */
export const testPin = '1234'

/** Digits of a PIN. ISO 9564-1 has 4 to 12; terminals commonly take 6. assumption: attended-terminal */
export const pinLength = { least: 4, most: 6 } as const
