import { string as stringArg } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import { applicationFlags, applicationMembers } from '../../connection/application.ts'
import { controlCommand } from '../../sandbox-command.ts'

export default class MerchantAdd extends controlCommand('add-merchant', async (added, { appId }) =>
  (await import('../../sandbox/render-applications.ts')).renderAddedMerchant(added, appId !== undefined),
) {
  static override description =
    'It gets an application of its own, with an API key and a webhook secret, unless --application names one to join. ' +
    'Without --terminal it gets one automatic terminal and one attended terminal. It survives restarts ' +
    'and resets.'
  static override examples = [
    'tillbox merchant add M3000000001 --name "Third Shop"',
    'tillbox merchant add M3000000002 --terminal DESK-1 --terminal DESK-2 --json',
    'tillbox merchant add M1000000009 --application tbxapp0000000001',
  ]
  static override args = {
    'merchant-id': stringArg({ description: 'Id of the merchant.', required: true }),
  }
  static override memberFlags = {
    ...applicationMembers,
    merchantId: 'merchant-id',
    terminals: 'terminal',
    terminalSn: 'terminal',
  }
  static override flags = {
    name: string({ description: 'Name that customers know; default: its id.' }),
    application: { ...applicationFlags.application, description: 'Application to join; default: a new one.' },
    terminal: string({
      description: 'Serial number of a terminal that acts by itself. Can be repeated.',
      multiple: true,
    }),
  }
}
