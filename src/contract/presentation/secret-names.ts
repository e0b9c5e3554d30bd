/** Names whose values are secret: the one list for members of JSON, of queries, and headers. */

/** Parts of names. The wallets' are here too: a payload is for its processor only. */
const parts = [
  'token|secret|passw|passphrase|credential|cookie',
  '(?:api|access|private|signing|signed|wrapped|ephemeral[-_]?public|public)[-_]?key',
  '(?:encrypted|signed)[-_]?(?:data|message|payload)|(?:payment|tokenization)[-_]?data',
].join('|')

const member = `${parts}|^(?:pass|pwd|auth|(?:proxy[-_]?)?authorization)$`

const secretMember = new RegExp(member, 'i')

/** A text without a match holds no secret member, not even one written with escapes. */
export const maybeSecret = new RegExp(`${parts}|pass|pwd|auth["'\\\\\\s:=>]|authorization|\\\\u|%`, 'i')

/** The API's token of the next page, which is not secret. */
const pageToken = 'nextToken'

/** True for a member of JSON whose value is hidden wherever it stands. */
export const isSecretMember = (name: string): boolean => name !== pageToken && secretMember.test(name)

const secretHeader = new RegExp(`${member}|auth|referer|^(?:key|sig)$`, 'i')

/** True for a header whose value is hidden. A signature is not: it proves who sent the request. */
export const isSecretHeader = (name: string): boolean => secretHeader.test(name)

/** True for a member of a query whose value is hidden. A signature is: there it grants access. */
export const isSecretInQuery = (name: string): boolean =>
  name !== pageToken && (secretHeader.test(name) || /signature/i.test(name))
