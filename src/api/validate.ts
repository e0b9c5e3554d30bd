import * as v from 'valibot'
import { rejectField } from './errors.ts'
import type { Operation } from './operations.ts'
import { nearest } from './suggest.ts'

type ObjectSchema = v.ObjectSchema<v.ObjectEntries, undefined>

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
  const notes = unknownMembers(operation.input, body)
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

/** spec: Rules for referenceOrderId and transactionRequestId 2 */
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

function unknownMembers(schema: ObjectSchema, body: Readonly<Record<string, unknown>>) {
  const found: { field: string; reason: string }[] = []
  for (const name of Object.keys(body)) {
    if (Object.hasOwn(schema.entries, name) || absent(body[name]) || body[name] === '') continue
    const meant = nearest(name, Object.keys(schema.entries))
    const shown = name.slice(0, 64)
    found.push({
      field: shown,
      reason: `is not a member of this request${meant ? `; did you mean ${meant}?` : ''}`,
    })
    if (found.length === 10) break
  }
  return found
}
