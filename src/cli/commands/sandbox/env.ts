import { boolean, string } from '@oclif/core/flags'
import { control } from '../../../client/client.ts'
import { readLock } from '../../../client/sandbox-lock.ts'
import { sandboxVariables } from '../../../client/sandbox-variables.ts'
import { hiddenKey } from '../../../contract/control/request-log-answers.ts'
import { warn } from '../../hints/same-sandbox.ts'
import { printing } from '../../output/color.ts'
import { exportLines } from '../../sandbox/export-lines.ts'
import { SandboxCommand } from '../../sandbox-command.ts'

export default class SandboxEnv extends SandboxCommand {
  static override summary = 'Print the variables of the running sandbox for a shell.'
  static override description =
    'Prints the variables that tillbox exec sets, as export lines of a POSIX shell. A terminal window shows only the end of ' +
    'each secret, unless you pass --show-key; a pipe and $(…) get it in full. Where it fails, eval fails, too.'
  static override examples = [
    'eval "$(tillbox sandbox env)"',
    'tillbox sandbox env --show-key',
    'eval "$(tillbox sandbox env --merchant M2000000001)"',
    'tillbox sandbox env --json',
  ]
  static override memberFlags = { merchantId: 'merchant' }
  static override flags = {
    merchant: string({
      description: 'Merchant to act as, with the key of its application; default: the first one.',
      helpValue: '<merchant-id>',
    }),
    'show-key': boolean({ description: 'Show the secrets in full in a terminal window too.' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxEnv)
    const sandbox = await this.find(flags, 'everything') // whoever has these variables has named it
    const { baseUrl: url, token, stateFolder: state } = sandbox
    const { apiKey, appId, merchantId, terminals } =
      flags.merchant === undefined
        ? sandbox
        : await control(sandbox, 'connection', { merchantId: flags.merchant })
    const { secret } = await control(sandbox, 'webhook-secret', undefined, { apiKey })
    const isShown = flags['show-key'] || process.stdout.isTTY !== true
    const shown = (text: string) => (isShown ? text : hiddenKey(text))
    const variables = sandboxVariables({
      url,
      appId,
      merchantId,
      terminalSn: terminals?.[0],
      state,
      apiKey: shown(apiKey),
      webhookSecret: shown(secret),
      token: token && shown(token),
      certificate: state && readLock(state)?.certificate,
    })
    const lines = exportLines(variables)
    await this.show(variables, () => lines)
    if (!isShown) warn('Secrets are hidden here: eval "$(`tillbox sandbox env`)", or --show-key')
  }

  /** A failure is one of the shell that evaluates the output, too. */
  protected override async catch(error: Error): Promise<void> {
    await super.catch(error)
    if (process.stdout.isTTY !== true && !printing.isForPrograms) process.stdout.write('false\n')
  }
}
