import * as v from 'valibot'
import { control } from '../../client/client.ts'
import { asText } from '../../client/tolerant.ts'
import { isReachable } from '../../contract/control/controls/clock-controls.ts'
import { hiddenMark } from '../../contract/control/request-log-answers.ts'
import { fields } from '../../contract/fields.ts'
import { unwrap } from '../../contract/member-kinds.ts'
import { operationRow } from '../../contract/operations.ts'
import { dataOf, membersOf, type RecordedExchange } from './archive.ts'
import { type Difference, differences, type References, refusalIn } from './compare.ts'
import {
  isOfOther,
  isOpening,
  isUnpaid,
  ownId,
  recordingOf,
  wasCarriedOut,
  whyLeftOut,
  whyNotCompared,
} from './left-out.ts'
import { type FreshSandbox, partyKey, repeat } from './repeat.ts'

/** What became of a recorded exchange: what differs, or why it was not compared. */
export interface ComparedExchange {
  /** Its operation; without one the method and the path. */
  readonly operation: string
  readonly at: number
  /** The code with which the sandbox refused an operation; undefined where it did not. */
  readonly refusal: string | undefined
  /** HTTP status of the sandbox's answer; null where it was not compared. */
  readonly status: number | null
  readonly differences: readonly Difference[]
  readonly leftOut: string | null
}

/** Options of the sandbox: no member or header of its own, and ids of requests in any form. */
export const driftOptions = {
  likeProduction: true,
  terminals: 'known',
  appIds: 'known',
  requestIds: 'any',
} as const

/** Sends recorded requests to a fresh sandbox, in order and at their times, and compares what it answers. */
export async function drift(
  exchanges: readonly RecordedExchange[],
  sandbox: FreshSandbox,
): Promise<ComparedExchange[]> {
  const references: References = new Map()
  const results = resultsIn(exchanges)
  const recording = recordingOf(exchanges)
  const compared: ComparedExchange[] = []
  let now = Number.NEGATIVE_INFINITY
  // a recording may name a server of this machine, which knows nothing of these payments
  await control({ baseUrl: sandbox.url }, 'hold-webhooks', { hold: true })
  const modes = await adopt(
    sandbox,
    exchanges.filter((each) => !isOfOther(each, recording)),
    references,
  )
  for (const [index, exchange] of exchanges.entries()) {
    const { at, answer } = exchange
    const operation = nameOf(exchange)
    const leaveOut = (leftOut: string) =>
      compared.push({ operation, at, differences: [], leftOut, refusal: undefined, status: null })
    const reason = whyLeftOut(exchange, exchanges[index + 1], references, recording)
    if (reason !== undefined) leaveOut(reason)
    if (reason !== undefined && !wasCarriedOut(exchanges, index)) continue
    if (at - now >= aSecond && isReachable(at)) {
      now = at
      const time = new Date(at).toISOString()
      await control({ baseUrl: sandbox.url }, 'set-clock', { action: 'set', time })
    }
    const terminalSn = asText(membersOf(exchange).terminalSn) ?? ''
    const mode = isUnpaid(exchange, recording) ? 'attended' : 'auto'
    if (isOpening(exchange) && (modes.get(terminalSn) ?? mode) !== mode) {
      await control({ baseUrl: sandbox.url }, 'set-terminal', { mode }, { names: { sn: terminalSn } })
      modes.set(terminalSn, mode)
    }
    const own = await repeatWith(decidedBy(exchange, results), sandbox, exchange, references)
    for (const id of ownId(exchange)) references.set(id, id)
    if (reason !== undefined) continue
    const unclear = whyNotCompared(exchange, own, recording)
    if (unclear !== undefined) {
      leaveOut(unclear)
      continue
    }
    const found = differences(operation, answer, own, references, keyIn(exchange))
    const refusal = exchange.operation && refusalIn(own)
    compared.push({ operation, at, differences: found, leftOut: null, refusal, status: own.status })
  }
  return compared
}

/** Within it no rule decides otherwise: the clock is not moved for less. Milliseconds. */
const aSecond = 1_000

/** What a report calls a request: of a path the words, and no ids. */
function nameOf(exchange: RecordedExchange): string {
  const { operation, method, target } = exchange
  const [path = ''] = target.split('?')
  const words = path.split('/').map((word) => (/^(v1|[a-z][a-z-]{0,31})?$/.test(word) ? word : hiddenMark))
  return operation ?? `${method} ${words.join('/')}`
}

/** The key of a request, which no report shows. */
const keyIn = ({ headers }: RecordedExchange): string | undefined =>
  headers.authorization?.replace(/^bearer +/i, '')

/** The result codes of recorded transactions, by their ids. */
function resultsIn(exchanges: readonly RecordedExchange[]): ReadonlyMap<string, string> {
  const results = new Map<string, string>()
  for (const { answer } of exchanges) {
    const { transactionId, transactionResultCode } = dataOf(answer)
    if (typeof transactionId === 'string' && typeof transactionResultCode === 'string')
      results.set(transactionId, transactionResultCode)
  }
  return results
}

/**
 * Adds the terminals that the service knew, and lets its application and merchant stand for those of the
 * sandbox: it did not refuse every request that names them. Returns the modes of the terminals.
 */
async function adopt(
  { url, appId, merchantId }: FreshSandbox,
  exchanges: readonly RecordedExchange[],
  references: References,
): Promise<Map<string, 'auto' | 'attended'>> {
  const modes = new Map<string, 'auto' | 'attended'>()
  const passed = exchanges.filter(({ answer }) => refusalIn(answer) === undefined)
  const { terminals } = await control({ baseUrl: url }, 'terminals')
  const known = new Set(terminals.map(({ terminalSn }) => terminalSn))
  for (const exchange of passed.length === 0 ? exchanges : passed) {
    const members = membersOf(exchange)
    for (const [name, own] of Object.entries({ appId, merchantId })) {
      const recorded = asText(members[name])
      if (recorded) references.set(partyKey(name, recorded), own)
    }
    const terminalSn = asText(members.terminalSn)
    if (!terminalSn || known.has(terminalSn) || !v.is(unwrap(fields.terminalSn), terminalSn)) continue
    await control({ baseUrl: url }, 'add-terminal', { terminalSn })
    known.add(terminalSn)
    modes.set(terminalSn, 'auto')
  }
  return modes
}

/** The result code with which the host is to decide as the service's did; undefined where it approves. */
function decidedBy(exchange: RecordedExchange, results: ReadonlyMap<string, string>): string | undefined {
  const code = results.get(asText(dataOf(exchange.answer).transactionId) ?? '')
  const opens = exchange.operation && operationRow(exchange.operation).opens
  return opens === undefined || code === approved ? undefined : code
}

/** The result code of an approval. */
const approved = '000'

/** Sends a recorded request, with a result for it alone. */
async function repeatWith(
  code: string | undefined,
  sandbox: FreshSandbox,
  exchange: RecordedExchange,
  references: References,
) {
  const baseUrl = sandbox.url
  const { outcomes } = code === undefined ? { outcomes: [] } : await control({ baseUrl }, 'outcomes')
  const name = outcomes.find((each) => each.code === code)?.name
  if (name !== undefined) await control({ baseUrl }, 'add-fault', { kind: `outcome=${name}` })
  const own = await repeat(sandbox, exchange, references)
  if (name !== undefined) await control({ baseUrl }, 'clear-faults') // a refused request did not take it
  return own
}
