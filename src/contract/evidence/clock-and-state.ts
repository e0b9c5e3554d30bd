import { assumption } from './claim.ts'

/** The clock, resets and snapshots. */
export const clockAndState = {
  clocks: assumption(
    'Rules and the expiry of an API key follow the sandbox clock. A stored time stays when the ' +
      "clock is set back: a retry, a host's answer or an expiry waits until the clock reaches it again. " +
      'Timers and clocks of the process are taken once, at import: fake timers that a test framework sets ' +
      'later do not affect the sandbox.',
    'Tests want to be at the end of a period without a wait, and fake timers would stop the server.',
    '`tillbox sandbox clock`',
  ),
  'wall-clock': assumption(
    'Header checks and the expiry of a wallet payload follow the wall clock, which is that of who sends them.',
    'Otherwise every client would break when the sandbox clock moves.',
  ),
  periods: assumption(
    'A period in which a request has to come includes its last moment: 30 days of an authorisation, 180 ' +
      'days of a refund, 10 minutes of X-Timestamp and of a used X-Client-Request-Id, 30 days of ' +
      'batch-close-list. What ends by itself is over at its moment: an unpaid payment, a session, an old ' +
      'key or secret, a token, the day of a void.',
    '"Must not exceed" and "within" include the limit.',
    null,
    { errors: ['SBX_REFUND_LATE', 'SBX_AUTH_EXPIRED'] },
  ),
  'clock-speed': assumption(
    'With a speed, what follows the sandbox clock happens that many times sooner: expiry, late answers, ' +
      'screens, retries of webhooks. What follows the wall clock stays: header checks, time limits of HTTP, ' +
      'the ends of tokens and spaces. The clock goes on at its speed while the sandbox is stopped, and after ' +
      'a restore. A due event comes a few milliseconds late, times the speed. Only reset ends a speed.',
    'One rule for everything, the same as without a speed. At 3600x, the highest, a day takes 24 s.',
    '`tillbox sandbox clock --speed 60x`',
  ),
  reset: assumption(
    'A reset deletes [what happened](control-interface.md#calls), and used request ids. What was set ' +
      'stays, added merchants too. A reset or restore [on the dashboard](dashboard.md) first saves ' +
      'the state, in one step with it: not if the last such snapshot is the same, or a reset finds nothing ' +
      'stored.',
    'A terminal that waits for a person must not approve by itself after a reset. One click must not lose ' +
      'work.',
    'another `--state`, `--everything`',
  ),
  restore: assumption(
    'A snapshot or an export, also one with CRLF line ends or a byte order mark, brings back ' +
      '[transactions and everything that happened with them](snapshots.md#what-it-holds), but not who may ' +
      'call. [Details](#restore).',
    'A restore must not lock its caller out or revive a key.',
    '`tillbox sandbox export --with-secrets`',
    {
      errors: ['SBX_SNAP_NAME', 'SBX_SNAP_NONE', 'SBX_SNAP_EXISTS', 'SBX_SNAP_READ', 'SBX_NOT_EMPTY'],
      unchanged: ['SBX_SNAP_NAME', 'SBX_SNAP_NONE', 'SBX_SNAP_EXISTS', 'SBX_SNAP_READ', 'SBX_NOT_EMPTY'],
    },
  ),
}
