import { countTransactions, createState, forgetOldRequests } from '../../domain/state.ts'
import { catalogueOf, type Fixtures } from '../../fixtures.ts'
import type { DatabaseAddress } from './connection/address.ts'
import { Pool } from './connection/pool.ts'
import { insertLines, snapshotPieces } from './snapshot-rows.ts'
import { readSpace } from './stored-space.ts'

/** What to fold: the latest snapshot of a space, and its events up to a sequence. */
export interface SpaceFoldOrder {
  readonly address: DatabaseAddress
  readonly space: string
  /** Of the node that orders it: of an earlier owner nothing happens. */
  readonly epoch: number
  readonly upTo: number
  /** Of the sandbox: what a card is decides which batch a payment is in. */
  readonly fixtures: Fixtures
  /** Wall clock in milliseconds, for the marks of requests that no rule asks for any more. */
  readonly now: number
}

/**
 * Folds events into a new snapshot, whole or not at all, and removes what it covers. Resolves to the number of
 * transactions in it; to null when the space is of another epoch by now. Errors: those of reading; DatabaseAway, an Error of the server.
 */
export async function foldSpace(order: SpaceFoldOrder): Promise<number | null> {
  const { address, space, upTo, fixtures, now } = order
  const catalogue = catalogueOf(fixtures)
  const empty = () => createState(catalogue)
  const pool = new Pool({ ...address, pool: 1 })
  try {
    const { state } = await pool.reading((run) =>
      readSpace(run, { space, shown: address.shown, empty, upTo }),
    )
    forgetOldRequests(state, now)
    const isWritten = await writeSnapshot(pool, order, snapshotPieces(state))
    return isWritten ? countTransactions(state) : null
  } finally {
    await pool.close()
  }
}

/** The row of the space is locked last: requests wait for the commit alone. */
function writeSnapshot(
  pool: Pool,
  { space, epoch, upTo }: SpaceFoldOrder,
  pieces: string[][],
): Promise<boolean> {
  return pool.transaction(async (run) => {
    await insertLines(run, 'snapshots (space, sequence, line, body)', [space, upTo], pieces)
    await run('delete from snapshots where space = $1 and sequence < $2', [space, upTo])
    await run('delete from events where space = $1 and sequence <= $2', [space, upTo])
    const { count } = await run('select 1 from spaces where name = $1 and epoch = $2 for share', [
      space,
      epoch,
    ])
    return count > 0
  })
}
