import { reject, rejectField } from '../contract/errors.ts'
import type { AuditList, CreatedToken, TokenList } from '../contract/sandbox/access/access-answers.ts'
import { reservedTokenNames, startTokenName } from '../contract/sandbox/access/token.ts'
import type { ControlInput } from '../contract/sandbox/controls/controls.ts'
import { firstSpace } from '../contract/sandbox/spaces/space-name.ts'
import type { Call } from '../http/call.ts'
import type { ControlContext } from './context/control-context.ts'
import { requireSpace } from './context/existing-space.ts'

type AccessContext = Pick<ControlContext, 'access' | 'options' | 'spaces'>

/** Default number of listed audit lines. */
const usualLimit = 100

/** The handlers of tokens and of the audit log. */
export const accessHandlers = {
  tokens: listTokens,
  'create-token': createToken,
  'revoke-token': async (context: AccessContext, _: object, call: Call): Promise<TokenList> => {
    await revokeToken(context, call.req.param('name') ?? '')
    return listTokens(context)
  },
  audit: listAudit,
}

async function listTokens({ access }: AccessContext): Promise<TokenList> {
  return { tokens: await access.list() }
}

/** Errors: C17, SBX_SPACE_NONE, SBX_TOKEN_EXISTS, SBX_STORE_FAIL. */
async function createToken(
  { access, spaces }: AccessContext,
  { name, scope, space, ttlMs }: ControlInput<'create-token'>,
  call: Call,
): Promise<CreatedToken> {
  if (reservedTokenNames.includes(name))
    rejectField('name', `must be none of ${reservedTokenNames.join(', ')}`)
  if (scope === 'space' && space == null) rejectField('space', 'must name the space that the token is for')
  if (scope === 'admin' && space != null)
    rejectField('space', 'must be left out: the scope admin is for every space')
  if (space != null && spaces !== null) await requireSpace(spaces, space)
  const created = await access.tokens.create({ name, scope, space: space ?? null, ttlMs: ttlMs ?? null })
  call.set('made', name)
  return created
}

/** Errors: SBX_TOKEN_NONE, SBX_STORE_FAIL. */
async function revokeToken({ access }: AccessContext, name: string): Promise<void> {
  if (name === startTokenName && access.isRequired)
    reject('SBX_TOKEN_NONE', {
      field: 'name',
      message: 'The token that the sandbox was started with cannot be revoked',
      remedy: 'Start the sandbox with another one: tillbox sandbox restart --token generate',
    })
  await access.tokens.revoke(name)
}

/** The first space shows all entries, other spaces and their tokens only their own. Errors: SBX_SCOPE. */
async function listAudit(
  { access, options: { spaceName } }: AccessContext,
  { limit, space, only }: ControlInput<'audit'>,
  call: Call,
): Promise<AuditList> {
  const isAll = spaceName === firstSpace && call.get('grant')?.scope !== 'space'
  if (!isAll && space != null && space !== spaceName)
    reject('SBX_SCOPE', {
      field: 'space',
      detail: `this space cannot show the audit log of the space ${space}`,
      remedy: 'Ask the server itself with a token of scope admin: tillbox audit --space <space>',
    })
  const count = limit == null ? usualLimit : Number(limit)
  return { entries: await access.audit.latest(count, isAll ? (space ?? null) : spaceName, only ?? undefined) }
}
