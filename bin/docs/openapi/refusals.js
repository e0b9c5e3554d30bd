/** Which refusals an operation can answer beside those that its row names: `code: (row) => boolean`. */

const every = () => true
const ofService = ({ isControl }) => !isControl
const takesBody = ({ method }) => method !== 'GET'
const posts = (row) => ofService(row) && row.method === 'POST'
const opens = (row) => ofService(row) && row.opens !== undefined
const hasMember = (row, name) => row.input.entries[name] !== undefined
const follows = (row) => ofService(row) && hasMember(row, 'originalTransactionId')
const controlOf =
  (...parts) =>
  ({ isControl, path }) =>
    isControl && parts.some((part) => path.split('/').includes(part))
const either =
  (...rules) =>
  (row) =>
    rules.some((rule) => rule(row))

const acts = controlOf('present', 'tip', 'pin', 'sign', 'cancel')

const answeredBy = {
  SBX_AUTH_MISSING: ofService,
  SBX_AUTH_FORMAT: ofService,
  SBX_KEY_UNKNOWN: every,
  SBX_KEY_ENV: ofService,
  SBX_KEY_EXPIRED: ofService,
  SBX_IP_BLOCKED: ofService,
  SBX_HOST: every,
  SBX_TOKEN: ({ isControl }) => isControl,
  SBX_SCOPE: ({ isControl }) => isControl,
  SBX_TIME_MISSING: ofService,
  SBX_TIME_FORMAT: ofService,
  SBX_TIME_SKEW: ofService,
  SBX_REQ_ID_NONE: ofService,
  SBX_REQ_ID_FORM: ofService,
  SBX_MEDIA_TYPE: either(ofService, takesBody), // of a GET in a strict sandbox
  SBX_OUTCOME: ofService,
  SBX_FAULT: ofService,
  SBX_BAD_JSON: takesBody,
  SBX_TOO_LARGE: every,
  SBX_BAD_HTTP: every,
  SBX_CLIENT_LEFT: takesBody,
  SBX_HEADERS_BIG: every,
  SBX_EXPECTATION: every,
  SBX_DUP_REQUEST: posts,
  C17: every,
  SBX_CARD_DATA: every,
  SBX_OTHER_OWNER: every,
  SBX_UNREGISTERED: every,
  SBX_DUP_TXN_ID: (row) => ofService(row) && hasMember(row, 'transactionRequestId') && row.method === 'POST',
  SBX_DUP_OTHER: (row) => ofService(row) && hasMember(row, 'transactionRequestId') && row.method === 'POST',
  SBX_TXN_UNKNOWN: either(follows, controlOf('transactions', 'send'), acts),
  SBX_NOT_ALLOWED: either(follows, controlOf('receipt', 'stop')),
  SBX_WRONG_TYPE: either(follows, controlOf('receipt')),
  SBX_CURRENCY: follows,
  SBX_NO_CURRENCY: opens,
  SBX_SESSION_NONE: controlOf('sessions'),
  SBX_SESSION_OVER: controlOf('pay', 'sessions'),
  SBX_SESSION_BUSY: controlOf('pay', 'sessions'),
  SBX_WEBHOOK_NONE: controlOf('webhooks', 'listeners'),
  SBX_NO_NOTIFYURL: controlOf('webhooks'),
  SBX_REQ_NONE: controlOf('requests'),
  SBX_TERM_BUSY: opens,
  SBX_TERM_SCREEN: acts,
  SBX_TERM_AUTO: acts,
  SBX_TERM_OFFLINE: either(opens, acts),
  SBX_TERM_EXISTS: controlOf('terminals', 'merchants'),
  SBX_MERCH_EXISTS: controlOf('merchants'),
  SBX_TERM_IN_USE: controlOf('terminals'),
  SBX_FAULT_NONE: controlOf('faults'),
  SBX_FAULTS_FULL: controlOf('faults'),
  SBX_SNAP_NAME: controlOf('snapshots'),
  SBX_SNAP_NONE: controlOf('snapshots'),
  SBX_SNAP_EXISTS: controlOf('snapshots'),
  SBX_SNAP_READ: controlOf('snapshots', 'import'),
  SBX_TOKEN_NONE: controlOf('tokens'),
  SBX_TOKEN_EXISTS: controlOf('tokens'),
  SBX_NOT_EMPTY: controlOf('import'),
  SBX_SPACE_NONE: controlOf('spaces', 'tokens'),
  SBX_SPACE_EXISTS: controlOf('spaces'),
  SBX_SPACE_FIRST: controlOf('spaces'),
  SBX_INJECTED: ofService,
  SBX_STORE_FAIL: every,
  SBX_INTERNAL: every,
}

/** Codes of the refusals that an operation can answer, in the order of the error table. */
export const codesOf = (row, errorTable) =>
  Object.keys(errorTable).filter((code) => row.refuses?.includes(code) || answeredBy[code]?.(row))
