import { randomBytes } from 'node:crypto'
import type { spaceControls, tokenControls } from '../../contract/control/controls/application-controls.ts'
import type { ControlInput } from '../../contract/control/controls/controls.ts'
import { basePathOfSpace, firstSpace } from '../../contract/control/spaces.ts'
import { reservedTokenNames, type Scope, startTokenName } from '../../contract/control/tokens.ts'
import { reject, rejectField } from '../../contract/errors.ts'
import { mayUse } from '../access/grants.ts'
import { type Call, sharedOriginOf } from '../http/call.ts'
import { type ControlContext, type ControlHandlers, noSuchSpace, type Spaces } from './control-context.ts'

/** Default number of listed audit lines. */
const usualLimit = 100

/** The handlers of tokens and of the audit log. */
export const accessHandlers: ControlHandlers<keyof typeof tokenControls> = {
  tokens: async ({ access }) => ({ tokens: await access.list() }),
  'create-token': createToken,
  'revoke-token': async (context, _, call) => {
    await revokeToken(context, call.req.param('name') ?? '')
    return { tokens: await context.access.list() }
  },
  audit: (context, input, call) => listAudit(context, input, call.get('grant')?.scope),
}

/** Errors: C17, SBX_SPACE_NONE, SBX_TOKEN_EXISTS, SBX_STORE_FAIL. */
export async function createToken(
  { access, spaces }: ControlContext,
  { name, scope, space, ttlMs }: ControlInput<'create-token'>,
  call: Call,
) {
  if (reservedTokenNames.includes(name))
    rejectField('name', `must be none of ${reservedTokenNames.join(', ')}`)
  if (scope === 'space' && space == null) rejectField('space', 'must name the space that the token is for')
  if ((scope === 'admin' || scope === 'spaces') && space != null)
    rejectField('space', `must be left out: the scope ${scope} is for more than one space`)
  if (space != null && spaces !== null) await existing(spaces, call, space)
  const created = await access.tokens.create({ name, scope, space: space ?? null, ttlMs: ttlMs ?? null })
  call.set('made', name)
  return created
}

/** Errors: SBX_TOKEN_NONE, SBX_STORE_FAIL. */
export async function revokeToken({ access }: ControlContext, name: string): Promise<void> {
  if (name === startTokenName && access.isRequired)
    reject('SBX_TOKEN_NONE', {
      field: 'name',
      message: 'The token that the sandbox was started with cannot be revoked',
      remedy: 'Start the sandbox with another one: `tillbox sandbox restart --token generate`',
    })
  await access.tokens.revoke(name)
}

/**
 * The first space shows all entries, other spaces and their tokens only their own. `scope`: of the caller's
 * token, if it has one.
 */
export async function listAudit(
  { access, options: { spaceName } }: ControlContext,
  { limit, space, only }: ControlInput<'audit'>,
  scope: Scope | undefined,
) {
  const isAll = spaceName === firstSpace && scope !== 'space'
  if (!isAll && space != null && space !== spaceName)
    reject('SBX_SCOPE', {
      field: 'space',
      detail: `this space cannot show the audit log of the space ${space}`,
      remedy: 'Ask the server itself with a token of scope admin: `tillbox audit --space <space>`',
    })
  const count = limit == null ? usualLimit : Number(limit)
  return { entries: await access.audit.latest(count, isAll ? (space ?? null) : spaceName, only ?? undefined) }
}

/** Handlers of the control table's rows for spaces. */
export const spaceHandlers: ControlHandlers<keyof typeof spaceControls> = {
  spaces: (context, _, call) => listSpaces(requireSpaces(context), call),
  'create-space': createSpace,
  space: async (context, _, call) => {
    const spaces = requireSpaces(context)
    return withUrl(await spaces.open(await existing(spaces, call)), call)
  },
  'remove-space': async (context, _, call) => {
    await removeSpace(context, call)
    return listSpaces(requireSpaces(context), call)
  },
}

/** Errors: SBX_SPACE_EXISTS, SBX_STORE_FAIL. */
export async function createSpace(context: ControlContext, order: ControlInput<'create-space'>, call: Call) {
  const { ttlMs, name } = order
  const named = name ?? `space-${randomBytes(4).toString('hex')}`
  const made = await requireSpaces(context).create(named, ttlMs ?? null, call.get('grant')?.id ?? null)
  call.set('made', made.name)
  return withUrl(made, call)
}

/** Removes the space in the path. */
export async function removeSpace(context: ControlContext, call: Call): Promise<void> {
  const spaces = requireSpaces(context)
  const name = await existing(spaces, call)
  if (name === firstSpace) reject('SBX_SPACE_FIRST', { field: 'space' })
  await spaces.remove(name)
}

/** Errors: SBX_NO_PATH when no server runs the sandbox. */
export const requireSpaces = <S>({ spaces }: { readonly spaces: S | null }): S =>
  spaces ?? reject('SBX_NO_PATH', { field: 'path', detail: 'this sandbox is not run by a server' })

const listSpaces = async (spaces: Spaces, call: Call) => ({
  spaces: (await spacesFor(spaces, call)).map((space) => withUrl(space, call)),
})

/** The spaces that the caller may use. */
async function spacesFor(spaces: Spaces, call: Call) {
  const grant = call.get('grant')
  return (await spaces.list()).filter((space) => grant === undefined || mayUse(grant, space))
}

const withUrl = <T extends { readonly name: string }>(space: T, call: Call) => ({
  ...space,
  url: sharedOriginOf(call) + basePathOfSpace(space.name),
})

/** The space in the path, or another one. */
async function existing(spaces: Spaces, call: Call, name = call.req.param('space') ?? ''): Promise<string> {
  const names = (await spacesFor(spaces, call)).map((space) => space.name)
  if (names.includes(name)) return name
  if (!(await spaces.list()).some((space) => space.name === name)) throw noSuchSpace(name, names)
  return reject('SBX_SCOPE', {
    field: 'token',
    detail: `the token ${call.get('grant')?.name} did not make the space ${name}, and its scope allows no other`,
  })
}
