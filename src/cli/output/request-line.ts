import type { RequestSummary } from '../../contract/sandbox/request-log.ts'
import { hangingText } from '../../text/wrap.ts'
import { clean, cleanLines } from './clean.ts'
import { type Theme, themeOf } from './theme.ts'
import { clockTime } from './time.ts'

/** A handled request, as far as it is shown. */
export type ShownRequest = Pick<
  RequestSummary,
  'at' | 'method' | 'path' | 'status' | 'code' | 'durationMs' | 'notes' | 'fault'
>

/** One line a request, for the window in which the sandbox runs. */
export function renderRequest({
  at,
  method,
  path,
  status,
  code,
  durationMs,
  notes,
  fault,
}: ShownRequest): string {
  const theme = themeOf('stderr')
  const outcome = code === '0' ? theme.good(`${status} 0`) : theme.bad(`${status} ${code}`)
  const what = clean(`${method.padEnd(4)} ${path.replace('/v1/semi-integration/transaction/', '…/')}`)
  const said = fault === null ? notes : [`injected fault: ${fault}`, ...notes]
  const note = said.map((text) => `\n           ${theme.faint(clean(text))}`).join('')
  return `${theme.faint(clockTime(at))} ${what.padEnd(32)} ${outcome} ${theme.faint(`${durationMs.toFixed(1)} ms`)}${note}\n`
}

/** Something that a person should know. */
export const renderReport = (message: string, theme: Theme = themeOf('stderr')): string =>
  `${theme.open('!')} ${hangingText(cleanLines(message), 2, theme.width)}\n`
