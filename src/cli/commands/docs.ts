import { string as stringArg } from '@oclif/core/args'
import { BaseCommand } from '../base-command.ts'
import { NothingFound } from '../errors/exit-codes.ts'

export default class Docs extends BaseCommand {
  static override summary = 'Print a page of the documents, or find a passage.'
  static override description =
    'Lists every page. With the name or the address of a page or a passage it prints that; with other words it searches. ' +
    'A running sandbox lists its documents at /llms.txt.'
  static override examples = [
    'tillbox docs',
    'tillbox docs webhooks',
    'tillbox docs partial refund',
    'tillbox docs /docs/guides/webhooks#order',
  ]
  static override args = { words: stringArg({ description: 'Address or name of a page, or words to find.' }) }
  static override strict = false
  static override listMember = 'passages'

  async run(): Promise<void> {
    const { argv } = await this.parse(Docs)
    const words = (argv as string[]).join(' ').trim()
    const { documentAt, documentList, foundPassages } = await import('../../contract/documents/documents.ts')
    const paths = [words, `/${words}`, `/docs/guides/${words}`, `/docs/${words}`]
    const text = words === '' ? documentList((path) => path) : paths.map(documentAt).find(Boolean)
    if (text !== undefined)
      return this.show({ passages: [{ path: words, text }] }, () => `${text.trimEnd()}\n`)
    const found = foundPassages(words).slice(0, 20)
    if (found.length === 0)
      throw new NothingFound('No passage has all of these words', 'List the pages: `tillbox docs`')
    const passages = found.map(({ path, title, where }) => ({ path, title, where }))
    await this.show({ passages }, async () => (await import('../docs/render-docs.ts')).renderPassages(found))
  }
}
