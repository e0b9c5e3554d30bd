import { boolean, option } from '@oclif/core/flags'
import { BaseCommand, formats } from '../base-command.ts'
import { jsonText } from '../output/json-text.ts'

export default class OpenApi extends BaseCommand {
  static override summary = 'Print the OpenAPI document of service and sandbox.'
  static override description =
    'OpenAPI 3.1 of this version of tillbox: the payment service, the control interface of the sandbox, and the webhooks. Flags choose parts of it. ' +
    'A running sandbox serves it at /_sandbox/openapi.json.'
  static override examples = [
    'tillbox openapi > openapi.json',
    'tillbox openapi --output yaml > openapi.yaml',
    'tillbox openapi --service --webhooks',
    'tillbox openapi --fields info.version,servers',
  ]
  static override flags = {
    service: boolean({ description: 'The payment service.' }),
    control: boolean({ description: 'The control interface of the sandbox.' }),
    webhooks: boolean({ description: 'The webhooks.' }),
    output: option({
      description: 'Format of the document; table is indented JSON.',
      options: [...formats, 'yaml'] as const,
      exclusive: ['json', 'fields'],
    })(),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(OpenApi)
    const { openapiDocument } = await import('../../contract/openapi/document.ts')
    const { selectParts } = await import('../../contract/openapi/document-parts.ts')
    const { output }: { readonly output?: string | undefined } = flags
    const parts = (['service', 'control', 'webhooks'] as const).filter((part) => flags[part])
    const document = selectParts(openapiDocument(), parts)
    await this.show(document, async () => {
      if (output !== 'yaml') return jsonText(document, 2)
      const { stringify } = await import('../../sandbox/fixture-files/yaml.ts')
      return stringify(document, { aliasDuplicateObjects: false })
    })
  }
}
