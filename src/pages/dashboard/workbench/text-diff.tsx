import { type DiffLine, diffLines } from '../../../text/line-diff.ts'
import { plural } from '../../components/format.ts'

/** Unchanged lines that are shown on each side of a changed one. */
const around = 1

/** Changed lines with those around them. `same`: text when no line is changed. */
export const textDiff = (before: readonly string[], now: readonly string[], same: string) => {
  const lines = diffLines(before, now)
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
