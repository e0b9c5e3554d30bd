import type { Terminal } from '../../domain/model/ledger.ts'
import type { PagesContext } from '../frame/pages-context.ts'

/** Terminals on which outcomes are queued. */
export const queuedAt = ({ engine }: Pick<PagesContext, 'engine'>): readonly Terminal[] =>
  [...engine.state.ledgers.values()].flatMap(({ terminals }) =>
    [...terminals.values()].filter(({ queue }) => queue.length > 0),
  )

/** How many outcomes are queued on a terminal. */
export const queuedCount = ({ queue }: Pick<Terminal, 'queue'>): number =>
  queue.reduce((sum, { times }) => sum + times, 0)
