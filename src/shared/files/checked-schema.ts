import * as v from 'valibot'
import { DamagedFile, readChecked } from './checked-json.ts'

/**
 * The data of a checked file, as its schema has it; undefined for a missing file. Errors: DamagedFile with
 * the first wrong member, NewerFormat; an Error of the file system.
 */
export function readCheckedAs<S extends v.GenericSchema>(
  path: string,
  schema: S,
): v.InferOutput<S> | undefined {
  const read = readChecked(path)
  if (read === undefined) return undefined
  return checkedAs(path, schema, read.data)
}

/** The data of the file at that path, by its schema. Errors: DamagedFile with the first wrong member. */
export function checkedAs<S extends v.GenericSchema>(
  path: string,
  schema: S,
  data: unknown,
): v.InferOutput<S> {
  const parsed = v.safeParse(schema, data)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  throw new DamagedFile(path, `${v.getDotPath(issue) ?? 'it'}: ${issue.message}`)
}
