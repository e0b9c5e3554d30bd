import { type GenericSchema, getDotPath, safeParse } from 'valibot'

/** The shape of an answer or of an event. */
export type Shape = GenericSchema

/** Why data is not of a shape: `data.transactionId is missing`; undefined when it is. */
export function misfit(data: unknown, shape: Shape): string | undefined {
  if (data === undefined) return 'data is missing'
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return 'data is not an object'
  const [issue] = safeParse(shape, data, { abortEarly: true }).issues ?? []
  if (issue === undefined) return undefined
  return `data.${getDotPath(issue) ?? ''} ${issue.input === undefined ? 'is missing' : issue.message}`
}
