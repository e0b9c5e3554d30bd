import { existsSync } from 'node:fs'
import { string as stringArg } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { BaseCommand, jsonLinesFlag, stateFlag } from '../../cli/base-command.ts'
import { placeFlag, sandboxOf, urlFrom } from '../../cli/connection/place.ts'
import { exitCodes, exitHelpWith } from '../../cli/errors/exit-codes.ts'
import { UsageError } from '../../cli/errors/usage-error.ts'
import { jsonText } from '../../cli/output/json-text.ts'
import { isCutOff, type Recorded, recordedIn } from '../../cli/webhook/recording.ts'
import { orderedTo } from '../../cli/webhook/webhook-input.ts'
import { control } from '../../client/client.ts'
import type { Resent } from '../../contract/webhooks.ts'

export default class WebhookReplay extends BaseCommand {
  static override printsLines = true
  static override summary = 'Send a recording of listen --record again, or one webhook by its id.'
  static override description =
    `A recording is sent byte for byte with its headers, with its own spacing in time or with --fast. Its timestamps are ` +
    `the old ones.\n\n${exitHelpWith('the receiver did not answer 200 to all')}`
  static override examples = [
    '<%= config.bin %> webhook replay notifications.ndjson --to http://localhost:3000/hook --fast',
    '<%= config.bin %> webhook replay 9bd81f17-e7fd-8000-8006-60b2cc789660',
  ]
  static override args = { what: stringArg({ description: 'File or id of a webhook.', required: true }) }
  static override memberFlags = { ids: 'what', id: 'what' }
  static override flags = {
    to: string({ description: 'URL; needed for a recording.' }),
    fast: boolean({ description: 'A recording without the time between its notifications.' }),
    ...jsonLinesFlag,
    ...placeFlag,
    state: stateFlag,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookReplay)
    const to = flags.to === undefined ? undefined : urlFrom(flags.to, 'to')
    if (!existsSync(args.what)) {
      if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(args.what))
        throw new UsageError(
          `There is no file ${args.what}, and it is no id of a webhook`,
          'Name a file that listen --record wrote, or an id that tillbox webhook list shows',
          'what',
        )
      if (flags.fast)
        throw new UsageError('--fast is for a recording', 'Leave it out: one webhook is sent at once', 'fast')
      const order = { ids: [args.what], ...(to && { to }) }
      const answer = await orderedTo(control<Resent>(await sandboxOf(flags), 'resend-webhooks', order))
      return this.show(flags.json, answer, async () =>
        (await import('../../cli/webhook/render-webhooks.ts')).renderResent(answer),
      )
    }
    if (to === undefined)
      throw new UsageError('--to is missing', 'Name the URL to send the recording to', 'to')
    if (isCutOff(args.what))
      process.stderr.write(`The last line of ${args.what} is cut off, and is left out\n`)
    await this.playback(recordedIn(args.what), new URL(to), flags)
  }

  async playback(
    recording: Iterable<Recorded>,
    to: URL,
    flags: { fast: boolean; json: boolean },
  ): Promise<void> {
    const { forwardOnce } = await import('../../cli/webhook/forward.ts')
    const { renderHeard } = await import('../../cli/webhook/render-webhooks.ts')
    let before: number | undefined
    for (const recorded of recording) {
      const pause = recorded.at - (before ?? recorded.at)
      if (!flags.fast) await new Promise((resolve) => setTimeout(resolve, pause))
      before = recorded.at
      const sent = await forwardOnce(to, recorded.headers, recorded.body)
      if (sent.status !== 200) process.exitCode = exitCodes.unsuccessful
      process.stdout.write(
        flags.json ? jsonText({ id: recorded.id, forwarded: sent }) : renderHeard(recorded, sent),
      )
    }
  }
}
