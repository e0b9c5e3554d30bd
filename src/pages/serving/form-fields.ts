import { rejectField } from '../../contract/errors.ts'
import { readAmount } from '../../contract/written-amount.ts'
import { limitLength, readBody } from '../../http/body.ts'
import type { Call } from '../../http/call.ts'
import { refuseCardData } from '../../http/card-data.ts'

/** Fields of a form by name, as they were typed. */
export type FormFields = Readonly<Record<string, string>>

/** Posted fields of a form. */
export interface PostedForm {
  /** Fields by name; a repeated field counts as missing, because it is ambiguous. */
  once(names: readonly string[]): FormFields
  /** Every value of a field that may be sent often, as boxes of a list are. */
  all(name: string): readonly string[]
}

/** Reads a form, whose content type is checked already. Errors: SBX_TOO_LARGE. */
export async function formOf(call: Call): Promise<PostedForm> {
  limitLength(call)
  const { text } = await readBody(call)
  const sent = new URLSearchParams(text)
  const isOnce = (name: string) => sent.getAll(name).length === 1
  return {
    once: (names) => Object.fromEntries(names.filter(isOnce).map((name) => [name, sent.get(name) ?? ''])),
    all: (name) => sent.getAll(name),
  }
}

/** The fields of a form that are sent once, by the names that are asked for. Errors: SBX_TOO_LARGE, SBX_CARD_DATA. */
export async function fieldsOf(call: Call, names: readonly string[]): Promise<FormFields> {
  const fields = (await formOf(call)).once(names)
  refuseCardData(JSON.stringify(fields))
  return fields
}

/** A typed amount in minor units; a whole number is in major units. Errors: C17 of the field, or of its currency. */
export function amountIn(typed: string, currency: string, field: string): number {
  const amount = readAmount(typed.trim(), currency, 'major')
  if (typeof amount === 'number') return amount
  const { kind, wrong, remedy } = amount
  const detail = kind === 'unreadable' ? remedy : `${wrong}. ${remedy}`
  return rejectField(kind === 'currency' ? 'priceCurrency' : field, detail)
}
