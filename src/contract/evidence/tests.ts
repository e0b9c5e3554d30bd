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
    'Which situations are [judged](exam.md), and what is right in each. [Details](#coverage).',
    'The specification says what the service does, not what its clients must do.',
  ),
  laws: assumption(
    'Which [laws](exam.md#laws) the orders of a merchant keep, once faults have ended, 40 days have ' +
      'passed, terminals are online again and the merchant has reconciled. Goods may leave for an ' +
      'authorisation, too, until a capture of it is declined.',
    'A sound merchant may need time, and its cron job, to get everything right.',
  ),
}
