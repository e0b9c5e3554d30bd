import { assumption } from './claim.ts'

/** What answers and records look like. */
export const answers = {
  envelope: assumption(
    'Errors have [these HTTP statuses](api.md#errors), and codes of ours at most 16 characters.',
    'Every SDK raises its business error only on 2xx. `C17` is the only public code.',
    '`extras: false` leaves out `field`, `detail` and `remedy`; `httpStatus: rest` changes the 200 of business errors',
    { errors: ['SBX_INTERNAL'], envelope: ['field', 'detail', 'remedy', 'others'] },
  ),
  extras: assumption(
    'Without [extras](api.md#like-production) the request log keeps what the error does not say; the ' +
      'control interface has all of them. `--like-production` sets what is known of the real service, and ' +
      'nothing else.',
    'A client should be tested once with as little help as it will get. What is not known is not guessed.',
    '`extras: false`; each option of the table wins',
    { headers: ['X-Sandbox-Note'] },
  ),
  dialect: assumption(
    "The answer to a query depends on [who asks](api.md#record): the SDKs' nested record, or the " +
      "specification's flat one with some members more. `/_sandbox/` shows everything.",
    'Clients without an SDK read either; only batchNo needs one JSON type at a time.',
    '`dialect: spec`, `dialect: sdk`',
    { record: ['refundableAmount', 'totalAuthorizedAmount'] },
  ),
  identifiers: assumption(
    'Ids have [these lengths](api.md#record); `mid` has 15 and `tid` 8. The rrn is made of year digit, ' +
      'day, hour and stan; `mid` and `tid` of merchant, ordinal number of the terminal and channel.',
    "Usual for ISO 8583, and in the SDKs' examples.",
  ),
  statuses: assumption(
    'The [transitions](api.md#statuses), and the marks of follow-ups on their original, whose status they ' +
      'never change.',
    'The specification shows no transitions. The SDKs read the marks.',
    null,
    { steps: ['opened', 'taken-up', 'approved', 'declined', 'abort', 'cancel', 'expiry', 'expired'] },
  ),
}
