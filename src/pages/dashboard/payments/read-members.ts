import { Refusal } from '../../../contract/errors.ts'
import { amountIn } from '../../serving/form-fields.ts'
import type { Values } from './form-parts.tsx'

/** Amounts of a form in minor units; empty ones are left out. Errors: C17 of the field. */
export const typedAmounts = (
  values: Values,
  names: readonly string[],
  currency: string,
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    names
      .filter((name) => (values[name] ?? '').trim() !== '')
      .map((name) => [name, amountIn(values[name] ?? '', currency, name)]),
  )

/** The same without invalid ones: for updates while typing. */
export const readableAmounts = (values: Values, names: readonly string[], currency: string) =>
  Object.assign(
    {},
    ...names.map((name) => {
      try {
        return typedAmounts(values, [name], currency)
      } catch (error) {
        if (error instanceof Refusal) return {}
        throw error
      }
    }),
  ) as Readonly<Record<string, number>>

/** Fields of a form that are members as they were typed, without the empty ones. */
export const typedTexts = (values: Values, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.map((name) => [name, (values[name] ?? '').trim()] as const).filter(([, value]) => value !== ''),
  )
