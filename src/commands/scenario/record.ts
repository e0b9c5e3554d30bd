import { writeFileSync } from 'node:fs'
import { boolean, string } from '@oclif/core/flags'
import { BaseCommand } from '../../cli/base-command.ts'
import { sandboxFlags, sandboxOf } from '../../cli/connection/sandbox-address.ts'
import { NothingFound, UsageError } from '../../cli/errors/exit-codes.ts'
import { fileProblem } from '../../cli/errors/system-error.ts'
import { durationOf } from '../../cli/input/typed-values.ts'
import { shellQuote } from '../../text/shell-quote.ts'
import { counted } from '../../text/words.ts'

export default class ScenarioRecord extends BaseCommand {
  static override summary = 'Write a scenario from the request log.'
  static override description =
    'Turns the accepted operations of the last minutes, acts at terminals and changes of the clock into steps; ids ' +
    'become captured names. Refused requests, queries of payments, injected faults and follow-ups on older payments ' +
    'are left out. tillbox test runs the file.'
  static override examples = [
    'tillbox scenario record',
    'tillbox scenario record --since 30m -o checkout.yaml',
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
    ...sandboxFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(ScenarioRecord)
    const { file } = flags
    const back = durationOf(flags.since, 'since')
    const { baseUrl, apiKey, ca, token } = await sandboxOf(flags)
    const { recordScenario } = await import('../../scenario/recording/record-scenario.ts')
    const address = { baseUrl, apiKey, ...(ca && { ca }), ...(token && { token }) }
    const now = Date.now()
    const name = flags.name ?? `Recorded ${new Date(now).toISOString().slice(0, 19).replace('T', ' ')} UTC`
    const { text, steps, leftOut } = await recordScenario(address, now - back, name)
    if (steps === 0)
      throw new NothingFound(
        `The request log has no accepted operation of the last ${flags.since}`,
        'Look further back with --since; the log has the last 1,000 requests, until the sandbox stops',
      )
    if (file !== undefined) writeNew(file, text, flags.force)
    const left = leftOut === 0 ? '' : `; ${counted(leftOut, 'request')} left out`
    const answer = { steps, leftOut, ...(file === undefined ? { scenario: text } : { file }) }
    await this.show(flags.json, answer, () =>
      file === undefined
        ? text
        : `${counted(steps, 'step')} in ${file}${left}. Run ${steps === 1 ? 'it' : 'them'}: tillbox test ${shellQuote(file)}\n`,
    )
  }
}

/** Errors: UsageError for a file that is there, or cannot be written. */
function writeNew(path: string, text: string, isReplaced: boolean): void {
  try {
    writeFileSync(path, text, { flag: isReplaced ? 'w' : 'wx' })
  } catch (error) {
    const problem = error as NodeJS.ErrnoException
    if (problem.code === 'EEXIST')
      throw new UsageError(`${path} is there already`, 'Name another file, or add --force', 'file')
    throw new UsageError(
      `${path} cannot be written: ${fileProblem(problem)}`,
      'Name a file in a folder that exists and that you can write',
      'file',
    )
  }
}
