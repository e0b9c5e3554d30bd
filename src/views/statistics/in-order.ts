import type { Ledger } from '../../domain/model/ledger.ts'
import type { OwnedTransaction } from '../transaction-text.ts'

/** The transactions of all ledgers with their ledgers, by ascending id, including those added during the iteration. */
export const inOrder = (ledgers: Iterable<Ledger>): IterableIterator<OwnedTransaction> =>
  merged([...ledgers].map(ownedBy))

/** The transactions of one ledger, oldest first. */
function* ownedBy(ledger: Ledger): Generator<OwnedTransaction> {
  for (const transaction of ledger.transactions) yield { ledger, transaction }
}

/** All of them as one, ids ascending, as they ascend in each. */
function merged(all: readonly IterableIterator<OwnedTransaction>[]): IterableIterator<OwnedTransaction> {
  const half = Math.ceil(all.length / 2)
  if (all.length > 1) return mergedPair(merged(all.slice(0, half)), merged(all.slice(half)))
  return all[0] ?? [][Symbol.iterator]()
}

function* mergedPair(
  left: Iterator<OwnedTransaction>,
  right: Iterator<OwnedTransaction>,
): Generator<OwnedTransaction> {
  let [one, other] = [left.next(), right.next()]
  while (!one.done || !other.done)
    if (other.done || (!one.done && idOf(one.value) < idOf(other.value))) {
      yield one.value
      one = left.next()
    } else {
      yield other.value
      other = right.next()
    }
}

const idOf = ({ transaction }: OwnedTransaction): number => Number(transaction.id)
