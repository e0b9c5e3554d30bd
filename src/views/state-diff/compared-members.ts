import type { MemberChange } from '../../contract/sandbox/checkpoint-answers.ts'

/** The compared members of a record; null: absent. */
export type ComparedMembers = Readonly<Record<string, MemberChange['to']>>

/** A record of a state: the members that identify it, and those that are compared. */
export interface ComparedRecord<I extends object> {
  readonly identity: I
  readonly members: ComparedMembers
}

/** A record that differs. */
type ChangedRecord<I extends object> = I & {
  readonly change: 'added' | 'removed' | 'changed'
  readonly changes: MemberChange[]
}

/** Records of the second map that differ from the first, in its order; then records that only the first has. */
export function diffRecords<I extends object>(
  from: ReadonlyMap<string, ComparedRecord<I>>,
  to: ReadonlyMap<string, ComparedRecord<I>>,
): ChangedRecord<I>[] {
  const found: ChangedRecord<I>[] = []
  for (const [key, { identity, members }] of to) {
    const before = from.get(key)
    if (before === undefined) found.push({ ...identity, change: 'added', changes: [] })
    else {
      const changes = changesBetween(before.members, members)
      if (changes.length > 0) found.push({ ...identity, change: 'changed', changes })
    }
  }
  for (const [key, { identity }] of from)
    if (!to.has(key)) found.push({ ...identity, change: 'removed', changes: [] })
  return found
}

/** Members that differ, in their order. */
export function changesBetween(from: ComparedMembers, to: ComparedMembers): MemberChange[] {
  const names = new Set([...Object.keys(from), ...Object.keys(to)])
  return [...names].flatMap((member) => {
    const [before, after] = [from[member] ?? null, to[member] ?? null]
    return before === after ? [] : [{ member, from: before, to: after }]
  })
}
