import { randomBytes } from 'node:crypto'
import { reject } from '../contract/errors.ts'
import type { ControlInput } from '../contract/sandbox/controls/controls.ts'
import type { SpaceAccess, SpaceList } from '../contract/sandbox/spaces/space-answers.ts'
import { basePathOfSpace, firstSpace } from '../contract/sandbox/spaces/space-name.ts'
import { type Call, sharedOriginOf } from '../http/call.ts'
import { requireSpace } from './context/existing-space.ts'
import type { Spaces } from './context/known-spaces.ts'

/** Context of the handlers. `spaces`: null for a sandbox that no server runs. */
export interface SpacesContext {
  readonly spaces: Spaces | null
}

/** Handlers of the control table's rows for spaces. */
export const spaceHandlers = {
  spaces: (context: SpacesContext, _: object, call: Call): Promise<SpaceList> =>
    listSpaces(spacesOf(context), call),
  'create-space': async (
    context: SpacesContext,
    { name, ttlMs }: ControlInput<'create-space'>,
    call: Call,
  ): Promise<SpaceAccess> => {
    const made = await spacesOf(context).create(name ?? newName(), ttlMs ?? null)
    call.set('made', made.name)
    return withUrl(made, call)
  },
  space: async (context: SpacesContext, _: object, call: Call): Promise<SpaceAccess> => {
    const spaces = spacesOf(context)
    return withUrl(await spaces.open(await existing(spaces, call)), call)
  },
  'remove-space': async (context: SpacesContext, _: object, call: Call): Promise<SpaceList> => {
    const spaces = spacesOf(context)
    const name = await existing(spaces, call)
    if (name === firstSpace) reject('SBX_SPACE_FIRST', { field: 'space' })
    await spaces.remove(name)
    return listSpaces(spaces, call)
  },
}

/** Errors: SBX_NO_PATH when no server runs the sandbox. */
const spacesOf = ({ spaces }: SpacesContext): Spaces =>
  spaces ?? reject('SBX_NO_PATH', { field: 'path', detail: 'this sandbox is not run by a server' })

const listSpaces = async (spaces: Spaces, call: Call): Promise<SpaceList> => ({
  spaces: (await spaces.list()).map((space) => withUrl(space, call)),
})

const withUrl = <T extends { readonly name: string }>(
  space: T,
  call: Call,
): T & { readonly url: string } => ({
  ...space,
  url: sharedOriginOf(call) + basePathOfSpace(space.name),
})

/** The space in the path. Errors: SBX_SPACE_NONE. */
async function existing(spaces: Spaces, call: Call): Promise<string> {
  const name = call.req.param('space') ?? ''
  await requireSpace(spaces, name)
  return name
}

const newName = (): string => `space-${randomBytes(4).toString('hex')}`
