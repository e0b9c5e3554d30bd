import { boolean, string } from '@oclif/core/flags'
import type { Profile } from '../cli/connection/profile.ts'
import { requireSandbox } from '../cli/connection/sandbox-address.ts'
import { exitCodeOf, exitCodes, NothingFound, UsageError } from '../cli/errors/exit-codes.ts'
import { parseWait } from '../cli/input/typed-values.ts'
import { ownerOf } from '../cli/operation/earlier-result.ts'
import {
  drawRecord,
  lastRecord,
  operationCommand,
  type ParsedCommand,
  tellWhatNext,
} from '../cli/operation/operation-command.ts'
import { control } from '../client/client.ts'
import type { TransactionRecord } from '../contract/records.ts'
import type { Story } from '../contract/sandbox/control-answers.ts'
import { mostListed, type TransactionList } from '../contract/sandbox/transaction-list.ts'
import { isFinal, parseStatus, type Status } from '../contract/statuses.ts'
import { command } from '../text/commands.ts'

const Base = operationCommand('query')

const byOrder = 'reference-order-id'

export default class Query extends Base {
  static override examples = [
    'tillbox query 1795159696581000',
    'tillbox query @last --timeline',
    'tillbox query 1795159696581000 --wait 30s',
    'tillbox query --reference-order-id ORDER-1001 --json',
  ]
  static override description =
    `${Base.description} --json prints the record as the service answers it; with --reference-order-id an object with a list under ` +
    'transactions. With --timeline, --json prints an object: the record under record, and status, outcome, rule, timeline, ' +
    'tree and deliveries. Sandbox only.'
  static override flags = {
    ...Base.flags,
    wait: string({
      description: 'How long to wait for the final status: 30s, 2m, or plain seconds; default: not at all.',
      helpValue: '<duration>',
    }),
    [byOrder]: string({
      description: 'Look up by order: several transactions are listed, newest first.',
      helpValue: '<id>',
      helpGroup: 'SANDBOX',
      exclusive: ['transaction-request-id', 'timeline', 'dry-run', 'curl'],
    }),
    timeline: boolean({
      description:
        'Draw every step between client, service, terminal and host; with --json, an object with the record and all steps.',
      helpGroup: 'SANDBOX',
    }),
  }

  override readonly alternatives = [byOrder]

  /** The one transaction that the answer is about; undefined for several. */
  #only: (Pick<TransactionRecord, 'transactionId'> & { readonly status: Status | undefined }) | undefined

  /** Draws the answer: of another service its record may have members of any name. */
  #draw: () => Promise<string> = async () => ''

  protected override otherAnswers(flags: Readonly<Record<string, unknown>>): readonly string[] {
    const isStory = flags.timeline === true
    const isOrder = flags[byOrder] !== undefined
    const records = isStory || isOrder ? ['PlainRecord', 'SpecRecord', 'SdkRecord'] : []
    return [...records, ...(isStory ? [] : ['Story']), ...(isOrder ? [] : ['TransactionList'])]
  }

  protected override listIn(flags: Readonly<Record<string, unknown>>): string | undefined {
    return flags[byOrder] === undefined ? undefined : 'transactions'
  }

  override async request(typed: ParsedCommand): Promise<object> {
    const { flags, profile } = typed
    const waitMs = flags.wait === undefined ? 0 : parseWait(String(flags.wait), 'wait')
    const order = flags[byOrder]
    if (order !== undefined) return this.#ofOrder(typed, String(order), waitMs)
    const first = (await super.request(typed)) as TransactionRecord
    const record = await this.#final(profile, first, waitMs)
    if (flags.timeline !== true) {
      this.#draw = () => drawRecord(profile, record)
      return this.#about(record, record)
    }
    const story = await fetchStory(profile, record.transactionId)
    this.#draw = async () => {
      const { renderStory } = await import('../cli/output/draw-timeline.ts')
      const { terminalWidth } = await import('../cli/output/theme.ts')
      return renderStory(story, terminalWidth())
    }
    return this.#about(story.record, story)
  }

  #about<T>({ transactionId, transactionStatus }: TransactionRecord, answer: T): T {
    this.#only = { transactionId, status: parseStatus(transactionStatus) }
    return answer
  }

  /** Sets the exit code by the status, as after a payment; for an order with several transactions it stays 0. */
  override async report(profile: Profile, data: object): Promise<void> {
    await this.show(data, this.#draw)
    if (this.#only === undefined) return
    const { transactionId, status } = this.#only
    process.exitCode = exitCodeOf(status)
    if (process.exitCode === exitCodes.notFinal) await tellWhatNext('query', profile, transactionId)
  }

  /** The record once it is final, or when the time is over. */
  async #final(profile: Profile, record: TransactionRecord, waitMs: number): Promise<TransactionRecord> {
    const status = parseStatus(record.transactionStatus)
    if (waitMs === 0 || (status !== undefined && isFinal(status))) return record
    return (await lastRecord(profile, waitMs, record.transactionId)) ?? record
  }

  /** Those of the order, once they are final or the time is over. Errors: UsageError where the service is not a sandbox; NothingFound. */
  async #ofOrder(
    { profile, members }: ParsedCommand,
    order: string,
    waitMs: number,
  ): Promise<TransactionList> {
    if (members.transactionId !== undefined)
      throw new UsageError(
        `<transaction-id> and --${byOrder} exclude each other`,
        'Remove one of them',
        byOrder,
      )
    await requireSandbox(profile, `--${byOrder}`)
    const wanted = { order, merchant: await ownerOf(profile).merchantId(), limit: String(mostListed) }
    const ask = () => control(profile.target, 'transactions', wanted)
    let list = await ask()
    if (list.transactions.length === 0)
      throw new NothingFound(
        `There is no transaction of the order ${order}`,
        `See which there are: ${command('list')}. A refused request opens no payment: ${command('logs tail', '--no-follow', '--order', order)}`,
      )
    const open = waitMs === 0 ? [] : list.transactions.filter(({ status }) => !isFinal(status))
    const end = performance.now() + waitMs
    for (const { transactionId } of open)
      await lastRecord(profile, Math.max(end - performance.now(), 0), transactionId)
    if (open.length > 0) list = await ask()
    this.#only = list.transactions.length === 1 ? list.transactions[0] : undefined
    this.#draw = () => drawOrder(list, profile)
    return list
  }
}

/** The transaction itself when the order has one; a list of several. */
async function drawOrder(list: TransactionList, profile: Profile): Promise<string> {
  const [first, second] = list.transactions
  if (first === undefined || second !== undefined)
    return (await import('../cli/listing/render-transactions.ts')).renderTransactions(list, true)
  const { record } = await fetchStory(profile, first.transactionId)
  return drawRecord(profile, record)
}

/** The story of a transaction with every webhook attempt. Errors: UsageError when the service is not a sandbox. */
async function fetchStory({ target, isSandbox }: Profile, id: string): Promise<Story> {
  const story = control(target, 'transaction', { attempts: true }, { names: { id } })
  return story.catch((error: Error) => {
    if (isSandbox) throw error
    const message = '--timeline needs a sandbox: other services keep no timeline'
    throw new UsageError(message, 'Remove --timeline, or --base-url and --api-key', 'timeline')
  })
}
