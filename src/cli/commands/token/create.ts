import { string as stringArg } from '@oclif/core/args'
import { option, string } from '@oclif/core/flags'
import { scopes } from '../../../contract/control/tokens.ts'
import { warn } from '../../hints/same-sandbox.ts'
import { parseDurationFlag } from '../../input/typed-values.ts'
import { ServerCommand, summaryOf } from '../../sandbox-command.ts'

/** Without a token of its own, a sandbox serves loopback and asks nobody for one. */
const openToAll =
  'This sandbox asks for no token, and only this machine can call it. To share it: `tillbox sandbox restart --host 0.0.0.0 --token generate`'

export default class TokenCreate extends ServerCommand {
  static override summary = summaryOf('create-token')
  static override description =
    'The scope admin allows everything; spaces, to create spaces and use those; space, everything in one space; viewer, only ' +
    'to look at pages. The sandbox keeps a hash of the token, so nobody can show it again. Give each person and each job a token ' +
    'of its own: tillbox audit tells them apart, and you can revoke one alone.'
  static override examples = [
    'tillbox token create lee --scope admin',
    'tillbox token create board --scope viewer --ttl 30d --json',
    'tillbox token create ci --scope spaces --ttl 90d',
    'tillbox token create shop --scope space --space ci-1 --ttl 30d',
  ]
  static override memberFlags = { ttlMs: 'ttl' }
  static override args = {
    name: stringArg({
      description: 'Name: letters, digits, dots, dashes and underscores, at most 48.',
      required: true,
    }),
  }
  static override flags = {
    scope: option({ description: 'What the token may do.', options: scopes, required: true })(),
    space: string({ description: 'Space that the token is for; a viewer without one sees every space.' }),
    ttl: string({
      description: 'How long it is valid: 12h, 30d, or seconds; default: until it is revoked.',
      helpValue: '<duration>',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TokenCreate)
    const { scope, space, ttl } = flags
    const ttlMs = ttl === undefined ? undefined : parseDurationFlag(ttl, 'ttl')
    const members = { name: args.name, scope, space, ttlMs }
    await this.ask(flags, 'create-token', { members }, async (created) => {
      const { token, baseUrl, publicUrl } = await this.find(flags)
      if (token === undefined) warn(openToAll)
      const { renderCreated } = await import('../../access/render-access.ts')
      return renderCreated(created, publicUrl ?? baseUrl)
    })
  }
}
