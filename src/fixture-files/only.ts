import * as v from 'valibot'
import { suggestion } from '../text/suggest.ts'

/** An object with these members and no others. */
export const only = <const E extends v.ObjectEntries>(entries: E) =>
  v.strictObject(entries, ({ expected, path }) => {
    if (expected === 'never') return `is unknown; ${suggestion(nameIn(path), Object.keys(entries))}`
    return expected?.startsWith('"') ? 'is required' : 'must be an object'
  })

const nameIn = (path: readonly { readonly key?: unknown }[] | undefined): string =>
  String(path?.at(-1)?.key ?? '')
