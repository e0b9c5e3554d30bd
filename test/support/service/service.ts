import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, readdirSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { onTestFinished } from 'vitest'
import type { Story } from '../../../src/contract/control/control-answers.ts'
import type { StreamedNotification } from '../../../src/contract/control/webhook-stream.ts'
import { type OperationName, operations } from '../../../src/contract/operations.ts'
import { applications } from '../../../src/domain/fixtures.ts'
import type { Transaction } from '../../../src/domain/model/transaction.ts'
import { encodeLine as lineOf } from '../../../src/sandbox/store/file/lines.ts'
import { Feed } from '../../../src/sandbox/webhooks/notifications/feed.ts'
import type { OrderedNotification } from '../../../src/sandbox/webhooks/notifications/notification.ts'
import type { SandboxOptions } from '../../../src/server/sandbox/options.ts'
import { openSandbox, type Sandbox } from '../../../src/server/sandbox/sandbox.ts'
import type { AnyJson } from '../any-json.ts'
import { scratchFolder } from '../commands/scratch.ts'
import { appOf } from './app.ts'
import { newId } from './new-id.ts'

/** Key of the first application's sandbox environment. */
export const apiKey = applications[0]?.keys[0]?.key as string

/** With which the webhooks of the first application are signed. */
export const signingSecret = applications[0]?.webhookSecret as string

/** Key of the second application. */
export const secondKey = applications[1]?.keys[0]?.key as string

/** A folder that is gone after the test. */
export const temporaryFolder = (): string => scratchFolder()

/** A copy of a state folder as it is on disk now: what a crash at this moment would leave. */
export function crashCopy(folder: string): string {
  for (;;) {
    const copy = temporaryFolder()
    try {
      const before = readdirSync(folder)
      cpSync(folder, copy, { recursive: true })
      if (isDeepStrictEqual(readdirSync(folder), before)) return copy // else a journal was folded meanwhile
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' || !existsSync(folder)) throw error
    }
  }
}

/** One object as a line of a state file. */
export const encodeLine = (value: object): string => `${lineOf(value)}\n`

/** What came back, with its envelope. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly code: string
  readonly msg: string
  readonly traceId: string
  readonly data: AnyJson
  readonly field?: string
  readonly detail?: string
  readonly remedy?: string
}

/** Headers that replace others; a null one is left out. */
type OtherHeaders = Readonly<Record<string, string | null>>

/** The service without a port. */
export type Service = Awaited<ReturnType<typeof openService>>

/** Opens a sandbox on a temporary folder, or on the one given. */
export async function openService(options: Partial<SandboxOptions> = {}) {
  const sandbox = await openSandbox({ state: options.state ?? temporaryFolder(), ...options })
  const app = appOf(sandbox)
  let closed = false
  const close = async () => {
    if (closed) return
    closed = true
    await sandbox.close()
  }
  onTestFinished(close)
  /** Sends anything. */
  const send = async (
    method: string,
    path: string,
    { headers = {}, body }: { headers?: OtherHeaders; body?: string | Uint8Array<ArrayBuffer> } = {},
  ): Promise<Answer> => {
    const { 'Content-Type': _, ...usual } = apiHeaders(apiKey, sandbox.clock.wall())
    const all: OtherHeaders = { ...usual, ...headers }
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null)
    const init = { method, headers: sent, ...(body !== undefined && { body }) }
    const { status, headers: answered, text } = await app.ask(path, init)
    return { status, headers: answered, ...(JSON.parse(text) as Omit<Answer, 'status' | 'headers'>) }
  }
  return {
    sandbox,
    /** Where its state is. */
    folder: sandbox.options.state,
    send,
    close,
    /** Calls an operation with good headers. */
    call: (name: OperationName, members: object, headers: OtherHeaders = {}) => {
      const { method, path } = operations[name]
      if (method === 'GET')
        return send(method, `${path}?${new URLSearchParams(members as Record<string, string>)}`, { headers })
      return send(method, path, {
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(members),
      })
    },
    /** Calls the control interface. */
    control: (method: string, path: string, members?: object) =>
      send(method, `/_sandbox/${path}`, {
        headers: { 'Content-Type': 'application/json' },
        ...(members && { body: JSON.stringify(members) }),
      }),
  }
}

/** A service on which a sale was made, with what the sale was answered. */
export async function openSold(request: object = sale(1000), options: Partial<SandboxOptions> = {}) {
  const service = await openService(options)
  const answer = await service.call('sale', request)
  return { ...service, ...answer, transactionId: answer.data?.transactionId as string }
}

