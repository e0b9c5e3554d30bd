/** How a receiver checks a webhook, in full, as help text. assumption: webhook-signature */
export const signatureHelp = [
  'X-Signature is the HMAC-SHA256 of the raw body, byte for byte, keyed with the text of the secret as it is shown, ' +
    'whsec_ included; written in lower-case hex, or in base64 with --signature-encoding base64. X-Timestamp is not ' +
    'signed. After a rotation, X-Sandbox-Previous-Signature is made with the previous secret while that is valid.',
  'With --signature standard (Standard Webhooks), webhook-signature is v1, a comma, and the base64 of the HMAC-SHA256 of ' +
    'webhook-id.webhook-timestamp.body. The key is what follows whsec_, decoded from base64. After a rotation it holds two ' +
    'signatures with a space between.',
].join('\n\n')

/** The same in one sentence, for commands about another topic. */
export const signatureInShort =
  'X-Signature is the HMAC-SHA256 of the raw body in hex, keyed with the text of the secret, whsec_ included; ' +
  'tillbox webhook verify --help has the details.'
