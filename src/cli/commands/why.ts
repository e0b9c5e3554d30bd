import { string } from '@oclif/core/args'
import { withRecorded } from '../../contract/evidence/recorded.ts'
import { acceptedDifferences } from '../drift/accepted.ts'
import { ownerIn, resolveTransactionId } from '../operation/earlier-result.ts'
import { SandboxCommand, summaryOf } from '../sandbox-command.ts'

export default class Why extends SandboxCommand {
  static override summary = summaryOf('why')
  static override description =
    'For a request or a transaction, shows its checks in their order, and what refused it or decided its outcome. For an ' +
    'error code, an operation, a member, a header or a claim, shows where it comes from. Each has its evidence, and the ' +
    'setting that changes it. Only requests and transactions need a running sandbox.'
  static override examples = [
    'tillbox why SBX_OVER_REFUND',
    'tillbox why refundableAmount',
    'tillbox why @last',
  ]
  static override args = {
    about: string({
      description: 'Trace id, transaction such as @last, error code, operation, member, header or claim.',
      required: true,
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Why)
    const { explainName } = await import('../../contract/evidence/explain.ts')
    const { renderWhy } = await import('../output/render-why.ts')
    const known = explainName(args.about)
    if (known !== undefined) {
      const { accepted } = await acceptedDifferences()
      const answer = withRecorded(known, accepted, [known.about])
      return this.show(answer, () => renderWhy(answer))
    }
    const about = await resolveTransactionId(args.about, ownerIn(await this.find(flags, 'why')))
    await this.ask(flags, 'why', { members: { about } }, renderWhy)
  }
}
