import { string } from '@oclif/core/flags'
import { BaseCommand } from '../base-command.ts'
import { connectionFlags } from '../connection/profile.ts'
import { urlFrom } from '../connection/target.ts'
import { exitCodes } from '../errors/exit-codes.ts'

export default class Doctor extends BaseCommand {
  static override summary = 'Check this machine, the service and webhooks.'
  static override description =
    'A problem comes with the command that fixes it. Only look-ups are sent to the service. A webhook receiver on this ' +
    "machine, the sandbox's own or --webhook-url, gets two test notifications: one with a wrong signature, which it " +
    'must refuse, and one with a right one. The exit code is 1 when a check failed.'
  static override examples = ['tillbox doctor', 'tillbox doctor --webhook-url http://127.0.0.1:3000/webhooks']
  static override flags = {
    'webhook-url': string({
      description: 'Your webhook receiver on this machine; default: the --notify-url of the sandbox.',
      helpValue: '<url>',
    }),
    ...connectionFlags,
  }

  static override listMember = 'checks'

  async run(): Promise<void> {
    const { flags } = await this.parse(Doctor)
    const { 'webhook-url': url, json, ...connection } = flags
    const webhookUrl = url === undefined ? undefined : urlFrom(url, '--webhook-url')
    const [{ diagnose }, { renderDiagnosis }, { verifyState }] = await Promise.all([
      import('../doctor/diagnose.ts'),
      import('../doctor/render-diagnosis.ts'),
      import('../../sandbox/store/file/verify.ts'),
    ])
    const diagnosis = await diagnose(connection, this.config.version, webhookUrl, verifyState)
    await this.show(diagnosis, () => renderDiagnosis(diagnosis))
    process.exitCode = diagnosis.ok ? exitCodes.done : exitCodes.refused
  }
}
