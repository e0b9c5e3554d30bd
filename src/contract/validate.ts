import * as v from 'valibot'
import { nearest } from '../text/suggest.ts'
import { rejectField } from './errors.ts'
import { unwrap } from './member-kinds.ts'
import type { Operation } from './operations.ts'

/** A request that keeps the schema, and what deserves a note in the request log. */
export interface Validated<T> {
  readonly input: T
  readonly notes: readonly string[]
}

/**
 * Checks a decoded request against its row of the table.
 * Errors: C17 with field and reason; unknown members only when `strict`. assumption: unknown-members
 */
export function validate<O extends Pick<Operation, 'input' | 'forbids'>>(
  operation: O,
  body: Readonly<Record<string, unknown>>,
  strict: boolean,
): Validated<v.InferOutput<O['input']>> {
  for (const name of operation.forbids ?? []) refuseForbidden(name, body[name])
  const notes = unknownMembers(operation.input.entries, body)
  if (strict && notes[0] !== undefined) rejectField(notes[0].field, notes[0].reason)
  const result = v.safeParse(operation.input, withoutEmptyOrder(body), {
    abortEarly: true,
    abortPipeEarly: true,
  })
  if (!result.success) {
    const [issue] = result.issues
    rejectField(v.getDotPath(issue) ?? 'body', reasonOf(issue))
  }
  return { input: result.output, notes: notes.map(({ field, reason }) => `${field}: ${reason}`) }
}

/** docs/api.md#ids-2 */
function refuseForbidden(name: string, value: unknown): void {
  if (value !== undefined && value !== null && value !== '')
    rejectField(name, 'must not be sent here; the transaction is linked through originalTransactionId')
}

/** One public SDK sends an unset order identifier as an empty string. assumption: null-is-absent */
function withoutEmptyOrder(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return body.referenceOrderId === '' ? { ...body, referenceOrderId: null } : body
}

const absent = (value: unknown): boolean => value === undefined || value === null

function reasonOf(issue: v.BaseIssue<unknown>): string {
  return absent(issue.input) ? 'is required' : issue.message
}

interface Unknown {
  readonly field: string
  readonly reason: string
}

/** At most so many are told of. */
const mostUnknown = 10

/** Members that no schema has, also inside members that are objects. Errors: C17 for a list in place of an object. */
function unknownMembers(
  entries: v.ObjectEntries,
  body: Readonly<Record<string, unknown>>,
  path = '',
  found: Unknown[] = [],
): readonly Unknown[] {
  for (const name of Object.keys(body)) {
    const value = body[name]
    if (absent(value) || (value === '' && name === 'referenceOrderId') || found.length >= mostUnknown)
      continue
    const schema = Object.hasOwn(entries, name) ? entries[name] : undefined
    if (schema === undefined) found.push(unknownMember(name, path, Object.keys(entries)))
    else if (typeof value === 'object') {
      const inner = entriesOf(schema, value)
      if (inner && Array.isArray(value)) rejectField(path + name, 'must be an object, but is a list')
      if (inner) unknownMembers(inner, value as Record<string, unknown>, `${path}${name}.`, found)
    }
  }
  return found
}

function unknownMember(name: string, path: string, known: readonly string[]): Unknown {
  const similar = nearest(name, known)
  const reason = `is not a member of this request${similar ? `; did you mean ${path}${similar}?` : ''}`
  return { field: path + (name.slice(0, 64) || '""'), reason }
}

/** The members of a member that is an object; some members choose their schema by the value. */
function entriesOf(schema: unknown, value: unknown): v.ObjectEntries | undefined {
  const plain = unwrap(schema as v.GenericSchema)
  const chosen = 'getter' in plain ? (plain.getter as (value: unknown) => object)(value) : plain
  return 'entries' in chosen ? (chosen.entries as v.ObjectEntries) : undefined
}
