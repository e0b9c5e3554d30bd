import { appendFileSync, writeFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import type { Interfaces } from '@oclif/core'
import { string as stringArg } from '@oclif/core/args'
import { boolean, integer, option, string } from '@oclif/core/flags'
import { counted } from '../../shared/text/words.ts'
import type { RunOptions } from '../../testing/scenario/run.ts'
import type { ScenarioService } from '../../testing/scenario/steps/run-context.ts'
import type { ScenarioSuiteOptions } from '../../testing/scenario/suite.ts'
import { BareCommand, commonFlags } from '../base-command.ts'
import { liveFlag, requireLiveConsent } from '../connection/live.ts'
import { connectionFlags, resolveProfile } from '../connection/profile.ts'
import { exitCodes, FailureError, Interrupted, UsageError } from '../errors/exit-codes.ts'
import { makeReportFolder, usingFile } from '../errors/system-error.ts'
import { parseWait } from '../input/typed-values.ts'
import { watchFiles } from '../input/watch-files.ts'
import { onInterruption, onReaderGone } from '../interruption.ts'
import { cleanLines } from '../output/clean.ts'
import { jsonText } from '../output/json-text.ts'
import { plainTheme, terminalWidth, theme } from '../output/theme.ts'
import { readScenarios, scenarioFiles, tellPrograms } from '../scenario/read-scenarios.ts'
import { Progress, type Reporter } from '../scenario/reporter.ts'
import { reporters } from '../scenario/reporters.ts'

/** Columns of a report that no terminal shows. */
const usualWidth = 80

type Failed = Parameters<NonNullable<RunOptions['failed']>>
type TestFlags = Interfaces.InferredFlags<typeof Test.flags>

export default class Test extends BareCommand {
  static override strict = false
  static override listMember = 'scenarios'
  static override summary = 'Run scenarios and check their results.'
  static override description =
    'A scenario is a YAML file of steps: operations, actions at a terminal, expected webhooks. docs/scenarios.md shows ' +
    'all of them. Each worker has a sandbox of its own, which is reset before each scenario. With --profile or --base-url, ' +
    'scenarios that say "needs: any" run against that service, and the others are skipped. tillbox trigger runs one in a ' +
    'sandbox that already runs.\n\n' +
    'The exit code is 0 when all passed, 1 when one failed, and 2 for an invalid file.'
  static override examples = [
    'tillbox test scenarios/',
    'tillbox test hotel.yaml refunds.yaml --grep refund --bail',
    'tillbox test scenarios/ --reporter junit --report-file report.xml --workers 4',
    'tillbox test scenarios/ --reporter github --artifacts tillbox-artifacts',
  ]
  static override baseFlags = {
    json: boolean({ description: 'The same as --reporter json.', helpGroup: 'GLOBAL' }),
    ...commonFlags,
  }
  static override args = {
    file: stringArg({
      description: 'Scenario file, or a folder of them; several can be named.',
      required: true,
    }),
  }
  static override flags = {
    reporter: option({
      description:
        'Form of the report: for people, JUnit XML, JSON, or annotations and a summary of GitHub Actions.',
      options: ['spec', 'junit', 'json', 'github'] as const,
      default: 'spec',
    })(),
    'report-file': string({
      description: 'File for the report; left out, standard output.',
      helpValue: '<file>',
    }),
    artifacts: string({
      description: 'Folder for the requests of each failed scenario, as HAR. They hold no secrets.',
      helpValue: '<folder>',
    }),
    workers: integer({
      description: 'How many run at the same time, each in a sandbox of its own.',
      default: 1,
      min: 1,
      max: 32,
    }),
    bail: boolean({ description: 'Stop with the first that fails.' }),
    grep: string({
      description: 'Run only those whose name matches a regular expression, case-insensitive.',
      helpValue: '<pattern>',
    }),
    watch: boolean({ description: 'Run again whenever a file changes. Ctrl-C stops it.' }),
    wait: string({
      description: 'How long to wait for a status or a webhook; default: 10s, or 60s with --profile.',
      helpValue: '<duration>',
    }),
    ...connectionFlags,
    ...liveFlag,
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Test)
    const testFlags = { ...flags, ...(flags.json && { reporter: 'json' as const }) }
    const grep = patternFrom(flags.grep)
    const waitMs = flags.wait === undefined ? undefined : parseWait(flags.wait, 'wait')
    const isNamed =
      flags.profile !== undefined || flags['base-url'] !== undefined || flags.state !== undefined
    const service = isNamed ? await this.connect(flags) : undefined
    const idle = (['space', 'api-key', 'app-id', 'merchant-id'] as const).find(
      (each) => flags[each] !== undefined,
    )
    if (service === undefined && idle !== undefined)
      throw new UsageError(
        [`--${idle}`, 'is for a service that is named, and none is'],
        'Name it with --base-url, --state or --profile, or leave the flag out: each scenario gets a sandbox of its own',
      )
    const interrupted = onInterruption()
    if (flags.watch) onReaderGone(process.stdout, () => interrupted.abort())
    const stopped = interrupted.signal
    const options = { signal: stopped, service, waitMs: waitMs ?? (isNamed ? 60_000 : undefined) }
    const read = () => scenarioFiles(argv as string[])
    const runOnce = async () => this.runOnce(read(), testFlags, grep, options)
    if (!flags.watch) return setExitCode(await runOnce(), stopped)
    const watched = watchFiles(read(), stopped)
    try {
      do {
        setExitCode(await runOnce().catch(reportWatchFailure), stopped)
        process.stderr.write('Waiting for a change. Ctrl-C stops it.\n')
      } while (await watched.next())
    } finally {
      watched.close()
    }
  }

  /** The service that is named. */
  async connect(flags: Parameters<typeof resolveProfile>[0] & { live: boolean }): Promise<ScenarioService> {
    const profile = await resolveProfile(flags, this.config.version)
    await requireLiveConsent(profile, 'tillbox test', flags.live, async () => 'Run scenarios')
    const { serviceAt } = await import('../../testing/scenario/service.ts')
    return serviceAt(profile)
  }

  /** Reads and runs all, and writes the report; true when none failed. */
  async runOnce(
    files: readonly string[],
    flags: TestFlags,
    grep: RegExp | undefined,
    options: Pick<ScenarioSuiteOptions, 'service' | 'waitMs' | 'signal'>,
  ): Promise<boolean> {
    const { runSuite, scenarioRunsOf } = await import('../../testing/scenario/suite.ts')
    const { createSandbox } = await import('../../library/create-sandbox.ts')
    const all = scenarioRunsOf(await readScenarios(files, options.service === undefined))
    const runs = all.filter(({ name }) => grep?.test(name) ?? true)
    if (runs.length === 0)
      throw new UsageError(
        `No scenario has a name that matches ${flags.grep}`,
        `Leave --grep out, or name one of: ${all.map(({ name }) => name).join('; ')}`,
        'grep',
      )
    tellPrograms(runs.map(({ scenario }) => scenario))
    const { reports, close } = reportTo(flags)
    const tell = (part: (reporter: Reporter) => string | undefined) => {
      for (const { reporter, write } of reports) write(part(reporter))
    }
    const progress = new Progress(runs.length)
    const begin = performance.now()
    let archives = 0
    const results = await runSuite(runs, {
      ...options,
      start: createSandbox,
      failed: async (...failed) => {
        if (flags.artifacts !== undefined) await writeArchive(flags.artifacts, ++archives, ...failed)
      },
      workers: flags.workers,
      bail: flags.bail,
      begun: ({ name }) => progress.begun(name),
      ended: (result) => {
        progress.ended()
        tell((reporter) => reporter.result?.(result))
      },
    }).finally(() => progress.clear())
    const durationMs = Math.round(performance.now() - begin)
    tell((reporter) => reporter.end?.(results, durationMs))
    close()
    if (archives > 0)
      process.stderr.write(
        `The requests of ${counted(archives, 'failed scenario')} are in ${flags.artifacts}\n`,
      )
    const { GITHUB_STEP_SUMMARY: summary } = process.env
    if (summary) appendFileSync(summary, reports[0]?.reporter.summary?.(results, durationMs) ?? '')
    return results.every(({ outcome }) => outcome !== 'failed')
  }
}

