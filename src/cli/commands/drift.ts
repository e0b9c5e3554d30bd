import { readFileSync, writeFileSync } from 'node:fs'
import { string as stringArg } from '@oclif/core/args'
import { option, string } from '@oclif/core/flags'
import { decodeText } from '../../shared/text/decode-text.ts'
import { BareCommand } from '../base-command.ts'
import { driftGithub, driftJson, driftJunit, driftSummary, driftText } from '../drift/report-drift.ts'
import { exitCodes, UsageError } from '../errors/exit-codes.ts'
import { makeReportFolder, usingFile } from '../errors/system-error.ts'
import { plainTheme, theme } from '../output/theme.ts'

export default class Drift extends BareCommand {
  static override summary = 'Compare a recording of the service with a sandbox.'
  static override description =
    'Reads an HTTP Archive (HAR) of requests to the service, as browsers, proxies and test tools record it, sends the ' +
    'requests to a fresh sandbox, and compares the answers: ids, times and codes by their form and by what they refer to, ' +
    'everything else as it is. Each difference names the claim that it contradicts. Nothing is sent to the service. ' +
    'docs/drift.md says what is compared.\n\nThe exit code is 0 without differences, 1 with some.'
  static override examples = [
    'tillbox drift recorded.har',
    'tillbox drift recorded.har --reporter junit --report-file drift.xml',
  ]
  static override args = {
    file: stringArg({ description: 'HTTP Archive (HAR) 1.2.', required: true }),
  }
  static override flags = {
    reporter: option({
      description: 'Form of the report: for people, JSON, JUnit XML, or annotations of GitHub Actions.',
      options: ['text', 'json', 'junit', 'github'] as const,
      default: 'text',
    })(),
    'report-file': string({
      description: 'File for the report; left out, standard output.',
      helpValue: '<file>',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Drift)
    const { reporter, 'report-file': file } = flags
    if (file !== undefined) makeReportFolder(file, ...unwritable(file))
    const text = usingFile(
      () => decodeText(readFileSync(args.file)),
      `Cannot read ${args.file}`,
      'Name a HAR file',
      'file',
    )
    const { readArchive } = await import('../../testing/drift/archive.ts')
    const exchanges = readArchive(text)
    if (exchanges === undefined || exchanges.length === 0)
      throw new UsageError(
        `${args.file} has no requests to the payment API`,
        'Record some as a HAR file: of a sandbox, `tillbox logs export <file> --har`',
        'file',
      )
    const { drift, driftOptions } = await import('../../testing/drift/drift.ts')
    const { createSandbox } = await import('../../library/create-sandbox.ts')
    const sandbox = await createSandbox(driftOptions)
    const compared = await drift(exchanges, sandbox).finally(() => sandbox.close())
    const look = file === undefined ? theme : plainTheme
    const report = {
      text: () => driftText(compared, look),
      json: () => driftJson(compared),
      junit: () => driftJunit(compared),
      github: () => driftGithub(compared, look),
    }[reporter]()
    if (file === undefined) process.stdout.write(report)
    else {
      usingFile(() => writeFileSync(file, report), ...unwritable(file))
      process.stderr.write(`${driftSummary(compared)}; the report is in ${file}\n`)
    }
    process.exitCode = compared.some(({ differences }) => differences.length > 0)
      ? exitCodes.refused
      : exitCodes.done
  }
}

const unwritable = (file: string) =>
  [
    `Cannot write the report to ${file}`,
    'Name a file that you can write, with --report-file',
    'report-file',
  ] as const
