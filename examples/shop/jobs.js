import { pendingOf } from './orders.js'
import { codes, isFinal, isRefused } from './service.js'

/** Asks for every result that is not known. Run it each minute, and when the shop starts. */
export async function reconcile({ orders, till }) {
  for (const order of orders.all()) await till.learn(order)
  return {
    pending: orders
      .all()
      .filter((order) => pendingOf(order).length > 0)
      .map(({ id }) => id),
  }
}

/** How often a close is tried that fails. */
const mostTries = 5

/**
 * Closes the day, until nothing is open: one close may settle a part alone. One whose answer is lost is tried again, too:
 * what it closed is not closed twice. Returns the batches that it closed.
 */
export async function closeDay({ service }) {
  const closed = []
  for (let tries = 1; ; tries++) {
    try {
      const { batchList = [], ...batch } = await service.call('batchClose', {})
      closed.push(batch, ...batchList)
    } catch (error) {
      if (isRefused(error, codes.nothingOpen)) return { closed }
      const isWorthATry = isRefused(error, codes.settlementFailed) || !isFinal(error)
      if (!isWorthATry || tries === mostTries) throw error
    }
  }
}
