import { Unreachable } from '../../../client/http.ts'
import { asManyAsPossible } from '../../../contract/control/transaction-list.ts'
import { parseDuration } from '../../../shared/text/duration.ts'
import { sleep } from '../../../shared/timers.ts'
import { advanceTimeout } from '../../helpers/test-controls.ts'
import { foundWithin } from '../../helpers/wait-for.ts'
import type { Step } from '../file/read-scenario.ts'
import { moneyIn } from '../file/written-amounts.ts'
import { requireCall } from '../steps/control-step.ts'
import type { RunContext } from '../steps/run-context.ts'
import { type Violation, violationsIn } from './laws.ts'
import { type MerchantServer, ServerProblem } from './merchant-server.ts'
import { listOrders, readOrders } from './orders.ts'
import type { OrdersSection, ServerSection } from './server-schema.ts'

/** After each step so much time of the sandbox passes: payments end, and their webhooks arrive. */
const pace = '5s'

/** Then faults end, and time passes in which everything pending is decided. */
const spans = ['5s', '5m', '40d']

/** How long the merchant's server may take for what it knows already. Milliseconds of real time. */
export const patience = 1_500

const advance = (run: RunContext, span: string) =>
  requireCall(run)('set-clock', { action: 'advance', milliseconds: parseDuration(span) }, {}, advanceTimeout)

/** What the steps ask for. */
type Asked = Pick<ServerSection, 'purchases' | 'refunds' | 'inParts'>

/** What follows from a step happens before the next one. */
export async function letPass(run: RunContext, pauseMs = 0): Promise<void> {
  await sleep(pauseMs) // a server with a queue has answered, and goes on
  await advance(run, pace)
  await sleep(pauseMs)
}

/**
 * The world becomes kind again, everything ends, and the server may ask for what it does not know. Resolves
 * to the laws that are broken then. `stepped`: called after each of these steps.
 */
export async function judge(
  run: RunContext,
  server: MerchantServer,
  asked: Asked = {},
  stepped: (step: Step) => Promise<void> = async () => undefined,
): Promise<Violation[]> {
  const call = requireCall(run)
  await call('clear-faults')
  for (const sn of run.offline) await call('set-terminal', { online: true }, { sn })
  await releaseWebhooks(run)
  for (const span of spans) {
    await advance(run, span)
    await stepped({ action: 'clock', value: { advance: span }, path: ['end'] })
    await reconcile(server)
    if (server.section.reconcile !== undefined)
      await stepped({ action: 'server reconcile', value: null, path: ['end'] })
  }
  await advance(run, pace) // for what the last request of the server began
  const { orders } = server.section
  if (orders === undefined) return []
  let violations: Violation[] = []
  await foundWithin(patience, async () => {
    violations = await broken(run, server, orders, asked)
    return violations.length === 0 || undefined
  })
  return violations
}

/** Sends held notifications, the newest first, and holds no more. */
export async function releaseWebhooks(run: RunContext): Promise<void> {
  const call = requireCall(run)
  const { deliveries } = await call('webhooks', asManyAsPossible)
  const ids = deliveries.filter(({ held }) => held).map(({ id }) => id)
  if (ids.length > 0) await call('release-webhooks', { ids: ids.toReversed() })
  await call('hold-webhooks', { hold: false })
}

/** Errors: ServerProblem. */
export async function reconcile(server: MerchantServer): Promise<void> {
  const { reconcile: line } = server.section
  if (line === undefined) return
  const { httpStatus } = await answered(server.send({ line }), line)
  if (isMissing(httpStatus)) throw new ServerProblem(`${line} is answered with ${httpStatus}`)
}

/** True where a server has no such request: no unkind world makes it so. */
export const isMissing = (status: number): boolean => [404, 405, 501].includes(status)

/** Ids of the orders that the server has already: the laws leave them out. */
export async function earlierOrders(server: MerchantServer): Promise<ReadonlySet<string>> {
  const { orders } = server.section
  if (orders === undefined) return new Set()
  const listed = await answered(listOrders(server, orders), orders.request ?? '')
  return new Set(readOrders(listed, orders).map(({ id }) => id))
}

async function broken(
  run: RunContext,
  server: MerchantServer,
  section: OrdersSection,
  { refunds, purchases, inParts }: Asked,
): Promise<Violation[]> {
  const { transactions } = await requireCall(run)('transactions', asManyAsPossible)
  const payments = transactions.filter(
    ({ referenceOrderId }) => !run.earlierOrders.has(referenceOrderId ?? ''),
  )
  const listed = await answered(listOrders(server, section), section.request ?? '')
  const orders = readOrders(listed, section, payments).filter(({ id }) => !run.earlierOrders.has(id))
  const { amount = 0, currency } = moneyIn(refunds) ?? {}
  const refundsAsked = currency === undefined ? undefined : { amount, currency }
  return violationsIn({
    orders,
    payments,
    refundsAsked,
    ordersAsked: purchases,
    inParts,
    shipsWhenPaid: section.shipsWhenPaid,
  })
}

async function answered<T>(request: Promise<T>, line: string): Promise<T> {
  try {
    return await request
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    throw new ServerProblem(`The merchant's server does not answer ${line}: ${error.reason}`)
  }
}
