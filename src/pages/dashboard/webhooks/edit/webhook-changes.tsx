import { isSignatureHeader } from '../../../../signature/signature.ts'
import { type DiffLine, diffLines } from '../../../../text/line-diff.ts'
import { indented } from '../../../components/bodies/format-json.ts'
import { plural } from '../../../components/format.ts'
import { Panel } from '../../../components/panel.tsx'
import type { Values } from '../../payments/form-parts.tsx'
import { draftOf, type OriginalAttempt } from './draft.ts'

interface ChangesProps {
  readonly original: OriginalAttempt
  readonly values: Values
}

/** The difference between the edited webhook and the previous attempt: headers, then the body. */
export const Changes = ({ original, values }: ChangesProps) => {
  const { body = '', headers = '', signature } = values
  const isSigned = signature !== 'kept'
  const [headersBefore, headersNow] = [draftOf(original).headers ?? '', headers].map((text) =>
    linesOf(text).filter((line) => !(isSigned && isSignatureHeader(line.split(':')[0]?.trim() ?? ''))),
  )
  const headerLines = diffLines(headersBefore ?? [], headersNow ?? [])
  const bodyLines = diffLines(indented(original.body).split('\n'), indented(body).split('\n'))
  const isSame = original.body === body
  return (
    <Panel
      title="Changes"
      name="changes"
      note={
        <span class="panel-note note">
          against {original.attempt === '' ? 'a new one' : `attempt ${original.attempt}`}
        </span>
      }
    >
      <h3>Headers</h3>
      <Diff lines={headerLines} same="No header is changed." />
      {isSigned ? (
        <p class="quiet soft small">Time and signature are regenerated when it is sent.</p>
      ) : (
        !isSame && (
          <p class="diff-warning">
            The old signature does not fit this body: a receiver that verifies it will reject it.
          </p>
        )
      )}
      <h3>Body</h3>
      <Diff
        lines={bodyLines}
        same={isSame ? 'Not changed: the same bytes.' : 'The same JSON, with other white space.'}
      />
    </Panel>
  )
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')

/** Unchanged lines that are shown on each side of a changed one. */
const around = 2

interface DiffProps {
  readonly lines: readonly DiffLine[]
  /** Text when no line is changed. */
  readonly same: string
}

/** Changed lines with those around them. */
const Diff = ({ lines, same }: DiffProps) => {
  if (lines.every((line) => line.in === 'both')) return <p class="quiet soft small">{same}</p>
  return (
    <ol class="diff on-sunken lined round-s">
      {partsOf(lines).map((part) =>
        typeof part === 'number' ? (
          <li class="diff-gap soft">{plural(part, 'line')} not changed</li>
        ) : (
          <li class={`diff-${part.in}`}>
            {part.in !== 'both' && (
              <span class="visually-hidden">{part.in === 'before' ? 'Removed: ' : 'Added: '}</span>
            )}
            {part.text}
          </li>
        ),
      )}
    </ol>
  )
}

/** Lines that are shown, and between them how many are left out. */
function partsOf(lines: readonly DiffLine[]): (DiffLine | number)[] {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - around), at + around + 1).some((line) => line.in !== 'both')
  const parts: (DiffLine | number)[] = []
  for (const [at, line] of lines.entries()) {
    const last = parts.at(-1)
    if (isNear(at)) parts.push(line)
    else if (typeof last === 'number') parts[parts.length - 1] = last + 1
    else parts.push(1)
  }
  return parts
}
