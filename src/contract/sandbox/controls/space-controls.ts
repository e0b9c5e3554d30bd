import * as v from 'valibot'
import { milliseconds, optional } from '../../member-kinds.ts'
import { type Control, get, post, remove } from '../control.ts'
import { spaceAccess, spaceList } from '../spaces/space-answers.ts'
import { spaceName, spaceNameRule } from '../spaces/space-name.ts'

/** How long a space may live at most, in milliseconds. */
const longestLife = 366 * 86_400_000

/** The spaces of a server. */
export const spaceControls = {
  spaces: get('/spaces', 'List the spaces of the server', {}, spaceList),
  'create-space': post(
    '/spaces',
    'Make a space: a sandbox of its own, with keys of its own',
    {
      name: optional(
        v.pipe(
          v.string('must be a string'),
          v.regex(spaceName, `must be ${spaceNameRule}`),
          v.description('Name of the space; without one, the server chooses it'),
        ),
      ),
      ttlMs: optional(milliseconds('Removed by itself after this many milliseconds', 1_000, longestLife)),
    },
    spaceAccess,
  ),
  space: get('/spaces/:space', 'Show a space, its API key included', {}, spaceAccess),
  'remove-space': remove('/spaces/:space', 'Remove a space with all that is in it', {}, spaceList),
} as const satisfies Record<string, Control>
