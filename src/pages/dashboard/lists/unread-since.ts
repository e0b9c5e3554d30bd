import type { Statistics } from '../../../views/statistics/statistics.ts'

/** New items since the reader looked away, and the mark to continue from. */
interface Unread {
  /** Transactions that are new, or were open then and are decided now. */
  readonly count: number
  /** The number of items and of open ones: `12-1`. */
  readonly mark: string
}

/** Counts from a mark; an invalid mark, or one from before a reset, counts nothing. */
export function unreadSince(
  { transactions, figures }: Pick<Statistics['current'], 'transactions' | 'figures'>,
  mark: string,
): Unread {
  const { open } = figures.counts
  const now = `${transactions.length}-${open}`
  const [, stored, opened] = /^(\d{1,12})-(\d{1,12})$/.exec(mark) ?? []
  if (stored === undefined || Number(stored) > transactions.length) return { count: 0, mark: now }
  const added = transactions.slice(Number(stored))
  const openBefore = open - added.filter(({ contribution }) => contribution.group === 'open').length
  return { count: added.length + Math.max(0, Number(opened) - openBefore), mark: now }
}
