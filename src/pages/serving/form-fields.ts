import { limitLength } from '../../http/body.ts'
import type { Call } from '../../http/call.ts'

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
  await limitLength(call)
  const sent = new URLSearchParams(await call.req.text())
  const isOnce = (name: string) => sent.getAll(name).length === 1
  return {
    once: (names) => Object.fromEntries(names.filter(isOnce).map((name) => [name, sent.get(name) ?? ''])),
    all: (name) => sent.getAll(name),
  }
}

/** The fields of a form that are sent once, by the names that are asked for. Errors: SBX_TOO_LARGE. */
export const fieldsOf = async (call: Call, names: readonly string[]): Promise<FormFields> =>
  (await formOf(call)).once(names)
