import { existsSync } from 'node:fs'
import { string as stringArg } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { BareCommand, linesFlags } from '../../base-command.ts'
import { exitCodes, UsageError } from '../../errors/exit-codes.ts'
import { shownUrl } from '../../sandbox/shown-start.ts'
import { type RecordedNotification, readRecording } from '../../webhook/recording.ts'
import { targetFrom } from '../../webhook/webhook-input.ts'

export default class WebhookReplay extends BareCommand {
  static override summary = 'Replay a recording of listen --record.'
  static override description =
    'Sends a recording byte for byte, with its original headers and timestamps; --fast skips the pauses between them.' +
    ' Exits with 4 if any notification was not answered with 200.'
  static override examples = [
    'tillbox webhook replay notifications.ndjson --to http://localhost:3000/hook',
    'tillbox webhook replay notifications.ndjson --to http://localhost:3000/hook --fast',
  ]
  static override args = { recording: stringArg({ description: 'Recording file.', required: true }) }
  static override flags = {
    to: string({ description: 'Receiving URL; required.' }),
    fast: boolean({ description: 'Send without pauses.' }),
  }
  static override baseFlags = linesFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhookReplay)
    const { recording } = args
    if (!existsSync(recording))
      throw new UsageError(
        `${recording} does not exist`,
        'Name a file that listen --record wrote; `tillbox webhook resend <id>` sends a stored webhook again',
        'recording',
      )
    if (flags.to === undefined)
      throw new UsageError(['--to', 'is missing'], 'Pass the receiving URL: --to http://localhost:3000/hook')
    const to = targetFrom(flags.to, 'to')
    await this.playback(readRecording(recording), new URL(to), flags.fast)
  }

  async playback(recording: readonly RecordedNotification[], to: URL, isFast: boolean): Promise<void> {
    const { forwardOnce } = await import('../../webhook/listen/listen-to.ts')
    const { renderListened } = await import('../../webhook/listen/render-listen.ts')
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
