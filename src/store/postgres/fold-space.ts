import { countTransactions, createState, forgetOldRequests } from '../../domain/state.ts'
import { catalogueOf, type Fixtures } from '../../fixtures.ts'
import type { DatabaseAddress } from './connection/address.ts'
import { Pool } from './connection/pool.ts'
import { insertLines, snapshotPieces } from './snapshot-rows.ts'
import { readSpace } from './stored-space.ts'

/** An order to fold the events of a space up to a sequence into its latest snapshot. */
export interface SpaceFoldOrder {
  readonly address: DatabaseAddress
  readonly space: string
  /** Epoch of the node that gives the order: an earlier owner's order has no effect. */
  readonly epoch: number
  readonly upTo: number
  /** Fixtures of the sandbox: the batch of a payment depends on its card. */
  readonly fixtures: Fixtures
  /** Wall clock in milliseconds, for dropping expired request marks. */
  readonly now: number
}

/**
 * Folds events into a new snapshot, all or nothing, and removes the events that it covers. Resolves to its number of
 * transactions; to null when the space now has another epoch. Errors: those of reading; DatabaseAway, an Error of the
 * server.
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

/** Locks the row of the space last, so that requests wait only for the commit. */
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
