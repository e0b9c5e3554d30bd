import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { string as stringArg } from '@oclif/core/args'
import { boolean, integer, string } from '@oclif/core/flags'
import { durationInWords } from '../../shared/text/duration-words.ts'
import { BareCommand, commonFlags } from '../base-command.ts'
import { exitCodes, FailureError, interruptedCode } from '../errors/exit-codes.ts'
import { requireFolder, usingFile } from '../errors/system-error.ts'
import { examFlags, requireReportFolder, writeExam } from '../exam/write-exam.ts'
import { parseWait } from '../input/typed-values.ts'
import { onInterruption } from '../interruption.ts'
import { cleanLines } from '../output/clean.ts'
import { tellPrograms } from '../scenario/read-scenarios.ts'
import { Progress } from '../scenario/reporter.ts'

export default class Attack extends BareCommand {
  static override summary = 'Find faults that make your server charge or refund wrongly.'
  static override description =
    'Runs your own server again and again against a sandbox that loses answers, declines payments, and repeats and forges ' +
    'webhooks. Time passes, and the server is killed in the middle. After each try the orders of your server are compared with ' +
    'the payments of the sandbox. When a law is broken, everything that is not needed is removed, and the rest is written as a ' +
    'scenario for tillbox test. docs/exam.md explains the laws and the file.\n\n' +
    'The exit code is 0 if no law was broken, 1 if one was, and 2 if nothing could be tried.'
  static override examples = [
    'tillbox attack --drive shop.yaml',
    'tillbox attack http://127.0.0.1:3000 --drive shop.yaml --restart "node shop.js" --for 5m --seed 7',
    'tillbox attack http://127.0.0.1:3000 --drive "npm run drive" --orders orders.yaml --port 8080',
  ]
  static override args = {
    url: stringArg({
      description: 'URL of your server; left out, that of the drive, or a free port for --restart.',
    }),
  }
  static override flags = {
    drive: string({
      description: 'What customers and staff do: a scenario file, or a command.',
      required: true,
      helpValue: '<scenario or command>',
    }),
    restart: string({
      description: 'Command that starts your server; only then is the server also killed and started again.',
      helpValue: '<command>',
    }),
    orders: string({
      description: 'YAML that says where your server lists its orders; left out, the drive says it.',
      helpValue: '<file>',
    }),
    reconcile: string({
      description: 'Request that makes the server ask for unknown and pending payments.',
      helpValue: "'POST /path'",
    }),
    for: string({
      description: 'How long to look; to shorten and to confirm a failure may take as long again.',
      default: '2m',
      helpValue: '<duration>',
    }),
    tries: integer({
      description:
        'Maximum number of tries until a law is broken; to shorten and to confirm the failure takes more.',
      default: 10_000,
      min: 1,
    }),
    seed: integer({ description: 'Number that fixes the order of the tries; left out, any.', min: 0 }),
    port: integer({
      description: 'Port of the sandbox, for a server that is already running with its URL; left out, any.',
      default: 0,
      min: 0,
      max: 65_535,
    }),
    output: string({
      description:
        'File for the scenario; left out, attack-<law>.yaml beside the drive, where its commands run.',
      helpValue: '<file>',
    }),
    ...examFlags,
    json: boolean({ description: 'The same as --reporter json.', helpGroup: 'GLOBAL' }),
    ...commonFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Attack)
    const { seed = randomInt(100_000), tries, port, json, output } = flags
    const time = parseWait(flags.for, 'for')
    requireReportFolder(flags)
    if (output !== undefined) requireFolder(output, ...unwritable(output))
    const { readDrive } = await import('../exam/read-drive.ts')
    const drive = await readDrive({ ...flags, url: args.url })
    tellPrograms([drive])
    const { attackExam, attackJson, attackScenario, attackText, moveLines } = await import(
      '../exam/attack-report.ts'
    )
    const { signal } = onInterruption('SIGHUP')
    const progress = new Progress(undefined)
    const begin = performance.now()
    const { attack, DriveFailed } = await import('../../testing/attack/attack.ts')
    const { createSandbox } = await import('../../library/create-sandbox.ts')
    const trying = attack(drive, {
      start: createSandbox,
      seed,
      tries,
      time,
      port,
      signal,
      begun: (count, moves) => {
        if (count > 1) progress.ended()
        if (!process.stderr.isTTY && count > 1 && count % triesALine === 1) tellTries(count - 1, begin)
        progress.begun(moves.flatMap(moveLines).join('; ') || 'the drive without faults')
      },
      noted: (text) => {
        progress.clear()
        process.stderr.write(`${cleanLines(text)}\n`)
      },
    })
    const result = await trying
      .catch((error) => {
        if (!(error instanceof DriveFailed)) throw error
        throw new FailureError({
          exitCode: exitCodes.usage,
          message: `The drive fails even without faults: ${error.message}`,
          remedy: 'Mend the drive or the server first; docs/exam.md shows a drive that works',
        })
      })
      .finally(() => progress.clear())
    const { found } = result
    if (found === undefined && !result.isStopped && result.situations.every((each) => each.tries === 0))
      throw new FailureError({
        exitCode: exitCodes.usage,
        message: 'Nothing was tried: two runs of the drive without faults took all the time or all the tries',
        remedy: 'Give it more time with --for, such as 2m, or more --tries',
      })
    const file =
      found && (output ?? join(dirname(drive.file), `attack-${found.violations[0]?.law ?? 'server'}.yaml`))
    const facts = { seed, durationMs: Math.round(performance.now() - begin), file }
    await writeExam(
      {
        text: (look, width) => attackText(result, facts, look, width),
        json: () => attackJson(result, facts),
        exam: () => attackExam(result, facts),
      },
      json ? { ...flags, reporter: 'json' } : flags,
    )
    if (found !== undefined && file !== undefined)
      usingFile(() => writeFileSync(file, attackScenario(found, seed, file)), ...unwritable(file))
    if (result.isStopped) process.exit(interruptedCode) // the try in progress ends with it
    process.exitCode = found === undefined ? exitCodes.done : exitCodes.refused
  }
}

/** Tries between two lines of a log, where no terminal shows what is running. */
const triesALine = 10

const tellTries = (tries: number, begin: number): void =>
  void process.stderr.write(`… ${tries} tries in ${durationInWords(performance.now() - begin)}\n`)

const unwritable = (file: string) =>
  [
    `The scenario cannot be written to ${file}`,
    'Name a file that you can write, with --output',
    'output',
  ] as const
