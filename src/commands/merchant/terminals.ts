import type { TerminalsAnswer } from '../../api/answers.ts'
import { operationCommand, type Typed } from '../../cli/operation-command.ts'

export default class MerchantTerminals extends operationCommand('merchant-terminals') {
  static override examples = [
    '<%= config.bin %> merchant terminals',
    '<%= config.bin %> merchant terminals --json',
  ]

  /** Follows the pages to their end. */
  override async request(typed: Typed): Promise<TerminalsAnswer> {
    const terminals: TerminalsAnswer['terminals'][number][] = []
    let nextToken: string | undefined
    for (;;) {
      const members = { ...typed.members, ...(nextToken && { nextToken }) }
      const page = (await super.request({ ...typed, members })) as TerminalsAnswer
      terminals.push(...(page.terminals ?? []))
      nextToken = page.nextToken
      if (!nextToken) return { merchantId: page.merchantId, terminals }
    }
  }

  override async draw(data: object): Promise<string> {
    const { renderTerminals } = await import('../../cli/render/merchant.ts')
    return renderTerminals(data as TerminalsAnswer)
  }
}
