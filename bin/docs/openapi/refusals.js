/** Which refusals operations can answer: those of the service by their checks, those of the sandbox by this table. */

const every = () => true
const takesBody = ({ method }) => method !== 'GET'
const controlOf =
  (...parts) =>
  ({ path }) =>
    parts.some((part) => path.split('/').includes(part))
const either =
  (...rules) =>
  (row) =>
    rules.some((rule) => rule(row))

const acts = controlOf('present', 'tip', 'pin', 'sign', 'cancel')

const answeredBy = {
  SBX_KEY_UNKNOWN: every,
  SBX_HOST: every,
  SBX_TOKEN: every,
  SBX_SCOPE: every,
  SBX_MEDIA_TYPE: takesBody,
  SBX_BAD_JSON: takesBody,
  SBX_TOO_LARGE: every,
  SBX_BAD_HTTP: every,
  SBX_CLIENT_LEFT: takesBody,
  SBX_HEADERS_BIG: every,
  SBX_EXPECTATION: every,
  C17: every,
  SBX_CARD_DATA: every,
  SBX_OTHER_OWNER: every,
  SBX_UNREGISTERED: every,
  SBX_TXN_UNKNOWN: either(controlOf('transactions', 'send'), acts),
  SBX_NOT_ALLOWED: controlOf('receipt', 'stop'),
  SBX_WRONG_TYPE: controlOf('receipt'),
  SBX_SESSION_NONE: controlOf('sessions'),
  SBX_SESSION_OVER: controlOf('pay', 'sessions'),
  SBX_SESSION_BUSY: controlOf('pay', 'sessions'),
  SBX_WEBHOOK_NONE: controlOf('webhooks', 'listeners'),
  SBX_NO_NOTIFYURL: controlOf('webhooks'),
  SBX_REQ_NONE: controlOf('requests'),
  SBX_TERM_SCREEN: acts,
  SBX_TERM_AUTO: acts,
  SBX_TERM_OFFLINE: acts,
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
  SBX_STORE_FAIL: every,
  SBX_INTERNAL: every,
}

/** Refusals before a request is one of an operation, and of a bug. */
const anywhere = ['SBX_BAD_HTTP', 'SBX_HEADERS_BIG', 'SBX_EXPECTATION', 'SBX_INTERNAL']

/** Codes of the refusals that an operation can answer, in the order of the error table. */
export function codesOf(row, { errorTable, checksOf }) {
  const checks = row.isControl ? [] : [checksOf(row.name), checksOf(row.name, { isFree: true })].flat()
  const checked = [...anywhere, ...checks.flatMap(({ refuses }) => Object.keys(refuses))]
  const answers = (code) => (row.isControl ? answeredBy[code]?.(row) : checked.includes(code))
  return Object.keys(errorTable).filter(answers)
}
