import { string } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { control } from '../../../client/client.ts'
import { requireConfirmation } from '../../input/confirmation.ts'
import { clean } from '../../output/clean.ts'
import { ServerCommand, summaryOf } from '../../sandbox-command.ts'

export default class TokenRevoke extends ServerCommand {
  static override summary = summaryOf('revoke-token')
  static override description =
    'Requests with it are refused from then on, and its open event streams end. Asks first; in a non-interactive shell, pass ' +
    '--yes.'
  static override examples = ['tillbox token revoke lee', 'tillbox token revoke lee --yes --json']
  static override args = { name: string({ description: 'Token to revoke, by name.', required: true }) }
  static override flags = { yes: boolean({ char: 'y', description: 'Do not ask.' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TokenRevoke)
    const sandbox = await this.find(flags, 'revoke-token')
    const { name } = args
    const question = `Revoke the token ${name} of the sandbox at ${sandbox.baseUrl} for good?`
    if (!flags.yes) await requireConfirmation('Revoking a token', question)
    const remaining = await control(sandbox, 'revoke-token', undefined, { names: { name } })
    const answer = { status: 'revoked', name, ...remaining }
    await this.show(answer, () => `Revoked the token ${clean(name)}.\n`)
  }
}
