import { assumption } from './claim.ts'

/** Scenarios, helpers, and the judgement of merchants. */
export const tests = {
  scenarios: assumption(
    'In a [scenario](scenarios.md), `$name` refers to an earlier step. Payments must be approved unless ' +
      'the step expects something else. Webhooks are retried fast. A scenario may set how its sandbox ' +
      'behaves, but not [its address or access](options.md#address-and-access).',
    'A test that passes by mistake is worse than a failing one.',
    '`expect`, `wait` of a step; `sandbox` of a file',
  ),
  'test-helpers': assumption(
    'Before each test, a [helper of another language](other-languages.md#which-sandbox) resets the whole ' +
      'sandbox of the environment. The [library](library.md#the-sandbox-of-the-environment) with `connect: ' +
      "'env'` resets nothing.",
    'A test may move the clock, and a helper must fit in one short file. With the library, several test ' +
      'files run at the same time.',
    '`TILLBOX_BASE_URL`',
  ),
  coverage: assumption(
    '[The exam](exam.md) lists the situations that are judged, and what is right in each. ' +
      '[Details](#coverage).',
    'The specification says what the service does, not what its clients must do.',
  ),
  laws: assumption(
    "A merchant's orders must keep these [laws](exam.md#laws). They are checked after faults have ended, " +
      '40 days have passed, terminals are online again and the merchant has reconciled. Goods may also be ' +
      'shipped for an authorisation, until a capture of it is declined.',
    'A correct merchant may need time, and a cron job, to get everything right.',
  ),
}
