/** What can be chosen when a sandbox is started; the first is the default. Flags and the library read them here. */
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
