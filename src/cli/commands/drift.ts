import { readFileSync, statSync } from 'node:fs'
import { basename, relative } from 'node:path'
import type { Interfaces } from '@oclif/core'
import { string as stringArg } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { isLookUp, operationNames, operations } from '../../contract/operations.ts'
import { isTooDeep, tooDeep } from '../../shared/read-or.ts'
import { decodeText } from '../../shared/text/decode-text.ts'
import { counted } from '../../shared/text/words.ts'
import type { RecordedExchange } from '../../testing/drift/archive.ts'
import { BareCommand } from '../base-command.ts'
import { liveFlag, requireLiveConsent } from '../connection/live.ts'
import { connectionFlags, resolveProfile } from '../connection/profile.ts'
import { acceptedDifferences, projectAnswers, writeAccepted } from '../drift/accepted.ts'
import { exitCodes, UsageError } from '../errors/exit-codes.ts'
import { usingFile } from '../errors/system-error.ts'
import { examFlags, requireReportFolder, writeExam } from '../exam/write-exam.ts'
import { clean } from '../output/clean.ts'
import { throwStartError } from '../sandbox/start-error.ts'
import { readScenarios } from '../scenario/read-scenarios.ts'

type Flags = Interfaces.InferredFlags<typeof Drift.flags>

export default class Drift extends BareCommand {
  static override summary = 'Compare answers of the service with those of a sandbox.'
  static override description =
    'Reads requests to the service from an HTTP Archive (HAR), which browsers, proxies and test tools record. Sends them to a ' +
    'fresh sandbox, and compares the answers: ids, times and codes by their form and by what they refer to, everything ' +
    'else as it is. Each difference names the claim that it contradicts. docs/drift.md says what is compared.\n\n' +
    'With a scenario and --profile or --base-url, runs the scenario against the service instead. Steps that change something ' +
    'need --live.\n\n' +
    'Differences in tillbox.drift.json, which --accept writes, are known. The exit code is 0 without others, 1 with others, ' +
    'and 2 if nothing can be compared.'
  static override examples = [
    'tillbox drift recorded.har',
    'tillbox drift recorded.har --accept',
    'tillbox drift recorded.har --reporter junit --report-file drift.xml',
    'tillbox drift look-ups.yaml --profile staging',
  ]
  static override args = {
    file: stringArg({ description: 'HTTP Archive (HAR) 1.2, or a scenario (YAML).', required: true }),
  }
  static override flags = {
    accept: boolean({
      description:
        'Write the differences into tillbox.drift.json of the project, and remove those that are gone. Later runs and `tillbox sandbox start` read it.',
    }),
    ...examFlags,
    ...connectionFlags,
    ...liveFlag,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Drift)
    requireReportFolder(flags)
    const { path, accepted } = await acceptedDifferences()
    const { exchanges, from } = /\.ya?ml$/.test(args.file)
      ? await this.record(args.file, flags)
      : { exchanges: await readRecording(args.file), from: basename(args.file) }
    const { drift, driftOptions } = await import('../../testing/drift/drift.ts')
    const { acceptedNow, verdictOn } = await import('../../testing/drift/findings.ts')
    const { trySettings } = await import('../../testing/drift/try-settings.ts')
    const { driftForms } = await import('../drift/report-drift.ts')
    const { createSandbox } = await import('../../library/create-sandbox.ts')
    const start = (setting: object) =>
      createSandbox({ ...driftOptions, ...projectAnswers(), ...setting }).catch((error) =>
        throwStartError(error, ''),
      )
    const sandbox = await start({})
    const compared = await drift(exchanges, sandbox).finally(() => sandbox.close())
    if (compared.every(({ leftOut }) => leftOut !== null))
      throw new UsageError(
        `Nothing in ${args.file} can be compared: ${[...new Set(compared.map(({ leftOut }) => leftOut))].join('; ')}`,
        'Check the API key that it was recorded with; docs/drift.md says what is left out',
        'file',
      )
    const verdict = verdictOn(compared, accepted, from)
    const followed = await trySettings(exchanges, verdict, start)
    const isAccepted = flags.accept && verdict.unknown.length + verdict.gone.length > 0
    if (isAccepted) writeAccepted(path, acceptedNow(verdict, accepted, followed, from))
    const facts = { followed, file: relative(process.cwd(), path), isAccepted }
    await writeExam(driftForms(verdict, facts), flags)
    const isRefused = verdict.unknown.length > 0 && !flags.accept
    process.exitCode = isRefused ? exitCodes.refused : exitCodes.done
  }

  /** Runs a scenario against the named service; answers what passed, and the names of both. */
  async record(file: string, flags: Flags) {
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
    const { exchangesOf } = await import('../../testing/drift/archive.ts')
    const { createSandbox: start } = await import('../../library/create-sandbox.ts')
    const proxy = await startRecordingProxy(profile.target, 0)
    const target = { ...profile.target, baseUrl: proxy.url }
    const service = serviceAt({ ...profile, target, isSandbox: false })
    const options = { workers: 1, bail: false, start, service, waitMs: 60_000 }
    const results = await runSuite(scenarioRunsOf(scenarios), options).finally(() => proxy.close())
    for (const { name, failure } of results)
      if (failure !== undefined)
        process.stderr.write(
          `! ${name} ended at line ${failure.position.line}, later steps were not sent: ${clean(failure.message)}\n`,
        )
    const exchanges = exchangesOf(proxy.exchanges)
    const skipped = results.find(({ outcome }) => outcome === 'skipped')
    if (skipped !== undefined)
      throw new UsageError(`${file} was skipped: ${skipped.reason}`, 'Say "needs: any"', 'file')
    if (exchanges.length === 0)
      throw new UsageError(
        `${file} recorded nothing: the service answered no request to the payment API`,
        'Check --base-url, and that the scenario has a look-up',
        'file',
      )
    const named =
      profile.name === undefined ? new URL(profile.target.baseUrl).host : `profile ${profile.name}`
    return { exchanges, from: `${basename(file)}, ${named}` }
  }
}

/** True for a step that does more than look something up at the service. */
function changesSomething(action: string): boolean {
  const name = operationNames.find((each) => operations[each].command === action)
  return name === undefined || !isLookUp(name)
}

/** Largest HTTP Archive. MB. */
const mostMegabytes = 256

/** The exchanges of an HTTP Archive. */
async function readRecording(file: string): Promise<readonly RecordedExchange[]> {
  const { readArchive } = await import('../../testing/drift/archive.ts')
  const text = usingFile(
    () => {
      if (statSync(file).size > mostMegabytes * 1024 * 1024)
        throw new Error(`it is larger than ${mostMegabytes} MB; leave out what is not of the payment API`)
      return decodeText(readFileSync(file))
    },
    `Cannot read ${file}`,
    'Name a HAR file, or a scenario',
    'file',
  )
  const read = readArchive(text)
  if (read === undefined) {
    const why = isTooDeep(text) ? `: ${tooDeep}` : ''
    throw new UsageError(`${file} is no whole HAR file${why}`, 'Record it again', 'file')
  }
  const { exchanges, unreadable } = read
  if (unreadable > 0)
    process.stderr.write(
      `! ${counted(unreadable, 'entry', 'entries')} of ${file} left out: not as HAR 1.2 has them\n`,
    )
  if (exchanges.length > 0) return exchanges
  throw new UsageError(
    `${file} has no requests to the payment API`,
    'Record some as a HAR file: of a sandbox, `tillbox logs export <file> --har`',
    'file',
  )
}
