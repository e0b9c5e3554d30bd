import type { ScreenName } from '../../contract/sandbox/screens.ts'
import type { Status } from '../../contract/statuses.ts'
import { type StatusGroup, statusGroupOf } from '../../presentation/status.ts'
import type { Theme } from './theme.ts'

/** The sign and the style of each group of statuses. */
const looks = {
  success: ['✓', 'good'],
  fail: ['✗', 'bad'],
  closed: ['■', 'faint'],
  open: ['…', 'open'],
} as const satisfies Readonly<Record<StatusGroup, readonly [sign: string, style: keyof Theme]>>

/** The sign and the style of a status; of an unknown one, those of an open one. */
export const lookOf = (status: Status | undefined) =>
  looks[status === undefined ? 'open' : statusGroupOf(status)]

/** A state with its sign, in its colour. `word`: of the state. */
export function paintStatus(status: Status | undefined, theme: Theme, word: string): string {
  const [sign, style] = lookOf(status)
  return theme[style](`${sign} ${word}`)
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
