import { boolean, string } from '@oclif/core/flags'
import { control } from '../../../../client/client.ts'
import { BaseCommand } from '../../../base-command.ts'
import { applicationFlags, applicationMembers, callerFrom } from '../../../connection/application.ts'
import { resolveSandbox } from '../../../connection/sandbox-address.ts'
import { requireConfirmation } from '../../../input/confirmation.ts'
import { parseDurationFlag } from '../../../input/typed-values.ts'
import { clean } from '../../../output/clean.ts'
import { timeText } from '../../../output/render-time.ts'
import { summaryOf } from '../../../sandbox-command.ts'

export default class SandboxKeyRotate extends BaseCommand {
  static override summary = summaryOf('regenerate-key')
  static override description =
    'Prints the new key. The old one is accepted until --overlap has passed on the sandbox clock, so tillbox ' +
    'sandbox clock --advance 24h shows what then happens to a client that still uses it. With --overlap 0 the old key ' +
    'becomes invalid immediately, and the command asks first; in a non-interactive shell, pass --yes.'
  static override examples = [
    'tillbox sandbox key rotate',
    'tillbox sandbox key rotate --overlap 1h --json',
    'tillbox sandbox key rotate --overlap 0 --yes',
  ]
  static override memberFlags = { graceMs: 'overlap', ...applicationMembers }
  static override flags = {
    overlap: string({
      description: 'How long the old key stays valid: 1h, 7d, or seconds; 0 ends it immediately.',
      default: '24h',
      helpValue: '<duration>',
    }),
    yes: boolean({ char: 'y', description: 'Do not ask.' }),
    ...applicationFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxKeyRotate)
    const graceMs = parseDurationFlag(flags.overlap, 'overlap')
    const sandbox = await resolveSandbox(flags, { asks: 'regenerate-key' })
    if (graceMs === 0 && !flags.yes)
      await requireConfirmation(
        'Rotating a key without an overlap',
        `Clients that use the old key of ${sandbox.baseUrl} are refused immediately. Make a new key?`,
      )
    const { members, apiKey } = await callerFrom(flags)
    const made = await control(sandbox, 'regenerate-key', { ...members, graceMs }, { apiKey })
    const old =
      graceMs === 0
        ? 'is not accepted any more'
        : `is accepted until ${timeText(clean(made.oldKeyValidUntil))} (sandbox clock)`
    process.stderr.write(`The old key ${old}\n`)
    await this.show(made, () => `${clean(made.apiKey)}\n`)
  }
}
