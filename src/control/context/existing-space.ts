import { Refusal } from '../../contract/errors.ts'
import { capitalize } from '../../text/capitalize.ts'
import { nearest, suggestion } from '../../text/suggest.ts'
import type { Spaces } from './known-spaces.ts'

/** Errors: SBX_SPACE_NONE for an unknown space. */
export async function requireSpace(spaces: Spaces, name: string): Promise<void> {
  const names = (await spaces.list()).map((space) => space.name)
  if (!names.includes(name)) throw noSuchSpace(name, names)
}

/** The refusal for an unknown space. `names`: the ones to suggest. */
export const noSuchSpace = (name: string, names: readonly string[]): Refusal =>
  new Refusal('SBX_SPACE_NONE', {
    field: 'space',
    detail: `there is no space ${name.slice(0, 100)}`,
    remedy: nearest(name, names) === undefined ? undefined : capitalize(suggestion(name, names)),
  })
