import { option } from '@oclif/core/flags'
import { wallets } from '../../../contract/fields.ts'
import { corruptions, makeWalletPayload } from '../../../sandbox/wallet/make-payload.ts'
import { resolveSandbox } from '../../connection/sandbox-address.ts'
import { builtInCard, cardFlag, testCard } from '../../input/fixture-names.ts'
import { SandboxCommand } from '../../sandbox-command.ts'

export default class CheckoutWalletPayload extends SandboxCommand {
  static override summary = 'Make a Google Pay or Apple Pay test payload.'
  static override description =
    'The payload has the same members as that of the wallet. Its encrypted part is JSON with the name of a test card and ' +
    'an expiry. Pass it as cardEncryptedData. Nothing is sent; a card that is not built in is read from the sandbox.'
  static override examples = [
    'tillbox checkout wallet-payload --payment-method GOOGLE_PAY',
    'tillbox checkout wallet-payload --payment-method APPLE_PAY --corrupt signature',
    'tillbox checkout sale --amount 5.00 --payment-method GOOGLE_PAY --card-encrypted-data "$(tillbox checkout wallet-payload --corrupt expired)"',
  ]
  static override flags = {
    'payment-method': option({
      description: 'The wallet.',
      options: wallets,
      default: 'GOOGLE_PAY',
    })(),
    card: cardFlag,
    corrupt: option({
      description:
        'How to break it: expired, a wrong signature, cut in the middle, or the other wallet’s (noted; refused with --strict).',
      options: corruptions,
    })(),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(CheckoutWalletPayload)
    const wallet = flags['payment-method']
    const card = builtInCard(flags.card) ?? (await testCard(() => resolveSandbox(flags), flags.card))
    const cardEncryptedData = makeWalletPayload(wallet, card, Date.now(), flags.corrupt)
    await this.show({ paymentMethod: wallet, cardEncryptedData }, () => `${cardEncryptedData}\n`)
  }
}
