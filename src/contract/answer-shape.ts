import * as v from 'valibot'
import { isObject } from '../shared/is-object.ts'

/** The shape of an answer or of an event. */
export type Shape = v.GenericSchema

/** How data differs from a shape: `data.transactionId is missing`; undefined if it matches. */
export function findMismatch(data: unknown, shape: Shape): string | undefined {
  if (data === undefined) return 'data is missing'
  if (!isObject(data)) return 'data is not an object'
  const [issue] = v.safeParse(shape, data, { abortEarly: true }).issues ?? []
  if (issue === undefined) return undefined
  return `data.${v.getDotPath(issue) ?? ''} ${issue.input === undefined ? 'is missing' : issue.message}`
}
