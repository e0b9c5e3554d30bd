import { existsSync } from 'node:fs'
import { string as stringArg } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { jsonLinesFlag } from '../../cli/base-command.ts'
import { exitCodes, UsageError } from '../../cli/errors/exit-codes.ts'
import { shownUrl } from '../../cli/sandbox/shown-start.ts'
import { SandboxCommand } from '../../cli/sandbox-command.ts'
import {
  isIncomplete,
  type RecordedNotification,
  recordedNotifications,
} from '../../cli/webhook/recording.ts'
import { waitWebhooksFlags } from '../../cli/webhook/wait-webhooks.ts'
import { targetFrom, withToFlagError } from '../../cli/webhook/webhook-input.ts'
import type { Resent } from '../../contract/sandbox/webhooks.ts'

export default class WebhookReplay extends SandboxCommand {
  static override summary = 'Replay a recording of listen --record, or one webhook.'
  static override description =
    'Sends a recording byte for byte, with its original headers and timestamps; --fast skips the pauses between them.' +
    ' Exits with 4 if any notification was not answered with 200.'
  static override examples = [
    'tillbox webhook replay notifications.ndjson --to http://localhost:3000/hook --fast',
    'tillbox webhook replay 9bd81f17-e7fd-8000-8006-60b2cc789660',
  ]
  static override args = {
    'recording-or-id': stringArg({ description: 'Recording file, or id of a webhook.', required: true }),
  }
  static override memberFlags = { ids: 'recording-or-id', id: 'recording-or-id' }
  static override flags = {
    to: string({ description: 'Receiving URL; required for a recording.' }),
    fast: boolean({ description: 'Send a recording without pauses.' }),
    ...waitWebhooksFlags,
    ...jsonLinesFlag,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookReplay)
    const to = flags.to === undefined ? undefined : targetFrom(flags.to, 'to')
    const source = args['recording-or-id']
    if (!existsSync(source)) {
      if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(source))
        throw new UsageError(
          `${source} is neither a file nor the id of a webhook`,
          'Name a file that listen --record wrote, or an id that `tillbox webhook list` shows',
          'recording-or-id',
        )
      if (flags.fast)
        throw new UsageError('--fast needs a recording', 'Remove --fast: one webhook is sent immediately')
      const request = {
        members: { ids: [source], to },
        waitsFor: ({ resent }: Resent) => ({ ids: [...resent] }),
      }
      const asked = this.ask(flags, 'resend-webhooks', request, async (answer) =>
        (await import('../../cli/webhook/render-webhooks.ts')).renderResent(answer),
      )
      await withToFlagError(asked)
      return
    }
    if (flags['wait-webhooks'])
      throw new UsageError(
        '--wait-webhooks needs the id of a webhook',
        'Remove --wait-webhooks: a recording is sent while the command runs',
      )
    if (to === undefined)
      throw new UsageError('--to is missing', 'Pass the receiving URL: --to http://localhost:3000/hook')
    if (isIncomplete(source))
      process.stderr.write(`The last line of ${source} is incomplete and is skipped\n`)
    await this.playback(recordedNotifications(source), new URL(to), flags.fast)
  }

  async playback(recording: Iterable<RecordedNotification>, to: URL, isFast: boolean): Promise<void> {
    const { forwardOnce } = await import('../../cli/webhook/listen/listen-to.ts')
    const { renderListened } = await import('../../cli/webhook/listen/render-listen.ts')
    let before: number | undefined
    for (const recorded of recording) {
      const pause = recorded.at - (before ?? recorded.at)
      if (!isFast) await new Promise((resolve) => setTimeout(resolve, pause))
      before = recorded.at
      const { status, durationMs, error } = await forwardOnce(to, recorded.headers, recorded.body)
      const sent = { status, durationMs, error }
      if (sent.status !== 200) process.exitCode = exitCodes.unsuccessful
      await this.show({ id: recorded.id, forwarded: sent }, () =>
        renderListened(recorded, { ...sent, to: shownUrl(to.href), attempt: 1, fault: null, retryMs: null }),
      )
    }
  }
}
