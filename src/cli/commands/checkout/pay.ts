import { string } from '@oclif/core/args'
import type { SandboxFlags } from '../../connection/sandbox-address.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { canAsk } from '../../input/confirmation.ts'
import { paysOnline, promptedCardFlag, usualCard } from '../../input/fixture-names.ts'
import { SandboxCommand, summaryOf } from '../../sandbox-command.ts'
import { ofSession, waitWebhooksFlags } from '../../webhook/wait-webhooks.ts'

export default class CheckoutPay extends SandboxCommand {
  static override summary = summaryOf('pay-session')
  static override description = 'Runs the same steps as the page: three tries, then the session fails.'
  static override examples = [
    'tillbox checkout pay cs_0f3a…',
    'tillbox checkout pay cs_0f3a… --card visa-declined --json',
  ]
  static override args = {
    'session-id': string({ description: 'Id of the checkout session.', required: true }),
  }
  static override flags = { card: promptedCardFlag, ...waitWebhooksFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CheckoutPay)
    const request = {
      names: { id: args['session-id'] },
      members: { card: flags.card ?? (await this.#askCard(flags)) },
      waitsFor: ofSession,
    }
    const { state } = await this.ask(flags, 'pay-session', request, async (view) =>
      (await import('../../output/checkout-session.ts')).renderSessionView(view),
    )
    const isFinal = state !== 'open' && state !== 'processing' // a declined try may leave others
    if (state !== 'paid') process.exitCode = isFinal ? exitCodes.unsuccessful : exitCodes.notFinal
  }

  /** The card that the user chooses, or the default card if it cannot ask. */
  async #askCard(flags: SandboxFlags): Promise<string> {
    if (!canAsk()) return usualCard
    const { chooseCard } = await import('../../input/choose-listed.ts')
    return chooseCard(await this.find(flags, 'pay-session'), paysOnline)
  }
}
