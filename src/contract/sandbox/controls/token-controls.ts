import * as v from 'valibot'
import { milliseconds, oneOf, optional } from '../../member-kinds.ts'
import { auditKinds, auditList, createdToken, tokenList } from '../access/access-answers.ts'
import { scopes, tokenName, tokenNameRule } from '../access/token.ts'
import { type Control, get, post, remove } from '../control.ts'
import { spaceName } from '../spaces/space-name.ts'
import { limitMember } from '../transactions/transaction-list.ts'

const day = 86_400_000

const space = (help: string) =>
  v.pipe(
    v.string('must be a string'),
    v.regex(spaceName, 'must be 1 to 48 small letters, digits and dashes, the first no dash'),
    v.description(help),
  )

/** Operations on the server's tokens, and the audit log. Paths with `:name` name a token. */
export const tokenControls = {
  tokens: get('/tokens', 'List the tokens by name, with scopes and times', {}, tokenList),
  'create-token': post(
    '/tokens',
    'Make a token; it is shown only once',
    {
      name: v.pipe(
        v.string('must be a string'),
        v.regex(tokenName, `must be ${tokenNameRule}`),
        v.description('Name of the token'),
      ),
      scope: oneOf('What it may do', scopes),
      space: optional(space('Space that it is for; a viewer without one sees every space')),
      ttlMs: optional(milliseconds('How long it is valid; left out, until it is revoked', 1000, 3660 * day)),
    },
    createdToken,
  ),
  'revoke-token': remove('/tokens/:name', 'Revoke a token immediately; its event streams end', {}, tokenList),
  audit: get(
    '/audit',
    'List what was changed and by whom, and who was refused, the newest last',
    {
      limit: limitMember,
      space: optional(space('Only what concerned this space')),
      only: optional(oneOf('Only lines of this kind', auditKinds)),
    },
    auditList,
  ),
} as const satisfies Record<string, Control>
