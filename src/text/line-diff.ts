/** A line of two texts: in both, only in the one before, or only in the one after. */
export interface DiffLine {
  readonly in: 'both' | 'before' | 'after'
  readonly text: string
}

/** Most pairs of lines to compare; in longer texts every line between the equal ends counts as changed. */
const mostPairs = 1_000_000

/** What changed between two texts, line by line: the longest common lines stay, removed lines stand before added ones. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const start = equalAtStart(before, after)
  const end = equalAtStart(before.slice(start).reverse(), after.slice(start).reverse())
  const [one, other] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  return [
    ...before.slice(0, start).map(inBoth),
    ...(one.length * other.length > mostPairs ? replaced(one, other) : middle(one, other)),
    ...before.slice(before.length - end).map(inBoth),
  ]
}

const inBoth = (text: string): DiffLine => ({ in: 'both', text })
const removed = (text: string): DiffLine => ({ in: 'before', text })
const added = (text: string): DiffLine => ({ in: 'after', text })

const replaced = (before: readonly string[], after: readonly string[]): DiffLine[] => [
  ...before.map(removed),
  ...after.map(added),
]

function equalAtStart(one: readonly string[], other: readonly string[]): number {
  let count = 0
  while (count < one.length && count < other.length && one[count] === other[count]) count += 1
  return count
}

/** The diff of lines whose first and last ones differ, by their longest common subsequence. */
function middle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const lengths = commonLengths(before, after)
  const lines: DiffLine[] = []
  let [at, to] = [0, 0]
  while (at < before.length || to < after.length) {
    const [one, other] = [before[at], after[to]]
    if (one !== undefined && one === other) {
      lines.push(inBoth(one))
      at += 1
      to += 1
    } else if (
      one !== undefined &&
      (other === undefined || lengthAt(lengths, at + 1, to) >= lengthAt(lengths, at, to + 1))
    ) {
      lines.push(removed(one))
      at += 1
    } else {
      lines.push(added(other as string))
      to += 1
    }
  }
  return lines
}

const lengthAt = (lengths: readonly Uint32Array[], at: number, to: number): number => lengths[at]?.[to] ?? 0

function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  for (let at = before.length - 1; at >= 0; at -= 1)
    for (let to = after.length - 1; to >= 0; to -= 1)
      (lengths[at] as Uint32Array)[to] =
        before[at] === after[to]
          ? lengthAt(lengths, at + 1, to + 1) + 1
          : Math.max(lengthAt(lengths, at + 1, to), lengthAt(lengths, at, to + 1))
  return lengths
}
