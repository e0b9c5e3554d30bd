import { assumption } from './claim.ts'

/** Who may call what. */
export const access = {
  'control-interface': assumption(
    '`/_sandbox/` and the pages answer only [to this machine or to a caller with the ' +
      'token](control-interface.md#who-may-call-it), and to [no page of another site or ' +
      'port](../SECURITY.md#web-pages-in-your-browser). A form also has to be form-encoded. A request with ' +
      'the signature of a webhook is refused everywhere.',
    'A web page must not control a sandbox through DNS rebinding, nor read from it.',
    null,
    { errors: ['SBX_HOST'], of: [] },
  ),
  'sandbox-token': assumption(
    'On an address that others reach, the control interface and the pages [require a ' +
      'token](control-interface.md#who-may-call-it), from this machine too. Of a token, 256 random bits, ' +
      'only the SHA-256 is kept, in `tokens.json` or the database. [Details](#sandbox-token).',
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
      'created it, by the id of that token: another token with the same name does not get it. Only an admin ' +
      'can send a webhook with any body and headers (`POST /_sandbox/webhooks/<id>/send`, and its page). ' +
      'Removing a space revokes its tokens; revoking a token of scope `spaces` leaves its spaces. In a ' +
      'space, the paths and pages for tokens and spaces are refused.',
    'A board on the wall must not pay. A CI job must not touch the sandbox of another one.',
    '`tillbox token create --scope`',
    { errors: ['SBX_SCOPE'], headers: ['X-Sandbox-Token-Space'] },
  ),
  keys: assumption(
    'Where others reach the sandbox, each application has a key and a webhook secret of its own. A ' +
      'replaced key stays valid [for a time](api.md#authentication-5) of the sandbox clock. The last ten ' +
      'expired keys are known as expired; older ones are unknown. [Details](#keys).',
    'Everybody knows the built-in ones. The specification says only "for a period".',
    '`--api-key`, `--fixtures`; `sandbox key rotate --overlap`, `graceMs`',
    { errors: ['SBX_KEY_EXPIRED'] },
  ),
  'added-merchants': assumption(
    'An added merchant gets [an application of its own](control-interface.md#calls), unless it joins an ' +
      'existing one. Time zone and balance are those of the first merchant. It survives restarts, resets ' +
      'and changes of `--fixtures`; if the fixtures name its application or id later, both count.',
    'Two callers must be as separate as at the real service.',
    '`tillbox merchant add`',
    { errors: ['SBX_MERCH_EXISTS'], unchanged: ['SBX_MERCH_EXISTS'] },
  ),
  metrics: assumption(
    '`GET /metrics`, in OpenMetrics 1.0, has [the whole server or node](shared.md#monitoring), and needs ' +
      'the scope `viewer` for every space. No label names a space or a transaction.',
    'A monitor must not pay. Spaces come and go: each would be a series for ever.',
    '`sandbox start --set metrics=true`',
  ),
  'audit-log': assumption(
    'One line for each request that may change something, and one for each that is refused for its token. ' +
      '[Details](#audit-log).',
    'Those who share a sandbox must see who changed its clock.',
  ),
  'public-url': assumption(
    'A [public URL](reverse-proxy.md) is accepted as `Host`, and its origin as `Origin` with that `Host`. ' +
      'URLs other than `checkoutUrl` are those by which the caller came. `X-Forwarded-*` headers are ignored.',
    'A reverse proxy calls from loopback, and anybody could send `X-Forwarded-*`.',
    '`--public-url`',
  ),
  mcp: assumption(
    'A [tool](agents.md#tools) is carried out as requests of the caller, logged as `tillbox-mcp` with the ' +
      "client's name. Token, allow-lists, faults and audit apply. `verify_webhook` checks a sent " +
      'notification as of its time. Arguments of tools that take none are ignored.',
    'An agent may do no more than its token, and what it did must be seen.',
    '`tillbox mcp --read-only`, `--tools`',
  ),
}
