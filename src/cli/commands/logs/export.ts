import { string as stringArg } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { control } from '../../../client/client.ts'
import { counted } from '../../../shared/text/words.ts'
import { flaggedTransaction, transactionFlag } from '../../operation/earlier-result.ts'
import { clean } from '../../output/clean.ts'
import { jsonText, readableTimes } from '../../output/json-text.ts'
import { writeNew } from '../../sandbox/state-file-errors.ts'
import { SandboxCommand } from '../../sandbox-command.ts'

export default class LogsExport extends SandboxCommand {
  static override summary = 'Write the request log to a file, as JSON lines or HAR.'
  static override description =
    'Each request with its answer, the newest last: one JSON object a line, or with --har an HTTP Archive 1.2 that the ' +
    'network panel of a browser and most HTTP tools open. Keys, cookies, tokens and card data are hidden.'
  static override examples = [
    'tillbox logs export requests.har --har',
    'tillbox logs export failed.har --har --transaction 1795161261276000 --force',
  ]
  static override memberFlags = { transactionId: 'transaction' }
  static override args = { file: stringArg({ description: 'File to write.', required: true }) }
  static override flags = {
    har: boolean({ description: 'As an HTTP Archive (HAR) 1.2.' }),
    ...transactionFlag('Only requests about this transaction'),
    force: boolean({ char: 'f', description: 'Replace the file if it exists.' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LogsExport)
    const sandbox = await this.find(flags)
    const transactionId = (await flaggedTransaction(flags, sandbox)) || undefined
    const { requestArchive, requestsInFull } = await import('../../../client/request-archive.ts')
    const requests = await requestsInFull(
      (name, members, names) => control(sandbox, name, members, { names }),
      { transactionId },
    )
    const text = flags.har
      ? jsonText(requestArchive(requests, sandbox.baseUrl), 2)
      : requests.map((request) => jsonText(readableTimes(request))).join('')
    writeNew(args.file, text, flags.force)
    const answer = { status: 'exported', file: args.file, requests: requests.length }
    const written = `${counted(requests.length, 'request')} written to ${clean(args.file)}\n`
    await this.show(answer, () => written)
  }
}
