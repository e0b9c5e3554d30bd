import { string } from '@oclif/core/flags'
import { wallets } from '../../../contract/fields.ts'
import { builtInCard, cardFlag, testCard } from '../../input/fixture-names.ts'
import { operationCommand, type ParsedCommand } from '../../operation/operation-command.ts'

const Base = operationCommand('direct-payment')

export default class CheckoutSale extends Base {
  static override examples = [
    'tillbox checkout sale --amount 24.90 --payment-method GOOGLE_PAY',
    'tillbox checkout sale --amount 24.90 --payment-method APPLE_PAY --card visa-declined',
    'tillbox checkout sale --amount 98.23 --payment-method GOOGLE_PAY --json',
  ]
  static override flags = {
    ...Base.flags,
    'payment-method': string({ description: 'Digital wallet; default: GOOGLE_PAY.', options: wallets }),
    'card-encrypted-data': string({
      description: 'The wallet’s payload, a JSON object as a string; default: a test payload of --card.',
    }),
    card: cardFlag,
  }

  /** Without a payload, one with a test card is made. */
  override async complete(typed: ParsedCommand): Promise<ParsedCommand> {
    const { profile, flags, members } = typed
    const wallet = members.paymentMethod === 'APPLE_PAY' ? 'APPLE_PAY' : 'GOOGLE_PAY'
    const walletMembers = { paymentMethod: wallet, ...members }
    if (members.cardEncryptedData != null) return { ...typed, members: walletMembers }
    const { makeWalletPayload } = await import('../../../sandbox/wallet/make-payload.ts')
    const name = String(flags.card)
    const card =
      (!profile.isSandbox && builtInCard(name)) || (await testCard(async () => profile.target, name))
    const cardEncryptedData = makeWalletPayload(wallet, card, Date.now())
    return { ...typed, members: { ...walletMembers, cardEncryptedData } }
  }
}
