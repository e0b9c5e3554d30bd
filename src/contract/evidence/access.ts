import { assumption } from './claim.ts'

/** Who may call what. */
export const access = {
  'control-interface': assumption(
    '`/_sandbox/` and the pages answer only [this machine, or a caller with the ' +
      'token](control-interface.md#who-may-call-it). They answer [no page of another site or ' +
      'port](../SECURITY.md#web-pages-in-your-browser). A form must be form-encoded. A request with a ' +
      "webhook's signature is refused on every path.",
    'A web page must not control or read a sandbox through DNS rebinding.',
    null,
    { errors: ['SBX_HOST'], of: [] },
  ),
  'sandbox-token': assumption(
    'If other machines can reach the sandbox, the control interface and the pages [require a ' +
      'token](control-interface.md#who-may-call-it), from this machine too. A token has 256 random bits. ' +
      'Only its SHA-256 is kept, in `tokens.json` or the database. [Details](#sandbox-token).',
    'A caller of the control interface can read the API key and change everything. Nobody can try 2^256 ' +
      'tokens.',
    '`--token`, `tillbox token create`',
    {
      errors: ['SBX_TOKEN', 'SBX_TOKEN_NONE', 'SBX_TOKEN_EXISTS'],
      unchanged: ['SBX_TOKEN_NONE', 'SBX_TOKEN_EXISTS'],
      headers: ['X-Sandbox-Token'],
    },
  ),
  'token-scopes': assumption(
    'A token has a [scope](control-interface.md#tokens-and-scopes). A space belongs to the token that ' +
      'created it, not to another token with the same name. Only an admin can send a webhook with any body ' +
      'and headers (`POST /_sandbox/webhooks/<id>/send`, and its page). Removing a space revokes its ' +
      'tokens. Revoking a token of scope `spaces` keeps its spaces. In a space, the paths and pages for ' +
      'tokens and spaces are refused.',
    'A dashboard on an office screen must not be able to take payments. A CI job must not reach another ' +
      "job's sandbox.",
    '`tillbox token create --scope`',
    { errors: ['SBX_SCOPE'], headers: ['X-Sandbox-Token-Space'] },
  ),
  keys: assumption(
    'If other machines can reach the sandbox, each application has its own key and webhook secret, made ' +
      'of a random secret in [`secret.json`](state-files.md) or the database. They survive a restart and a ' +
      'reset. A replaced key stays valid [for a time](api.md#authentication-5) of the sandbox clock. The ' +
      'last ten expired keys are refused as expired, older ones as unknown.',
    'Everybody knows the built-in keys. The specification says only "for a period".',
    '`--api-key`, `--fixtures`; `sandbox key rotate --overlap`, `graceMs`',
    { errors: ['SBX_KEY_EXPIRED'] },
  ),
  'added-merchants': assumption(
    'An added merchant gets [its own application](control-interface.md#calls), unless it joins an ' +
      'existing one. Its time zone and starting balance are those of the first merchant. It survives ' +
      'restarts, resets and changes of `--fixtures`. If the fixtures later contain its application or id, ' +
      'both are used.',
    'Two callers must be as separate as at the real service.',
    '`tillbox merchant add`',
    { errors: ['SBX_MERCH_EXISTS'], unchanged: ['SBX_MERCH_EXISTS'] },
  ),
  metrics: assumption(
    '`GET /metrics`, in OpenMetrics 1.0, covers [the whole server or node](shared.md#monitoring). It ' +
      'needs a token with the scope `viewer` for every space. No label names a space or a transaction.',
    'A monitor must not be able to pay. Each space would leave a time series behind.',
    '`sandbox start --set metrics=true`',
  ),
  'audit-log': assumption(
    'The audit log has one line for each request that may change something, and for each request that is ' +
      'refused because of its token. [Details](#audit-log).',
    'Those who share a sandbox must see who changed its clock.',
  ),
  'public-url': assumption(
    'A [public URL](reverse-proxy.md) is accepted as `Host`; with that Host, its origin is accepted as ' +
      '`Origin`. `checkoutUrl` always begins with the public URL, other URLs with the address that the ' +
      'caller used. `X-Forwarded-*` headers are ignored.',
    'A reverse proxy calls from loopback, and anybody could send `X-Forwarded-*`.',
    '`--public-url`',
  ),
  mcp: assumption(
    "A [tool](agents.md#tools) sends the same requests as a client, with the caller's token. The log " +
      "shows them as `tillbox-mcp` with the client's name. Token, allow-lists, faults and audit log apply. " +
      '`verify_webhook` checks a sent notification as of its own time. Tools without arguments ignore any ' +
      'that are sent.',
    'An agent may do no more than its token allows, and its actions must be visible.',
    '`tillbox mcp --read-only`, `--tools`',
  ),
}
