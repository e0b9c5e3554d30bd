import { Command } from '@oclif/core/command'
import { boolean } from '@oclif/core/flags'
import { exitCodes } from './errors/exit-codes.ts'
import { type Failure, failureOf } from './errors/failure.ts'
import { withInputName } from './errors/input-name.ts'
import { parseFailure } from './errors/parse-failure.ts'
import { repeatedFlags } from './errors/repeated-flags.ts'
import { jsonText } from './output/json-text.ts'

const jsonFlag = (description: string) => ({ json: boolean({ description, helpGroup: 'GLOBAL' }) })

/** `--json` of a command that goes on: a document a line. */
export const jsonLinesFlag = jsonFlag('Print JSON on standard output, one document per line.')

/** What every command shares: output, errors and exit codes. */
export abstract class BaseCommand extends Command {
  static override baseFlags = jsonFlag('Print one JSON document on standard output.')
  /** The flag or argument that a member of the request comes from, where its name does not tell. */
  static memberFlags: Readonly<Record<string, string>> = {}
  /** True for a command whose --json is a document a line; then its error is one line, too. */
  static printsLines = false

  /** Prints the result: as one JSON document with --json, else as text. */
  protected async show(asJson: boolean, data: unknown, text: () => string | Promise<string>): Promise<void> {
    process.stdout.write(asJson ? jsonText(data, 2) : await text())
  }

  /** Every error ends here: said once, in full, with its exit code. */
  protected override async catch(error: Error & { oclif?: { exit?: number } }): Promise<void> {
    if (error.oclif?.exit === 0) throw error
    this.parsed = true // else oclif warns, under some values of NODE_ENV, of a command line that it refused itself
    const known = failureOf(error, repeatedFlags(this.argv))
    const failure =
      known === undefined
        ? (parseFailure(error, this.ctor) ?? ownMistake(error))
        : withInputName(known, this.ctor)
    const { reportFailure } = await import('./errors/render-failure.ts')
    const { printsLines } = this.ctor as typeof BaseCommand
    reportFailure(failure, this.argv.includes('--json'), printsLines ? 0 : 2)
  }
}

const ownMistake = (error: Error): Failure => ({
  exitCode: exitCodes.refused,
  message: `tillbox failed: ${error.message}`,
  detail: process.env.DEBUG ? error.stack : undefined,
  remedy: 'This is a bug in tillbox: report it with the command. DEBUG=1 shows the stack',
})
