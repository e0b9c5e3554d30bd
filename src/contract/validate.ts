import * as v from 'valibot'
import { nearest } from '../shared/text/suggest.ts'
import { rejectField } from './errors.ts'
import { chosenFor } from './member-kinds.ts'
import type { Operation } from './operations.ts'

/** Members of a request or an answer, by name. */
export type Members = Readonly<Record<string, unknown>>

/**
 * Checks a decoded request of the service against its row of the table; empty members count as absent.
 * `notes`: for the request log. assumption: field-reading
 */
export function validateRequest<O extends Pick<Operation, 'input' | 'forbids'>>(
  { input: schema, forbids = [] }: O,
  body: Members,
  strict: boolean,
): { readonly input: v.InferOutput<O['input']>; readonly notes: readonly string[] } {
  const members = withoutEmpty(body, schema.entries)
  for (const name of forbids)
    if (!absent(members[name]) && members[name] !== '') rejectField(name, notSentHere)
  const unknown = unknownMembers(schema.entries, members, forbids)
  if (strict) refuseUnknown(unknown)
  const notes = unknown.map(({ field, reason }) => `${field}: ${reason}`)
  return { input: parsed(schema, members, unknown), notes }
}

/** Checks a decoded request of the control interface. */
export function validate<O extends Pick<Operation, 'input'>>(
  { input: schema }: O,
  body: Members,
): v.InferOutput<O['input']> {
  refuseUnknown(unknownMembers(schema.entries, body, []))
  return parsed(schema, body)
}

/** A member of `unknown` named much like the refused field is named with it: a refusal has no notes. */
function parsed<S extends Operation['input']>(schema: S, members: Members, unknown: readonly Unknown[] = []) {
  const result = v.safeParse(schema, members, { abortEarly: true, abortPipeEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  const field = v.getDotPath(issue) ?? 'body'
  const mistyped = unknown.find(({ meant }) => meant === field)
  const reason = absent(issue.input) ? 'is required' : issue.message
  return rejectField(field, reason + (mistyped ? `; ${mistyped.field} ${mistyped.reason}` : ''))
}

/** docs/api.md#ids-2 */
const notSentHere = 'must not be sent here; the transaction is linked through originalTransactionId'

/**
 * The members without those of the schema that are `null` or an empty text, nested ones included; `attach` is
 * returned as it was sent. Most requests have none, and are not copied. assumption: field-reading
 */
function withoutEmpty(members: Members, entries: v.ObjectEntries): Members {
  let copy: Record<string, unknown> | undefined
  for (const name of Object.keys(members)) {
    const value = members[name]
    if (!Object.hasOwn(entries, name)) continue
    const cleaned =
      isEmpty(value) && !(name === 'attach' && value === '')
        ? undefined
        : withoutEmptyInside(value, entries[name] as v.GenericSchema)
    if (cleaned === value) continue
    copy ??= { ...members }
    if (cleaned === undefined) delete copy[name]
    else copy[name] = cleaned
  }
  return copy ?? members
}

function withoutEmptyInside(value: unknown, schema: v.GenericSchema): unknown {
  if (typeof value !== 'object' || value === null) return value
  const chosen = chosenFor(schema, value)
  if (!Array.isArray(value))
    return 'entries' in chosen ? withoutEmpty(value as Members, chosen.entries as v.ObjectEntries) : value
  const item = 'item' in chosen ? (chosen.item as v.GenericSchema) : undefined
  return item === undefined ? value : value.map((each) => withoutEmptyInside(each, item))
}

const isEmpty = (value: unknown): boolean => value === null || value === ''

const absent = (value: unknown): boolean => value === undefined || value === null

interface Unknown {
  readonly field: string
  readonly reason: string
  /** Path of the known field whose name is nearest. */
  readonly meant: string | undefined
}

/** Maximum number of unknown members that are named. */
const mostUnknown = 10

/**
 * Members that the schema does not have, those of objects inside and in lists included. `forbidden`: skipped,
 * because they are absent or empty.
 */
function unknownMembers(
  entries: v.ObjectEntries,
  body: Members,
  forbidden: readonly string[],
  path = '',
  found: Unknown[] = [],
): readonly Unknown[] {
  for (const name of Object.keys(body)) {
    const value = body[name]
    if (absent(value) || forbidden.includes(name) || found.length >= mostUnknown) continue
    const schema = Object.hasOwn(entries, name) ? entries[name] : undefined
    if (schema === undefined) found.push(unknownMember(name, path, Object.keys(entries)))
    else unknownInside(schema, value, path + name, found)
  }
  return found
}

function unknownInside(schema: v.GenericSchema, value: unknown, path: string, found: Unknown[]): void {
  if (typeof value !== 'object' || value === null) return
  const { entries, item } = chosenFor(schema, value) as { entries?: v.ObjectEntries; item?: v.GenericSchema }
  if (entries && Array.isArray(value)) rejectField(path, 'must be an object, but is a list')
  if (entries) unknownMembers(entries, value as Members, [], `${path}.`, found)
  else if (item && Array.isArray(value))
    for (const [index, each] of value.entries()) unknownInside(item, each, `${path}.${index}`, found)
}

/** Refuses the first unknown member. */
function refuseUnknown([first]: readonly Unknown[]): void {
  if (first !== undefined) rejectField(first.field, first.reason)
}

function unknownMember(name: string, path: string, memberNames: readonly string[]): Unknown {
  const similar = nearest(name, memberNames)
  const meant = similar && path + similar
  const reason = `is an unknown field${meant ? `; did you mean ${meant}?` : ''}`
  return { field: path + (name.slice(0, 64) || '""'), reason, meant }
}
