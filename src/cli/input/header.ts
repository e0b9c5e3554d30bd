import { sendingHeaders } from '../../contract/headers.ts'
import { http } from '../../shared/node-http.ts'
import { UsageError } from '../errors/exit-codes.ts'

/** A header typed as `name:value`. */
export function headerFrom(text: string): [name: string, value: string] {
  const [, name, value] = /^([^:\s]+)\s*:\s*(.*)$/.exec(text) ?? []
  try {
    http.validateHeaderName(name ?? '')
    http.validateHeaderValue(name ?? '', value ?? '')
  } catch {
    throw new UsageError(['--header', `${text} is not a header`], 'Write it as name:value')
  }
  return [name ?? '', value ?? '']
}

/** A header to send. */
export function sentHeaderFrom(text: string): [name: string, value: string] {
  const header = headerFrom(text)
  if (!sendingHeaders.has(header[0].toLowerCase())) return header
  throw new UsageError(['--header', `${header[0]} is set by HTTP itself`], 'Leave it out')
}
