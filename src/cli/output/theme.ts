import { Chalk, type ChalkInstance, supportsColor, supportsColorStderr } from 'chalk'
import type { ScreenName } from '../../contract/control/screens.ts'
import { displayGroup, type ReadState, type StatusGroup } from '../../contract/presentation/status.ts'
import type { Status } from '../../contract/statuses.ts'
import { windowColumns } from '../../shared/text/display-width.ts'
import { printing } from './color.ts'

/** Colours, the same everywhere: off without a terminal and with NO_COLOR. And the terminal's width. */
export interface Theme {
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly open: (text: string) => string
  readonly strong: (text: string) => string
  readonly faint: (text: string) => string
  readonly link: (text: string) => string
  /** Columns of the terminal; infinite without one. */
  readonly width: number
}

/** A chalk for each level of colours. */
const chalks = ([0, 1, 2, 3] as const).map((level) => new Chalk({ level }))

/**
 * A theme that looks at its level and its width whenever it is used. Its colours can be read on a dark and on
 * a light background: yellow, and the light green and cyan of many terminals, vanish on white.
 */
function themeWith(level: () => number, width: () => number | undefined): Theme {
  const style = (styled: (chalk: ChalkInstance) => ChalkInstance) => (text: string) =>
    styled(chalks[level()] as ChalkInstance)(text)
  const fixed = (code: number, among16: 'green' | 'magenta' | 'cyan') =>
    style((chalk) => (chalk.level > 1 ? chalk.ansi256(code) : chalk[among16]))
  return {
    good: fixed(29, 'green'),
    bad: style((chalk) => chalk.red),
    open: fixed(130, 'magenta'),
    strong: style((chalk) => chalk.bold),
    faint: style((chalk) => chalk.dim),
    link: fixed(31, 'cyan'),
    get width() {
      return width() ?? Number.POSITIVE_INFINITY
    },
  }
}

/** The theme of standard output. */
export const theme = themeWith(
  () => colourLevel(supportsColor),
  () => windowColumns(process.stdout),
)

/** The theme of standard error. */
export const errorTheme = themeWith(
  () => colourLevel(supportsColorStderr),
  () => windowColumns(process.stderr),
)

/** A theme without colours, for files. */
export const plainTheme = themeWith(
  () => 0,
  () => undefined,
)

/** Columns of standard output; undefined where it is not a terminal. */
export const terminalWidth = (): number | undefined =>
  process.stdout.isTTY ? windowColumns(process.stdout) : undefined

/** The level of colours: 0 for none, 1 for sixteen. A flag wins over NO_COLOR. */
function colourLevel(support: typeof supportsColor): 0 | 1 | 2 | 3 {
  const { color } = printing
  if (color === 'always') return support === false ? 1 : support.level
  const silent = color === 'never' || (process.env.NO_COLOR ?? '') !== ''
  return silent || support === false ? 0 : support.level
}

const statusStyles = {
  success: ['✓', 'good'],
  fail: ['✗', 'bad'],
  closed: ['■', 'faint'],
  open: ['…', 'open'],
} as const satisfies Readonly<Record<StatusGroup, readonly [sign: string, style: keyof Theme]>>

/** A state as it was read; of another service its status may be unknown. */
type Painted = Omit<ReadState, 'status'> & { readonly status: Status | undefined }

/** The sign and the style of a state; of an unknown one, those of an open one. */
export const lookOf = ({ status, ...others }: Painted) =>
  statusStyles[status === undefined ? 'open' : displayGroup({ status, ...others })]

/** A state with its sign, in its colour. `word`: of the state. */
export function paintStatus(state: Painted, word: string, look = theme): string {
  const [sign, style] = lookOf(state)
  return look[style](`${sign} ${word}`)
}

/**
 * The name of a terminal's screen, or that it is not paired: faint when idle, marked during a payment, red
 * when offline.
 */
export function paintScreen(screen: ScreenName): string {
  if (screen === 'idle') return theme.faint(screen)
  return screen === 'offline' ? theme.bad(screen) : theme.open(screen === 'pairing' ? 'not paired' : screen)
}
