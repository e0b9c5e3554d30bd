import { assumption } from './claim.ts'

/** The clock, resets and snapshots. */
export const clockAndState = {
  clocks: assumption(
    'Rules and the expiry of API keys follow the sandbox clock. If the clock is set back, stored times ' +
      "stay: a retry, a host's answer or an expiry waits until the clock reaches its time again. The " +
      'sandbox takes timers and clocks of the process once, at import. Fake timers that a test framework ' +
      'sets later do not affect it.',
    'Tests can move to the end of a period without a wait. Fake timers would stop the server.',
    '`tillbox sandbox clock`',
  ),
  'wall-clock': assumption(
    'Header checks and the expiry of a wallet payload follow the wall clock, because clients and wallets ' +
      'send its time.',
    'Otherwise, every client would fail when the sandbox clock moves.',
  ),
  periods: assumption(
    'Deadlines for requests are inclusive: 30 days for a capture, 180 days for a refund, 10 minutes for ' +
      'X-Timestamp and a used X-Client-Request-Id, 30 days for batch-close-list. Automatic ends are ' +
      'exclusive: at its end time an unpaid payment, a session, an old key or secret, a token, or the day ' +
      'of a void is over.',
    '"Must not exceed" and "within" include the limit.',
    null,
    { errors: ['SBX_REFUND_LATE', 'SBX_AUTH_EXPIRED'] },
  ),
  'clock-speed': assumption(
    'With a speed such as `60x`, everything that follows the sandbox clock happens that many times ' +
      'sooner: expiry, late answers, screens, webhook retries. What follows the wall clock stays the same: ' +
      'header checks, HTTP time limits, the ends of tokens and spaces. The clock keeps its speed while the ' +
      'sandbox is stopped, and after a restore. A reset of the clock ends the speed.',
    'One rule for everything is the easiest. At `3600x`, the highest speed, a day takes 24 s.',
    '`tillbox sandbox clock --speed 60x`',
  ),
  reset: assumption(
    'A reset deletes [transactions and everything that belongs to them](control-interface.md#calls), and ' +
      'used request ids. Settings and added merchants stay. The [dashboard](dashboard.md) saves the state ' +
      'before a reset or restore, in one step with it. It saves nothing if its last such snapshot is the ' +
      'same, or if a reset finds nothing stored.',
    'A terminal that waits for a person must not approve by itself after a reset. One click must not ' +
      'lose work.',
    'another `--state`, `--everything`',
  ),
  restore: assumption(
    'A snapshot or an export restores [transactions and everything that belongs to ' +
      'them](snapshots.md#what-it-holds), but not keys, tokens and allow-lists. An export with CRLF line ' +
      'ends or a byte order mark works too. [Details](#restore).',
    'A restore must not lock its caller out or reactivate a key.',
    '`tillbox sandbox export --with-secrets`',
    {
      errors: ['SBX_SNAP_NAME', 'SBX_SNAP_NONE', 'SBX_SNAP_EXISTS', 'SBX_SNAP_READ', 'SBX_NOT_EMPTY'],
      unchanged: ['SBX_SNAP_NAME', 'SBX_SNAP_NONE', 'SBX_SNAP_EXISTS', 'SBX_SNAP_READ', 'SBX_NOT_EMPTY'],
    },
  ),
}
