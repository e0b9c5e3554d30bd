import { boolean } from '@oclif/core/flags'
import type { Profile } from '../cli/connection/profile.ts'
import { UsageError } from '../cli/errors/usage-error.ts'
import { operationCommand, type ParsedCommand } from '../cli/operation/operation-command.ts'
import { control } from '../client/client.ts'
import type { TransactionRecord } from '../contract/records.ts'
import type { Story } from '../contract/sandbox/answers.ts'

const Base = operationCommand('query')

export default class Query extends Base {
  static override examples = [
    '<%= config.bin %> query 1795159696581000',
    '<%= config.bin %> query 1795159696581000 --timeline',
    '<%= config.bin %> query --transaction-request-id 5d3c… --json',
  ]
  static override description = Base.description.replace(
    '\n\n',
    '\n\n--json prints the record as the service answers it. --timeline --json prints another document, which only a sandbox ' +
      'has: that record as record, with status, outcome, rule, timeline, tree and deliveries.\n\n',
  )
  static override flags = {
    ...Base.flags,
    timeline: boolean({
      description:
        'Draw every step between client, service, terminal and host; with --json, another document than the record.',
      helpGroup: 'SANDBOX',
    }),
  }

  #timeline = false

  override async request(typed: ParsedCommand): Promise<object> {
    this.#timeline = typed.flags.timeline === true
    const record = (await super.request(typed)) as TransactionRecord
    return this.#timeline ? storyOf(typed.profile, record.transactionId) : record
  }

  override async draw(data: object, profile: Profile): Promise<string> {
    if (!this.#timeline) return super.draw(data, profile)
    const { renderTimeline } = await import('../cli/output/drawing/timeline.ts')
    const { terminalWidth } = await import('../cli/output/theme.ts')
    const story = data as Story
    const { renderRecord } = await import('../cli/output/record.ts')
    return `${renderRecord(story.record, story)}\n${renderTimeline(story, terminalWidth())}`
  }
}

/** Everything that happened, with every attempt to tell of it. Errors: UsageError where the service is no sandbox. */
async function storyOf({ target, isSandbox }: Profile, id: string): Promise<Story> {
  const story = control(target, 'transaction', { attempts: true }, { names: { id } })
  return story.catch((error: Error) => {
    if (isSandbox) throw error
    const message = '--timeline needs a sandbox: other services keep no timeline'
    throw new UsageError(message, 'Remove --timeline, or --base-url and --api-key', 'timeline')
  })
}
