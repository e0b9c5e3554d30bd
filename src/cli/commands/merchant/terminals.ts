import { ForeignAnswer } from '../../../client/http.ts'
import type { TerminalEntry, TerminalsAnswer } from '../../../contract/operations/look-ups.ts'
import { operationCommand, type ParsedCommand } from '../../operation/operation-command.ts'

/** Pages that are followed, of 100 terminals each: more than any merchant has. assumption: cli-answers */
const mostPages = 1_000

const render = async (answer: TerminalsAnswer) =>
  (await import('../../sandbox/render-applications.ts')).renderTerminals(answer)

export default class MerchantTerminals extends operationCommand('merchant-terminals', render) {
  static override examples = ['tillbox merchant terminals', 'tillbox merchant terminals --json']
  static override listMember = 'terminals'

  /** Follows the pages to their end. */
  override async request(typed: ParsedCommand): Promise<TerminalsAnswer> {
    const terminals: TerminalEntry[] = []
    let nextToken: string | undefined
    for (let pages = 0; pages < mostPages; pages += 1) {
      const members = { ...typed.members, nextToken }
      const page = (await super.request({ ...typed, members })) as TerminalsAnswer
      for (const terminal of page.terminals ?? []) terminals.push(terminal)
      nextToken = page.nextToken
      if (!nextToken) return { merchantId: page.merchantId, terminals }
    }
    const { baseUrl } = typed.profile.target
    throw new ForeignAnswer(baseUrl, 200, `its list of terminals has no end after ${mostPages} pages`)
  }
}
