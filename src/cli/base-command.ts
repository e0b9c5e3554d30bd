import { Command } from '@oclif/core/command'
import { boolean, option, string } from '@oclif/core/flags'
import type { Input, ParserOutput } from '@oclif/core/interfaces'
import type { OutputFormat } from './answer-format.ts'
import type { Failure } from './answer-shapes.ts'
import { exitCodes, Interrupted, interruptedCode, NotConfirmed } from './errors/exit-codes.ts'
import { failureOf } from './errors/failure.ts'
import { type MemberFlags, withInputName } from './errors/input-name.ts'
import { parseFailure } from './errors/parse-failure.ts'
import { envFileFlag, noteCommandLine, typedFlag, wordsBeforeDashes } from './hints/same-sandbox.ts'
import { checkingValues } from './input/checked-values.ts'
import { loadEnvFile } from './input/env-file.ts'
import { requirePaths } from './input/path-flags.ts'
import { requirePortVariable } from './input/typed-values.ts'
import { clean } from './output/clean.ts'
import { colorModes, printing } from './output/color.ts'
import { jsonText, readableTimes } from './output/json-text.ts'

/** Formats of an answer. */
export const formats = ['table', 'json', 'ndjson', 'csv'] as const

const jsonFlag = (description: string) => ({ json: boolean({ description, helpGroup: 'GLOBAL' }) })

/** Flags of every command. */
export const commonFlags = {
  color: option({
    description: 'When to use colour: auto, always or never. NO_COLOR means never.',
    options: colorModes,
    helpGroup: 'GLOBAL',
  })(),
  [envFileFlag]: string({
    description: 'File with environment variables, such as .env. Variables that are set already win.',
    helpGroup: 'GLOBAL',
    helpValue: '<path>',
  }),
}

const answerFlags = {
  ...jsonFlag('Print one JSON document on standard output.'),
  output: option({
    description: 'Format of the answer; table is for people, ndjson has a line for each record of a list.',
    options: formats,
    helpGroup: 'GLOBAL',
    exclusive: ['json'],
  })(),
  fields: string({
    description:
      'Members of the answer to print, separated by commas, by their names in JSON: id,status or record.amount.',
    helpGroup: 'GLOBAL',
    helpValue: '<names>',
  }),
  quiet: boolean({
    char: 'q',
    description: 'Print errors and warnings only.',
    helpGroup: 'GLOBAL',
    exclusive: ['json', 'output', 'fields'],
  }),
  ...commonFlags,
}

/**
 * Shared flags of a command that goes on: its `--json` prints a document a line, and there is no other
 * format.
 */
export const linesFlags = {
  ...jsonFlag('Print JSON on standard output, one document per line.'),
  ...commonFlags,
}

/** Those of one that has `--quiet`, too. */
export const quietLinesFlags = { ...linesFlags, quiet: answerFlags.quiet }

type ParsedValues = Record<string, unknown>

interface OutputFlags {
  json?: boolean | undefined
  /** A format; a command with its own form has a file here. */
  readonly output?: string | undefined
  readonly fields?: string | undefined
  readonly quiet?: boolean | undefined
  readonly color?: (typeof colorModes)[number] | undefined
}

/** What every command shares: output, errors, exit codes. It states its shared flags as `baseFlags`. */
export abstract class BareCommand extends Command {
  /** The flag or argument of a member where names differ; of several the first one typed, or the last. */
  static memberFlags: MemberFlags = {}
  /** The member of the answer with its records, if the answer is a list. */
  static listMember: string | undefined = undefined
  /** True for a command that passes the words after `--` on. */
  static passesWordsOn = false

  #format: OutputFormat = { as: 'text', fields: undefined }
  /** The member with the records of the answer; undefined for an answer that is one itself. */
  #list: string | undefined

  protected override async init(): Promise<void> {
    await super.init()
    const { passesWordsOn } = this.ctor as typeof BareCommand
    if (!passesWordsOn) this.argv = withoutScriptDashes(this.argv)
    loadEnvFile(this.argv)
    requirePortVariable()
    noteCommandLine(this.argv.map(clean), this.config)
  }