/** Writes the requests of a failed scenario to a folder. */
async function writeArchive(folder: string, number: number, ...failed: Failed): Promise<void> {
  const [{ file, name }, call, since] = failed
  const { requestArchive, requestsInFull } = await import('../../client/request-archive.ts')
  const { makeRealFolder, writeAnew } = await import('../../shared/files/files.ts')
  const { url } = await call('connection')
  const archive = requestArchive(await requestsInFull(call, {}, since), url)
  const words = `${number} ${parse(file).name} ${name}`.match(/[\p{L}\p{N}]+/gu) ?? []
  makeRealFolder(folder)
  writeAnew(join(folder, `${words.join('-').slice(0, 100)}.har`), jsonText(archive, 2))
}

function setExitCode(hasPassed: boolean, stopped: AbortSignal): void {
  if (stopped.aborted) throw new Interrupted()
  process.exitCode = hasPassed ? exitCodes.done : exitCodes.refused
}

/** Prints what is wrong with a file, or that it is away; the watch continues until it is mended. */
function reportWatchFailure(error: Error): false {
  if (!(error instanceof FailureError)) throw error
  process.stderr.write(`✗ ${cleanLines(error.message)}\n`)
  return false
}

function patternFrom(grep: string | undefined): RegExp | undefined {
  if (grep === undefined) return undefined
  try {
    return new RegExp(grep, 'i')
  } catch (error) {
    throw new UsageError(
      ['--grep', `${grep} is not a regular expression: ${(error as Error).message}`],
      'Write a part of the name, or escape its special characters with \\',
    )
  }
}

/**
 * What is written, and where: on standard output as it comes; with a file, that report in the end and, but
 * for programs, one for people.
 */
function reportTo({ reporter: name, 'report-file': file, json }: TestFlags) {
  const style = { theme, width: terminalWidth() ?? usualWidth }
  const shown = (reporter: Reporter) => ({
    reporter,
    write: (text = '') => void process.stdout.write(text),
  })
  if (file === undefined) return { reports: [shown(reporters[name](style))], close: () => undefined }
  const problem = [
    `--report-file ${file} cannot be written`,
    'Name a file that you can write',
    'report-file',
  ] as const
  makeReportFolder(file, ...problem)
  let text = ''
  const kept = {
    reporter: reporters[name]({ theme: plainTheme, width: usualWidth }),
    write: (more = '') => {
      text += more
    },
  }
  const close = () => {
    usingFile(() => writeFileSync(file, text), ...problem)
    process.stderr.write(`The report is in ${file}\n`)
  }
  return { reports: json ? [kept] : [kept, shown(reporters.spec(style))], close }
}
