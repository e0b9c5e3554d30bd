/** Choices at the start of a sandbox, for flags and the library; the first is the default. */
export const startChoices = {
  terminals: ['known', 'open'],
  appIds: ['any', 'known'],
  requestIds: ['any', 'uuid'],
  charset: ['note', 'refuse'],
  duplicates: ['reject', 'replay'],
  httpStatus: ['sdk', 'rest'],
  dialect: ['auto', 'spec', 'sdk'],
  signature: ['hmac', 'standard', 'none'],
  signatureEncoding: ['hex', 'base64'],
} as const
