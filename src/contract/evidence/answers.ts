import { assumption } from './claim.ts'

/** What answers and records look like. */
export const answers = {
  envelope: assumption(
    "Errors have [these HTTP statuses](api.md#errors). The sandbox's own codes have at most 16 characters.",
    'Every SDK raises its business error only on 2xx. `C17` is the only public code.',
    '`extras: false` removes `field`, `detail` and `remedy`; `httpStatus: rest` changes the 200 of ' +
      'business errors',
    { errors: ['SBX_INTERNAL'], envelope: ['field', 'detail', 'remedy', 'others'] },
  ),
  extras: assumption(
    'With `extras: false`, [details that errors omit](api.md#like-production) are still in the request ' +
      'log, and answers of the control interface still have them. `--like-production` sets only what is ' +
      'known about the real service.',
    'A client should be tested once without help that the real service does not give.',
    '`extras: false`; an option that you give overrides the preset',
    { headers: ['X-Sandbox-Note'] },
  ),
  dialect: assumption(
    "The fields of a query's answer depend on [the caller](api.md#record). SDKs get their own record " +
      "with nested amounts. Other clients get the specification's flat record with some more fields. " +
      '`/_sandbox/` shows all fields.',
    'Clients without an SDK can read both forms. They conflict only in `batchNo` (number or string).',
    '`dialect: spec`, `dialect: sdk`',
    { record: ['refundableAmount', 'totalAuthorizedAmount'] },
  ),
  identifiers: assumption(
    'Ids have [these lengths](api.md#record). A `mid` has 15 characters, a `tid` 8. The rrn consists of ' +
      "the year's last digit, the day, the hour and the stan. `mid` and `tid` consist of the merchant, the " +
      "terminal's ordinal number and the channel.",
    "This is usual for ISO 8583, and in the SDKs' examples.",
  ),
  statuses: assumption(
    'Statuses have [these transitions](api.md#statuses). A follow-up marks its original, but never ' +
      "changes the original's status.",
    'The specification shows no transitions. The SDKs read the marks.',
    null,
    { steps: ['opened', 'taken-up', 'approved', 'declined', 'abort', 'cancel', 'expiry', 'expired'] },
  ),
}
