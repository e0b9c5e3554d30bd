import { assumption } from './claim.ts'

/** Scenarios, helpers, and the judgement of merchants. */
export const tests = {
  scenarios: assumption(
    'In a [scenario](scenarios.md), references are `$name`, payments must be approved unless a step ' +
      'expects something else, and webhooks are retried fast. It may set how its sandbox behaves, but not ' +
      '[where it is or who reaches it](options.md#address-and-access).',
    'A test that passes by oversight is worse than one that fails.',
    '`expect`, `wait` of a step; `sandbox` of a file',
  ),
  'test-helpers': assumption(
    'A [helper of another language](other-languages.md#which-sandbox) resets everything in the sandbox of ' +
      "the environment before each test. With `connect: 'env'` the " +
      '[library](library.md#the-sandbox-of-the-environment) resets nothing.',
    'A test may move the clock, and a helper that is one file must stay short. In the library, files run ' +
      'at the same time.',
    '`TILLBOX_BASE_URL`',
  ),
  coverage: assumption(
    'Which situations are [judged](exam.md), and what is right in each. A result is learned by ' +
      'an answer that has the final status, by a notification that is acknowledged with 200, by the record of a ' +
      'payment that shows its void or capture, and by a void, refund or capture that worked: the payment ' +
      "was approved. Requests of tillbox's own commands, pages, helpers of tests, scenarios and agents are not " +
      "the merchant's; their User-Agent tells. Each merchant is judged by itself. Requests have the same " +
      'purpose if they have the same order with the same amount or terminal, or the same original, amount and ' +
      'terminal. An order is paid twice if a sale begins before another of the same amount, or at the ' +
      'same terminal, is final, and neither was given back; so is a refund of the same amount. A refusal is corrected by a request of the same ' +
      'purpose, or a look-up of it; a repeat of a known payment by its result; a look-up with a wrong key by ' +
      'any accepted request. It is repeated without a change by the same members with another id. A busy ' +
      'terminal may be tried three times, and an empty batch closed again after an hour. A repeated ' +
      'notification is acknowledged by 200 or 409. A refusal of a forgery counts at an endpoint that takes ' +
      'genuine notifications. One that acknowledges a forgery has not checked it, unless the client learned ' +
      'the result another way. Where the merchant lists its orders, a right order was learned of, and was ' +
      'not paid twice; a wrong one is a gap in each situation of its payments and requests. An abort, or a void ' +
      'by code that was not told the end yet, is no act on a payment that failed. A late answer is one for ' +
      'which the client did not wait: it tells nothing. Other answers with 5xx than 503 are those of a service ' +
      'that fails. A failed settlement is corrected by a close alone. Where a fault kept a notification away, the payment itself is not judged. A lost answer is ' +
      'dealt with by the same request again, if it is accepted; by a look-up; or by what takes it back, if ' +
      'that works: a void, an abort, a refund of all, the end of its session. Before another payment, the ' +
      'look-up, or a notification of a failure, must have told the end. After 429 nothing was carried out, and ' +
      'the client may give up. For a batch close it is the next close.',
    'The specification says what the service does, not what its clients must do.',
  ),
  laws: assumption(
    'Which [laws](exam.md#laws) the orders of a merchant keep, once faults have ended, 40 days have ' +
      'passed, terminals are online again and the merchant has reconciled. Goods may leave for an ' +
      'authorisation, too, until a capture of it is declined.',
    'A sound merchant may need time, and its cron job, to get everything right.',
  ),
}
