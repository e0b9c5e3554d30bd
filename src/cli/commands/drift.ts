import { readFileSync, writeFileSync } from 'node:fs'
import type { Interfaces } from '@oclif/core'
import { string as stringArg } from '@oclif/core/args'
import { option, string } from '@oclif/core/flags'
import { isLookUp, operationNames, operations } from '../../contract/operations.ts'
import { decodeText } from '../../shared/text/decode-text.ts'
import type { RecordedExchange } from '../../testing/drift/archive.ts'
import { BareCommand } from '../base-command.ts'
import { liveFlag, requireLiveConsent } from '../connection/live.ts'
import { connectionFlags, resolveProfile } from '../connection/profile.ts'
import { driftGithub, driftJson, driftJunit, driftSummary, driftText } from '../drift/report-drift.ts'
import { exitCodes, UsageError } from '../errors/exit-codes.ts'
import { makeReportFolder, usingFile } from '../errors/system-error.ts'
import { plainTheme, theme } from '../output/theme.ts'
import { readScenarios } from '../scenario/read-scenarios.ts'

type Flags = Interfaces.InferredFlags<typeof Drift.flags>

export default class Drift extends BareCommand {
  static override summary = 'Compare answers of the service with those of a sandbox.'
  static override description =
    'Reads an HTTP Archive (HAR) of requests to the service, as browsers, proxies and test tools record it, sends the ' +
    'requests to a fresh sandbox, and compares the answers: ids, times and codes by their form and by what they refer to, ' +
    'everything else as it is. Each difference names the claim that it contradicts. docs/drift.md says what is compared.\n\n' +
    'With a scenario and --profile or --base-url, it runs that against the service and compares what passed: look-ups alone, ' +
    'unless --live is given.\n\nThe exit code is 0 without differences, 1 with some.'
  static override examples = [
    'tillbox drift recorded.har',
    'tillbox drift recorded.har --reporter junit --report-file drift.xml',
    'tillbox drift look-ups.yaml --profile staging',
  ]
  static override args = {
    file: stringArg({ description: 'HTTP Archive (HAR) 1.2, or a scenario (YAML).', required: true }),
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
    ...connectionFlags,
    ...liveFlag,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Drift)
    const { reporter, 'report-file': file } = flags
    if (file !== undefined) makeReportFolder(file, ...unwritable(file))
    const isScenario = /\.ya?ml$/.test(args.file)
    const exchanges = isScenario ? await this.record(args.file, flags) : await readRecording(args.file)
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

  /** Runs a scenario against the named service; answers what passed. */
  async record(file: string, flags: Flags): Promise<readonly RecordedExchange[]> {
    if (flags.profile === undefined && flags['base-url'] === undefined)
      throw new UsageError('No service is named', 'Name it with --profile or --base-url', 'profile')
    const scenarios = await readScenarios([file])
    const steps = scenarios.flatMap(({ setup, steps, teardown }) => [...setup, ...steps, ...teardown])
    const changing = steps.find(({ action }) => changesSomething(action))?.action
    if (changing !== undefined && !flags.live)
      throw new UsageError(
        `${file} does not only look things up: it has the step ${changing}`,
        'Add --live to carry it out at the service, or name a scenario of look-ups',
        'live',
      )
    const profile = await resolveProfile(flags, this.config.version)
    if (changing !== undefined)
      await requireLiveConsent(profile, 'tillbox drift', flags.live, async () => 'Pay')
    const { startRecordingProxy } = await import('../../testing/scenario/recording/recording-proxy.ts')
    const { serviceAt } = await import('../../testing/scenario/service.ts')
    const { runSuite, scenarioRunsOf } = await import('../../testing/scenario/suite.ts')
    const { exchangeOf } = await import('../../testing/drift/archive.ts')
    const { createSandbox: start } = await import('../../library/create-sandbox.ts')
    const proxy = await startRecordingProxy(profile.target, 0)
    const target = { ...profile.target, baseUrl: proxy.url }
    const service = serviceAt({ ...profile, target, isSandbox: false })
    const options = { workers: 1, bail: false, start, service, waitMs: 60_000 }
    const results = await runSuite(scenarioRunsOf(scenarios), options).finally(() => proxy.close())
    const exchanges = proxy.exchanges.flatMap((exchange) => exchangeOf(exchange) ?? [])
    const skipped = results.find(({ outcome }) => outcome === 'skipped')
    if (skipped !== undefined)
      throw new UsageError(`${file} was skipped: ${skipped.reason}`, 'Say "needs: any"', 'file')
    if (exchanges.length === 0)
      throw new UsageError(
        `${file} recorded nothing: the service answered no request to the payment API`,
        'Check --base-url, and that the scenario has a look-up',
        'file',
      )
    return exchanges
  }
}

/** True for a step that does more than look something up at the service. */
function changesSomething(action: string): boolean {
  const name = operationNames.find((each) => operations[each].command === action)
  return name === undefined || !isLookUp(name)
}

/** The exchanges of an HTTP Archive. */
async function readRecording(file: string): Promise<readonly RecordedExchange[]> {
  const { readArchive } = await import('../../testing/drift/archive.ts')
  const text = usingFile(
    () => decodeText(readFileSync(file)),
    `Cannot read ${file}`,
    'Name a HAR file, or a scenario',
    'file',
  )
  const exchanges = readArchive(text) ?? []
  if (exchanges.length > 0) return exchanges
  throw new UsageError(
    `${file} has no requests to the payment API`,
    'Record some as a HAR file: of a sandbox, `tillbox logs export <file> --har`',
    'file',
  )
}

const unwritable = (file: string) =>
  [
    `Cannot write the report to ${file}`,
    'Name a file that you can write, with --report-file',
    'report-file',
  ] as const
