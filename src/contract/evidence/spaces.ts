import { assumption } from './claim.ts'

/** Spaces, and where state is kept. */
export const spaces = {
  spaces: assumption(
    'A [space](spaces.md) is found by its API key, or by its path `/s/<space>`. [Details](#spaces).',
    'A client needs only its key, or another base URL.',
    '`tillbox space create --ttl`',
    {
      errors: ['SBX_SPACE_NONE', 'SBX_SPACE_EXISTS', 'SBX_SPACE_FIRST'],
      unchanged: ['SBX_SPACE_NONE', 'SBX_SPACE_EXISTS', 'SBX_SPACE_FIRST'],
    },
  ),
  'shared-store': assumption(
    'With `--store`, one node at a time serves a space. The other nodes [forward its ' +
      'requests](shared.md#how-it-works) to that node, with an encrypted seal. [Details](#shared-store).',
    'With one writer for each space, rules and order are the same as with files. Another program at a ' +
      "dead node's address must learn nothing.",
    '`--store`, `--set nodeUrl=`',
  ),
  'state-lock': assumption(
    'A [lock](lifecycle.md#the-lock) is valid while its process lives, in the folder that it was written ' +
      'for. If the process cannot be checked, it is valid while its file is touched.',
    'A process id may be used again, and a machine may wake up with a folder that another sandbox took ' +
      'over.',
  ),
  'state-ownership': assumption(
    "A state folder counts as another's if Git tracks a file in it, or if other users can read or write a " +
      'file that a sandbox makes for its owner alone. No sandbox starts on it. `.git…` files in it and ' +
      '`sandbox.log` do not count. Neither does the group of a folder that it gives to its files (setgid). ' +
      'Modes say nothing on Windows, and where a file system does not keep them. The owner does not count. ' +
      'The index of Git is read without Git; an index that cannot be understood tracks nothing.',
    'A repository must not bring tokens, secrets and requests. A folder that its user moved or copied, ' +
      'that a cache restored, or that a container uses as another user must still start.',
    '`--state`, `tillbox sandbox repair --take-over`',
  ),
  'postgres-session': assumption(
    'A node owns its spaces through [one session](shared.md#how-it-works) of the database. A write ' +
      'without an answer is refused with 503. [Settings](shared.md#set-it-up) are in the query of the URL. ' +
      'If the URL has no password, PGPASSWORD is used, but no other variable and no password file. ' +
      '[Details](#postgres-session).',
    'Ownership and failure detection need no clock and no protocol of our own. A request must be carried ' +
      'out once or not at all.',
    'the URL, such as `?unavailable_after=3` (seconds)',
  ),
}
