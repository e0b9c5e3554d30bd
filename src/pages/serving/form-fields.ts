import { rejectField, rejectSaying } from '../../contract/errors.ts'
import { readAmount } from '../../contract/written-amount.ts'
import { limitLength, readBody } from '../../sandbox/http/body.ts'
import { basePathOf, type Call } from '../../sandbox/http/call.ts'
import { refuseCardData } from '../../sandbox/http/card-data.ts'
import type { Values } from '../frame/page-view.tsx'

/** Posted fields of a form. */
export type PostedForm = Awaited<ReturnType<typeof readForm>>

/** Reads a form, whose content type is checked already. */
export async function readForm(call: Call) {
  limitLength(call)
  const { text } = await readBody(call)
  const sent = new URLSearchParams(text)
  const isOnce = (name: string) => sent.getAll(name).length === 1
  const typed = (name: string) => (sent.get(name)?.trim() ? sent.get(name) : '') ?? ''
  return {
    /** Fields by name, blanks empty; a repeated field counts as missing, because it is ambiguous. */
    once: (names: readonly string[]): Values =>
      Object.fromEntries(names.filter(isOnce).map((name) => [name, typed(name)])),
    /** Every value of a field that may be sent often, as boxes of a list are. */
    all: (name: string): readonly string[] => sent.getAll(name),
  }
}

/** The fields of a form that are sent once, by the names that are asked for. */
export async function readFields(call: Call, names: readonly string[]): Promise<Values> {
  const fields = (await readForm(call)).once(names)
  refuseCardData(JSON.stringify(fields))
  return fields
}

/** A typed amount in minor units; a whole number is in major units. */
export function formAmount(typed: string, currency: string, field: string): number {
  if (currency === '') rejectField('priceCurrency', 'is required')
  const amount = readAmount(typed.trim(), currency, 'major')
  if (typeof amount === 'number') return amount
  const { kind, wrong, remedy } = amount
  const message = kind === 'unreadable' ? remedy : `${wrong}. ${remedy}`
  return rejectSaying(kind === 'currency' ? 'priceCurrency' : field, message)
}

/**
 * The page of this sandbox on which the button of a call was pressed, as a path without a base path;
 * `otherwise` when the browser sends no referrer, or it is not a page of this sandbox.
 */
export function pageBefore(call: Call, otherwise = '/'): string {
  const from = call.req.header('referer') ?? ''
  const basePath = basePathOf(call)
  if (!URL.canParse(from)) return otherwise
  const { pathname, searchParams } = new URL(from)
  if (!`${pathname}/`.startsWith(`${basePath}/`)) return otherwise
  searchParams.delete('notice')
  return `${pathname.slice(basePath.length)}${searchParams.size === 0 ? '' : `?${searchParams}`}`
}

/** The list that the form was sent from; `/` if it was a single record, which another state may not have. */
export function listBefore(call: Call): string {
  const path = pageBefore(call)
  return path.lastIndexOf('/') === 0 ? path : '/'
}