  /** Reads the command line. `flags.json` is true for every format that is not for people. */
  protected override async parse<F extends ParsedValues, B extends ParsedValues, A extends ParsedValues>(
    options?: Input<F, B, A>,
    argv?: string[],
  ): Promise<ParserOutput<F, B, A>> {
    const parsed = await super.parse(options && checkingValues(options), argv)
    if (argv !== undefined) return parsed // of another command line than what was typed
    const words = parsed.raw.flatMap((token) => (token.type === 'arg' ? [token.input] : []))
    if (words.length > 0) parsed.argv = words // oclif moves a repeated word to its first place
    requirePaths(parsed.raw)
    const flags: OutputFlags = parsed.flags
    printing.color = flags.color ?? 'auto'
    const { fields, quiet = false } = flags
    const output = formats.find((each) => each === flags.output) ?? (flags.json ? 'json' : 'table')
    const members = fields?.split(',').filter(Boolean)
    this.#list = this.listIn(parsed.flags)
    if (members !== undefined) await this.#requireMembers(members, this.otherAnswers(parsed.flags))
    this.#format = { as: output === 'table' ? 'text' : output, fields: members }
    flags.json = output !== 'table' || fields !== undefined || quiet
    printing.isForPrograms = flags.json
    printing.isQuiet = quiet
    return parsed
  }

  /** Errors: UsageError for a member that the answer cannot have, before anything is done. */
  async #requireMembers(fields: readonly string[], others: readonly string[]): Promise<void> {
    const { requireMembers } = await import('./answer-format.ts')
    requireMembers(this.ctor.id.replaceAll(':', ' '), fields, this.#list, others)
  }

  /** The member of the answer with its records; a command that lists with some flags says with which. */
  protected listIn(_flags: ParsedValues): string | undefined {
    return (this.ctor as typeof BareCommand).listMember
  }

  /** Types of its answers that a command does not give with these flags; none: every answer is possible. */
  protected otherAnswers(_flags: ParsedValues): readonly string[] {
    return []
  }

  /** Prints the answer: as text for people, or in the format that was asked for. */
  protected show(data: object, text: () => string | Promise<string>): Promise<void> {
    return this.showAsIs(readableTimes(data), text)
  }

  /** Prints a document as it is, also one of another service: no time in it is rewritten. */
  protected async showAsIs(document: unknown, text: () => string | Promise<string>): Promise<void> {
    if (printing.isQuiet) return
    process.stdout.write(await this.#written(document, text))
  }

  async #written(document: unknown, text: () => string | Promise<string>): Promise<string> {
    const { as, fields } = this.#format
    if (as === 'text' && fields === undefined) return text()
    if (as === 'json' && fields === undefined) return jsonText(document, this.#indent())
    const { formatted } = await import('./answer-format.ts')
    return formatted(document, this.#format, this.#list)
  }

  /** 0 for a command whose documents, and whose error, are a line each. */
  #indent(): number {
    const { baseFlags, flags } = this.ctor
    return 'output' in { ...baseFlags, ...flags } ? 2 : 0
  }

  /** The format as it was typed, also on a command line that was refused. */
  #typedFormat(): string | undefined {
    const words = wordsBeforeDashes(this.argv)
    return words.includes('--json') ? 'json' : (typedFlag(words, 'output') ?? typedFlag(words, 'reporter'))
  }

  /** Every error ends here: said once, in full, with its exit code. */
  protected override async catch(error: Error & { oclif?: { exit?: number } }): Promise<void> {
    if (error.oclif?.exit === 0) throw error
    if (error instanceof Interrupted) {
      process.exitCode = interruptedCode
      return
    }
    const as = this.#typedFormat()
    const [asJson, indent] = [as === 'json' || as === 'ndjson', as === 'ndjson' ? 0 : this.#indent()]
    if (error instanceof NotConfirmed) return notConfirmed(error, asJson, indent)
    this.parsed = true // else oclif warns, under some values of NODE_ENV, of a command line that it refused itself
    const expectedFailure = failureOf(error)
    const failure =
      expectedFailure === undefined
        ? (parseFailure(error, this.ctor) ?? bugFailure(error))
        : withInputName(expectedFailure, this.ctor, this.argv)
    const { reportFailure } = await import('./errors/render-failure.ts')
    reportFailure(failure, asJson, indent)
  }
}

/** A command that prints one answer. */
export abstract class BaseCommand extends BareCommand {
  static override baseFlags = answerFlags
}

/** Without the `--` that pnpm and yarn leave between a script and its flags. No argument begins with `-`. */
function withoutScriptDashes(argv: readonly string[]): string[] {
  const at = argv.indexOf('--')
  return argv.filter((_word, index) => index !== at || argv[at + 1]?.startsWith('-') !== true)
}

/** Reports a question answered with no: not an error, but not done. */
function notConfirmed({ message }: NotConfirmed, asJson: boolean, indent: number): void {
  process.exitCode = exitCodes.usage
  process.stderr.write(`${message}\n`)
  if (asJson) process.stdout.write(jsonText({ error: { exitCode: exitCodes.usage, message } }, indent))
}

const bugFailure = (error: Error): Failure => ({
  exitCode: exitCodes.refused,
  message: `tillbox failed: ${error.message}`,
  detail: process.env.DEBUG ? error.stack : undefined,
  remedy: 'This is a bug in tillbox: report it with the command. DEBUG=1 shows the stack',
})
