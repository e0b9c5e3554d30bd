import type { ScreenName } from '../../contract/sandbox/screens.ts'
import type { Theme } from './theme.ts'

/** What a terminal shows, by name; of one without a merchant, that it is not paired: faint at rest, marked while something goes on, red without its line. */
export const paintScreen = (screen: ScreenName, theme: Theme): string =>
  screen === 'pairing'
    ? theme.open('not paired')
    : screen === 'idle'
      ? theme.faint(screen)
      : screen === 'offline'
        ? theme.bad(screen)
        : theme.open(screen)
