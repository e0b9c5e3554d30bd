import * as v from 'valibot'

/** Help line of a member. */
export const helpOf = (schema: v.GenericSchema): string => v.getDescription(unwrap(schema)) ?? ''

/** The schema without its `optional` wrapper. */
export function unwrap(schema: v.GenericSchema): v.GenericSchema {
  return 'wrapped' in schema ? (schema.wrapped as v.GenericSchema) : schema
}
