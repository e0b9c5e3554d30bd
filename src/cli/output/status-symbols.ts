import type { ScreenName } from '../../contract/sandbox/screens.ts'
import type { Status } from '../../contract/statuses.ts'
import type { Theme } from './theme.ts'

/** The sign of each status. */
export const statusSymbols: Readonly<Record<Status, string>> = {
  INITIAL: '…',
  PROCESSING: '…',
  SUCCESS: '✓',
  FAIL: '✗',
  CLOSED: '■',
}

/**
 * The name of a terminal's screen, or that it is not paired: faint when idle, marked during a payment, red when
 * offline.
 */
export const paintScreen = (screen: ScreenName, theme: Theme): string =>
  screen === 'pairing'
    ? theme.open('not paired')
    : screen === 'idle'
      ? theme.faint(screen)
      : screen === 'offline'
        ? theme.bad(screen)
        : theme.open(screen)