/** Headers of a request of the payment API. */
export const apiHeaders = (key: string = apiKey, now = Date.now()) => ({
  Authorization: `Bearer ${key}`,
  'Content-Type': 'application/json',
  'X-Client-Request-Id': randomUUID(),
  'X-Timestamp': String(now),
})

/** A sale as the specification shapes it. */
export const sale = (amount: number, more: object = {}): object => ({
  transactionRequestId: newId(),
  referenceOrderId: newId('ORDER'),
  amount,
  priceCurrency: 'USD',
  ...more,
})

/** A follow-up of the transaction with that id. */
export const following = (originalTransactionId: string, more: object = {}) => ({
  originalTransactionId,
  transactionRequestId: newId(),
  ...more,
})

/** A wall clock in the test's hand; it stands until it is moved. */
export class WallClock {
  constructor(public at = Date.now()) {}

  readonly read = (): number => this.at

  pass(milliseconds: number): void {
    this.at += milliseconds
  }
}

/** The transactions of all ledgers. */
export const transactionsIn = ({ engine }: Sandbox): Transaction[] =>
  [...engine.state.ledgers.values()].flatMap(({ transactions }) => [...transactions])

/** Everything about the ledgers that a request could change, as plain data. */
export const plainLedgersOf = ({ engine }: Sandbox): object =>
  structuredClone(
    [...engine.state.ledgers].map(([merchantId, ledger]) => ({
      merchantId,
      settings: ledger.settings,
      registered: [ledger.name, ledger.registeredAt],
      trace: ledger.lastStan,
      transactions: [...ledger.transactions],
      byTransactionRequestId: Array.from(
        ledger.transactions,
        ({ transactionRequestId }) => ledger.transactions.withTransactionRequestId(transactionRequestId)?.id,
      ),
      bySession: Array.from(ledger.transactions, ({ online }) =>
        ledger.transactions.ofSession(online?.sessionId ?? ''),
      ),
      terminals: [ledger.terminals, ledger.removed, ledger.unpaired, ledger.pairedCodes].map((all) => [
        ...all,
      ]),
      batches: [...ledger.batches],
      closes: [...ledger.closes],
      usedIds: [...ledger.usedIds],
      balances: [...ledger.balances],
      holds: [...ledger.holds],
    })),
  )

/** The whole state as plain data: the ledgers, their numbering, and the request ids. */
export const plainStateOf = (sandbox: Sandbox): object =>
  structuredClone({
    ledgers: plainLedgersOf(sandbox),
    sequences: [...sandbox.engine.state.ledgers].map(([id, { sequence }]) => [id, sequence]),
    requests: [...sandbox.engine.state.requests],
  })

/** Takes every notification as it is told, written. Returns how to stop. */
export function onNotification(
  { announcer, engine }: Sandbox,
  take: (notification: StreamedNotification) => unknown,
): () => void {
  const { index } = announcer
  let { count, generation } = index
  return announcer.listen(() => {
    if (index.generation !== generation) count = 0
    generation = index.generation
    for (const past of index.from(engine.state, count)) {
      count += 1
      const written = past && announcer.write(engine.state, past)
      if (written !== undefined) take(written)
    }
  })
}

/**
 * What a reader gets that comes back after the notification of that id, read to its end. Errors: it was told another
 * number of them.
 */
export async function missedSince(sandbox: Sandbox, lastId: string): Promise<OrderedNotification[]> {
  const feed = new Feed(sandbox, lastId, (notification) => notification)
  const { remaining } = feed
  const missed: OrderedNotification[] = []
  const slices = feed.slices(new AbortController().signal)
  while (feed.remaining > 0) missed.push(...((await slices.next()).value ?? []))
  await slices.return(undefined)
  if (missed.length !== remaining)
    throw new Error(`${missed.length} notifications were missed, not ${remaining}`)
  return missed
}

/** Notes of the last request in the request log. */
export const lastNotes = ({ log }: Sandbox): string => log.list().at(-1)?.notes.join('\n') ?? ''

/** A transaction as the control interface shows it. */
export const storyOf = async (
  { control }: Pick<Service, 'control'>,
  id: string,
  query = '',
): Promise<Story> => (await control('GET', `transactions/${id}${query}`)).data

/** Moves the clock of the sandbox forward. */
export const advanceClock = ({ control }: Pick<Service, 'control'>, milliseconds: number): Promise<Answer> =>
  control('POST', 'clock', { action: 'advance', milliseconds })

/** True for the answer of an earlier request, given again. */
export const isReplayed = ({ headers }: Pick<Answer, 'headers'>): boolean =>
  headers.get('X-Sandbox-Replayed') === 'true'

/** Names of the members of an envelope, sorted. */
export const envelopeMembers = ({ status: _, headers: __, ...envelope }: Answer): string[] =>
  Object.keys(envelope).sort()
