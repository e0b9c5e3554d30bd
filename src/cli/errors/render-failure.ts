import { hangingText } from '../../shared/text/display-width.ts'
import { withoutUrlSecrets } from '../../shared/text/http-url.ts'
import type { Failure } from '../answer-shapes.ts'
import { hint } from '../hints/same-sandbox.ts'
import { cleanLines } from '../output/clean.ts'
import { jsonText } from '../output/json-text.ts'
import { errorTheme as theme } from '../output/theme.ts'

/** Ends with the failure, on standard error and as JSON on standard output. `indent`: 0 for one line. */
export function reportFailure(rawFailure: Failure, asJson: boolean, indent = 2): void {
  const failure = shownFailure(rawFailure)
  process.exitCode = failure.exitCode
  process.stderr.write(renderFailure(failure))
  if (asJson) process.stdout.write(jsonText({ error: failure }, indent))
}

/** Without the secrets of URLs, and with commands for the same sandbox. */
export const shownFailure = ({ message, detail, remedy, ...others }: Failure): Failure => ({
  ...others,
  message: withoutUrlSecrets(message),
  ...(detail !== undefined && { detail: withoutUrlSecrets(hint(detail)) }),
  ...(remedy !== undefined && { remedy: withoutUrlSecrets(hint(remedy)) }),
})

/** What went wrong, why, and what to do: for standard error. */
export function renderFailure(failure: Failure): string {
  const { message, detail, remedy } = failure
  const lines = [
    `${theme.bad('✗')} ${theme.strong(hangingText(cleanLines(message), 2, theme.width))}`,
    row('why', detail),
    row('field', failure.typed ?? failure.field),
    row('do', remedy),
    ...(failure.others ?? []).map(({ field, detail, msg }) =>
      row('also', [field, detail ?? msg].filter(Boolean).join(': ')),
    ),
    row(
      'code',
      [failure.code, failure.httpStatus && `HTTP ${failure.httpStatus}`].filter(Boolean).join(', '),
    ),
    row('request', failure.transactionRequestId),
    row('id', failure.transactionId),
    row('traceId', failure.traceId),
  ]
  return `${lines.filter((line) => line !== undefined).join('\n')}\n`
}

const row = (name: string, value: string | undefined): string | undefined =>
  value ? `  ${theme.faint(name.padEnd(8))}${hangingText(cleanLines(value), 10, theme.width)}` : undefined
