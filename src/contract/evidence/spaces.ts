import { assumption } from './claim.ts'

/** Spaces, and where state is kept. */
export const spaces = {
  spaces: assumption(
    'A [space](spaces.md) is found by its API key, or by its path `/s/<space>`. [Details](#spaces).',
    'A client needs nothing but its key, or another base URL.',
    '`tillbox space create --ttl`',
    {
      errors: ['SBX_SPACE_NONE', 'SBX_SPACE_EXISTS', 'SBX_SPACE_FIRST'],
      unchanged: ['SBX_SPACE_NONE', 'SBX_SPACE_EXISTS', 'SBX_SPACE_FIRST'],
    },
  ),
  'shared-store': assumption(
    'With `--store`, one node at a time serves a space. The others [send its requests ' +
      'on](shared.md#how-it-works) to it, sealed. [Details](#shared-store).',
    "One writer for each space keeps rules and order as they are with files. A dead node's address must " +
      'give nothing away.',
    '`--store`, `--set nodeUrl=`',
  ),
  'state-lock': assumption(
    'A [lock](lifecycle.md#the-lock) holds while its process lives, or while its file is touched where that cannot ' +
      'be checked.',
    'A process id may be used again, and a machine may wake up in a folder that was taken over.',
  ),
  'postgres-session': assumption(
    'A node owns its spaces by [one session](shared.md#how-it-works) of the database. A write without an ' +
      'answer is refused with 503. [Settings](shared.md#set-it-up) are in the query of the URL; PGPASSWORD ' +
      'counts where it has no password, no other variable and no password file. ' +
      '[Details](#postgres-session).',
    'Ownership and the detection of failures need no clock and no protocol of our own. A request must ' +
      'happen once or not at all.',
    'the URL, such as `?unavailable_after=3` (seconds)',
  ),
}
