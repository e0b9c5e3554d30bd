import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import type { JudgedOrders } from '../../../contract/control/coverage-answers.ts'
import { checked } from '../../../sandbox/fixture-files/fixtures-problems.ts'
import { readYaml, UnreadableText } from '../../../sandbox/fixture-files/source-lines.ts'
import { fileProblem } from '../../../shared/files/file-problem.ts'
import { decodeText } from '../../../shared/text/decode-text.ts'
import { foundWithin } from '../../helpers/wait-for.ts'
import { judgedOrders, type KnownPayment } from './laws.ts'
import { MerchantServer, ServerProblem } from './merchant-server.ts'
import { listOrders, readOrders, untoldMembers } from './orders.ts'
import { type OrdersSection, ordersSection } from './server-schema.ts'
import { patience } from './settle.ts'

/** A file that says where a merchant lists its orders cannot be used. */
export class WrongOrdersFile extends Error {
  override readonly name = 'WrongOrdersFile'
}

/** Reads such a file: the members of `orders`, alone or under that name. Errors: WrongOrdersFile. */
export async function readOrdersFile(path: string): Promise<OrdersSection> {
  const { output, wrong } = checked(ordersSection, ordersIn(await contentOf(path)))
  if (output !== undefined) return output
  const [{ path: inside, reason } = { path: [], reason: '' }] = wrong
  throw new WrongOrdersFile(`${[path, inside.join('.')].filter(Boolean).join(': ')} ${reason}`)
}

async function contentOf(path: string): Promise<unknown> {
  try {
    return (await readYaml(decodeText(readFileSync(path)), () => true)).value
  } catch (error) {
    const reason = error instanceof UnreadableText ? error.message : fileProblem(error as Error)
    throw new WrongOrdersFile(`${path}: ${reason}`)
  }
}

const ordersIn = (value: unknown): unknown =>
  v.is(v.object({ orders: v.unknown() }), value) ? value.orders : value

/**
 * Asks for the orders at the origin to which webhooks go, and judges those of payments and requests: again
 * for a moment while one is wrong, because its last webhook may be on its way. A server that ends meanwhile
 * leaves those that are right. Errors: ServerProblem, Unreachable.
 */
export const askOrdersOf =
  (file: string, section: OrdersSection) =>
  async (
    payments: readonly KnownPayment[],
    orderIds: readonly string[],
    endpoint: string | undefined,
  ): Promise<JudgedOrders> => {
    if (endpoint === undefined && section.request !== undefined)
      throw new ServerProblem(
        'No webhook was sent, whose URL says where to ask: give a command: in place of request:',
      )
    // a command knows by itself where to ask
    const url = endpoint === undefined ? 'http://127.0.0.1' : new URL(endpoint).origin
    const ids = new Set([...payments.map(({ referenceOrderId }) => referenceOrderId), ...orderIds])
    const server = await MerchantServer.open({ url, orders: section }, {}, file)
    try {
      let tellRefunds = false
      let byId: JudgedOrders['byId'] | undefined
      await foundWithin(patience, async () => {
        const right = new Map([...(byId ?? [])].filter(([, wrong]) => wrong === null))
        const listed = await listOrders(server, section).catch((error) => {
          if (byId === undefined) throw error
        })
        if (listed === undefined) {
          byId = right
          return true
        }
        tellRefunds = section.refunded !== undefined && !untoldMembers(listed, section).has('refunded')
        const orders = readOrders(listed, section, payments).filter(({ id }) => ids.has(id))
        const books = { orders, payments, refundsAsked: undefined, shipsWhenPaid: section.shipsWhenPaid }
        byId = new Map([...judgedOrders(books), ...right])
        return [...byId.values()].every((wrong) => wrong === null) || undefined
      })
      return { byId: byId ?? new Map(), tellRefunds }
    } finally {
      await server.close()
    }
  }
