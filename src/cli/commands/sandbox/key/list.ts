import { applicationFlags, applicationMembers } from '../../../connection/application.ts'
import { controlCommand } from '../../../sandbox-command.ts'

export default class SandboxKeyList extends controlCommand('keys', async (list) =>
  (await import('../../../sandbox/render-applications.ts')).renderKeys(list),
) {
  static override description =
    'Shows the end of each key, its environment and application, and its times on the sandbox clock. tillbox sandbox ' +
    'key rotate makes a new one.'
  static override examples = [
    'tillbox sandbox key list',
    'tillbox sandbox key list --merchant M1000000001 --json',
  ]
  static override listMember = 'keys'
  static override memberFlags = applicationMembers
  static override flags = {
    application: { ...applicationFlags.application, description: 'Only keys of this application.' },
    merchant: { ...applicationFlags.merchant, description: 'Only keys of the application of this merchant.' },
  }
}
