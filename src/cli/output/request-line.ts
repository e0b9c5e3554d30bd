import type { RequestSummary } from '../../contract/control/request-log-answers.ts'
import { stateInWords } from '../../contract/presentation/status.ts'
import { isFinal, type Status } from '../../contract/statuses.ts'
import { clip, hangingText, pad } from '../../shared/text/display-width.ts'
import { hint } from '../hints/same-sandbox.ts'
import { clean, cleanLines } from './clean.ts'
import { clockTime } from './render-time.ts'
import { lookOf, errorTheme as theme } from './theme.ts'

/** The shown parts of a handled request. */
export type ShownRequest = Pick<
  RequestSummary,
  'at' | 'method' | 'path' | 'status' | 'code' | 'durationMs' | 'notes' | 'fault'
> & { readonly operation?: string | null }

/** The transaction of a request, as it is when the line is written. */
export interface RequestOutcome {
  /** `25.00 USD`. */
  readonly amount: string
  readonly status: Status
  /** `005 Do not honor`, or `a person at TBX-ATTENDED-001`; empty where the status says it all. */
  readonly why: string
}

/** Columns of the operation, the amount and the duration; then of everything but the outcome. */
const [whatWidth, amountWidth, tookWidth] = [16, 12, 9]
const otherColumns = 9 + 1 + whatWidth + 1 + amountWidth + 2 + 1 + tookWidth

/** Minimum columns of the outcome, and maximum columns of a line, so that it stays easy to read. */
const [narrowest, widest] = [20, 110]

/**
 * One line a request, for the window of the sandbox: time, operation, amount, outcome in words, duration;
 * below it the reason of a refusal, and notes.
 */
export function renderRequest(entry: ShownRequest, outcome?: RequestOutcome | null): string {
  const { at, method, path, code, durationMs, notes, fault, operation } = entry
  const room = Math.max(Math.min(theme.width, widest) - otherColumns - 1, narrowest)
  const pathWidth = whatWidth + 1 + amountWidth
  const head =
    operation == null
      ? pad(clip(clean(`${method} ${path}`), pathWidth), pathWidth)
      : `${pad(clip(clean(operation), whatWidth), whatWidth)} ${(outcome?.amount ?? '').padStart(amountWidth)}`
  const paint =
    code !== '0' ? theme.bad : outcome == null ? theme.faint : theme[lookOf({ status: outcome.status })[1]]
  const words = pad(clip(clean(code === '0' ? outcomeInWords(outcome) : `✗ refused ${code}`), room), room)
  const remarks = fault === null ? notes : [`injected fault: ${fault}`, ...notes]
  const note = remarks
    .map((text) => `${' '.repeat(10)}${theme.faint(hangingText(hint(clean(text)), 10, theme.width))}\n`)
    .join('')
  const took = theme.faint(`${durationMs.toFixed(1)} ms`.padStart(tookWidth))
  return `${theme.faint(clockTime(at))} ${head}  ${paint(words)} ${took}\n${note}`
}

/** `✓ approved`, `✗ declined: 005 Do not honor`, `… waits for a person at TBX-1`. */
function outcomeInWords(outcome: RequestOutcome | null | undefined): string {
  if (outcome == null) return 'accepted'
  const { status, why } = outcome
  const [mark] = lookOf({ status })
  if (!isFinal(status)) return why === '' ? `${mark} pending` : `${mark} waits for ${why}`
  return `${mark} ${stateInWords({ status })}${why === '' ? '' : `: ${why}`}`
}

/** Something that a person should know; its lines are wrapped to the window. */
export function renderReport(message: string): string {
  const { open, width } = theme
  return `${open('!')} ${hangingText(cleanLines(message), 2, width)}\n`
}
