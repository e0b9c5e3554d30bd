import { once } from 'node:events'
import type { Interfaces } from '@oclif/core'
import { boolean, integer, string } from '@oclif/core/flags'
import { highestPort } from '../../../contract/headers.ts'
import { command } from '../../../shared/text/commands.ts'
import { withoutUrlSecrets } from '../../../shared/text/http-url.ts'
import { counted } from '../../../shared/text/words.ts'
import type { Recording } from '../../../testing/scenario/recording/record-scenario.ts'
import { BaseCommand } from '../../base-command.ts'
import { liveFlag, requireLiveConsent } from '../../connection/live.ts'
import { connectionFlags, resolveProfile } from '../../connection/profile.ts'
import { NotSandbox, resolveSandbox } from '../../connection/sandbox-address.ts'
import { NothingFound } from '../../errors/exit-codes.ts'
import { portRefusal } from '../../errors/system-error.ts'
import { hint } from '../../hints/same-sandbox.ts'
import { parseDurationFlag } from '../../input/typed-values.ts'
import { onInterruptionOrParentEnd } from '../../interruption.ts'
import { requireNew, writeNew } from '../../sandbox/state-file-errors.ts'

type RecordFlags = Interfaces.InferredFlags<typeof ScenarioRecord.flags>

export default class ScenarioRecord extends BaseCommand {
  static override summary = 'Write a scenario from the requests in the log.'
  static override description =
    'Turns the accepted operations of the last minutes, acts at terminals and changes of the clock into steps. Ids become ' +
    'names. Refused requests, queries of payments, injected faults and follow-ups on older payments are left out. ' +
    'tillbox test runs the file.\n\n' +
    'A service that is no sandbox has no log. With its --profile or --base-url, the command passes your requests on to it until ' +
    'Ctrl-C, and writes those.'
  static override examples = [
    'tillbox scenario record',
    'tillbox scenario record --since 30m -o checkout.yaml',
    'tillbox scenario record --profile staging --port 8080 -o staging.yaml',
  ]
  static override flags = {
    since: string({
      description: 'How far back to look: 90s, 5m, 2h.',
      default: '5m',
      helpValue: '<duration>',
    }),
    file: string({
      char: 'o',
      description: 'File to write; left out, standard output.',
      helpValue: '<file>',
    }),
    force: boolean({ description: 'Replace an existing file.' }),
    name: string({ description: 'Name of the scenario; default: the time of the recording.' }),
    port: integer({
      description: 'Of a service that is no sandbox: port to send its requests to; 0 picks a free one.',
      default: 0,
      min: 0,
      max: highestPort,
    }),
    ...connectionFlags,
    ...liveFlag,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(ScenarioRecord)
    const { file } = flags
    if (file !== undefined) requireNew(file, flags.force)
    const name = flags.name ?? `Recorded ${new Date().toISOString().slice(0, 19).replace('T', ' ')} UTC`
    const recording = (await this.ofSandbox(flags, name)) ?? (await this.ofService(flags, name))
    const { text, steps, leftOut } = recording
    if (file !== undefined) writeNew(file, text, flags.force)
    const note = leftOut === 0 ? '' : `; ${counted(leftOut, 'request')} left out`
    const answer = { steps, leftOut, ...(file === undefined ? { scenario: text } : { file }) }
    await this.show(answer, () =>
      file === undefined
        ? text
        : `${counted(steps, 'step')} in ${file}${note}. Run ${steps === 1 ? 'it' : 'them'}: ${hint(command('test', file))}\n`,
    )
  }

  /** What a sandbox has in its request log; undefined for another service. */
  async ofSandbox(flags: RecordFlags, name: string): Promise<Recording | undefined> {
    const since = Date.now() - parseDurationFlag(flags.since, 'since')
    const sandbox = await resolveSandbox(flags).catch((error: unknown) => {
      if (error instanceof NotSandbox) return undefined
      throw error
    })
    if (sandbox === undefined) return undefined
    const { recordScenario } = await import('../../../testing/scenario/recording/record-scenario.ts')
    const recording = await recordScenario(sandbox, since, name)
    if (recording.steps > 0) return recording
    throw new NothingFound(
      `The request log has no accepted operation of the last ${flags.since}`,
      'Look further back with --since; the log has the last 1,000 requests, until the sandbox stops',
    )
  }

  /** What passes to another service until Ctrl-C. */
  async ofService(flags: RecordFlags, name: string): Promise<Recording> {
    const profile = await resolveProfile(flags, this.config.version, 'people')
    await requireLiveConsent(profile, 'tillbox scenario record', flags.live, async () => 'Pass requests on')
    const { startRecordingProxy } = await import('../../../testing/scenario/recording/recording-proxy.ts')
    const { recordService } = await import('../../../testing/scenario/recording/record-scenario.ts')
    const { serviceAt } = await import('../../../testing/scenario/service.ts')
    const { target, parties } = profile
    const proxy = await startRecordingProxy(target, flags.port).catch((error: NodeJS.ErrnoException) => {
      throw portRefusal(flags.port, error)
    })
    const from = withoutUrlSecrets(target.baseUrl)
    process.stderr.write(
      `Recording what is sent to ${from}. Send it to ${proxy.url} instead; Ctrl-C writes the scenario.\n`,
    )
    await once(onInterruptionOrParentEnd().signal, 'abort')
    proxy.close()
    const { operate } = serviceAt(profile)
    const about = { name, from, merchantId: parties.merchantId }
    const recording = await recordService(proxy.exchanges, operate, about)
    if (recording.steps > 0) return recording
    throw new NothingFound(
      'No accepted operation passed',
      `Send your requests to the URL that it prints, not to ${from}`,
    )
  }
}
