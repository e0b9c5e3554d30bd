import { validateHeaderName, validateHeaderValue } from 'node:http'
import { UsageError } from '../errors/usage-error.ts'

/** A header typed as `name:value`. Errors: UsageError. */
export function headerFrom(text: string): [name: string, value: string] {
  const [, name, value] = /^([^:\s]+)\s*:\s*(.*)$/.exec(text) ?? []
  try {
    validateHeaderName(name ?? '')
    validateHeaderValue(name ?? '', value ?? '')
  } catch {
    throw new UsageError(`--header ${text} is not a header`, 'Write it as name:value', 'header')
  }
  return [name ?? '', value ?? '']
}
