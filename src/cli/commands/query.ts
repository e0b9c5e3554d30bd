import { boolean, string } from '@oclif/core/flags'
import { control } from '../../client/client.ts'
import type { Story } from '../../contract/control/control-answers.ts'
import type { TransactionRecord } from '../../contract/records.ts'
import { isFinal, parseStatus } from '../../contract/statuses.ts'
import type { Profile } from '../connection/profile.ts'
import { exitCodeOf, exitCodes, UsageError } from '../errors/exit-codes.ts'
import { parseWait } from '../input/typed-values.ts'
import {
  drawRecord,
  lastRecord,
  operationCommand,
  type ParsedCommand,
  tellWhatNext,
} from '../operation/operation-command.ts'

const Base = operationCommand('query')

export default class Query extends Base {
  static override examples = [
    'tillbox query 1795159696581000',
    'tillbox query @last --timeline',
    'tillbox query 1795159696581000 --wait 30s',
  ]
  static override description =
    `${Base.description} --json prints the record as the service answers it. With --timeline, in a sandbox, it prints an ` +
    'object with record, status, outcome, rule, timeline, tree and deliveries. tillbox list --reference-order-id finds the ' +
    'payments of an order.'
  static override flags = {
    ...Base.flags,
    wait: string({
      description: 'How long to wait for the final status: 30s, 2m, or plain seconds; default: not at all.',
      helpValue: '<duration>',
    }),
    timeline: boolean({
      description:
        'Draw every step between client, service, terminal and host; with --json, an object with the record and all steps.',
      helpGroup: 'SANDBOX',
    }),
  }

  protected override otherAnswers({ timeline }: Readonly<Record<string, unknown>>): readonly string[] {
    return timeline === true ? ['PlainRecord', 'SpecRecord', 'SdkRecord'] : ['Story']
  }

  /** With `--timeline`. */
  #story: Story | undefined

  override async request(typed: ParsedCommand): Promise<TransactionRecord> {
    const { flags, profile } = typed
    const waitMs = flags.wait === undefined ? 0 : parseWait(String(flags.wait), 'wait')
    const record = await this.#final(profile, (await super.request(typed)) as TransactionRecord, waitMs)
    if (flags.timeline !== true) return record
    this.#story = await fetchStory(profile, record.transactionId)
    return this.#story.record
  }

  /** Sets the exit code by the status, as after a payment. */
  override async report(profile: Profile, data: object): Promise<void> {
    const [record, story] = [data as TransactionRecord, this.#story]
    await this.show(story ?? record, async () => {
      if (story === undefined) return drawRecord(profile, record)
      const { renderStory } = await import('../output/draw-timeline.ts')
      const { terminalWidth } = await import('../output/theme.ts')
      return renderStory(story, terminalWidth())
    })
    process.exitCode = exitCodeOf(parseStatus(record.transactionStatus))
    if (process.exitCode === exitCodes.notFinal) await tellWhatNext('query', profile, record.transactionId)
  }

  /** The record once it is final, or when the time is over. */
  async #final(profile: Profile, record: TransactionRecord, waitMs: number): Promise<TransactionRecord> {
    const status = parseStatus(record.transactionStatus)
    if (waitMs === 0 || (status !== undefined && isFinal(status))) return record
    return (await lastRecord(profile, waitMs, record.transactionId)) ?? record
  }
}

/** The story of a transaction with every webhook attempt. */
async function fetchStory({ target, isSandbox }: Profile, id: string): Promise<Story> {
  const story = control(target, 'transaction', { attempts: true }, { names: { id } })
  return story.catch((error: Error) => {
    if (isSandbox) throw error
    const message = '--timeline needs a sandbox: other services keep no timeline'
    throw new UsageError(message, 'Remove --timeline, or --base-url and --api-key', 'timeline')
  })
}
