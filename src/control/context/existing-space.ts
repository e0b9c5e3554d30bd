import { Refusal } from '../../contract/errors.ts'
import { capitalize } from '../../text/capitalize.ts'
import { nearest, suggestion } from '../../text/suggest.ts'
import type { Spaces } from './known-spaces.ts'

/** Errors: SBX_SPACE_NONE for a space that there is not. */
export async function requireSpace(spaces: Spaces, name: string): Promise<void> {
  const names = (await spaces.list()).map((space) => space.name)
  if (!names.includes(name)) throw noSuchSpace(name, names)
}

/** The refusal of a space that there is not. `names`: those to propose. */
export const noSuchSpace = (name: string, names: readonly string[]): Refusal =>
  new Refusal('SBX_SPACE_NONE', {
    field: 'space',
    detail: `there is no space ${name.slice(0, 100)}`,
    remedy: nearest(name, names) === undefined ? undefined : capitalize(suggestion(name, names)),
  })
