import { parseDuration } from '../../shared/text/duration.ts'
import { BaseCommand } from '../base-command.ts'

/** How long a person who pressed Tab waits for names, in milliseconds. docs/setup.md#completion */
const patience = (): number => parseDuration(process.env.TILLBOX_COMPLETION_WAIT ?? '') ?? 250

/** What completion scripts run: `tillbox __complete -- <words of the line>`. */
export default class Complete extends BaseCommand {
  static override summary = 'List what can follow a command line.'
  static override description =
    'Run by the scripts of tillbox completion. Prints nothing where nothing can be listed.'
  static override hidden = true
  static override strict = false

  /** Says nothing of what goes wrong: it would be printed into the line that is typed. */
  async run(): Promise<void> {
    this.parsed = true // the words are of another command: oclif would refuse them, or warn
    const typed = this.argv[0] === '--' ? this.argv.slice(1) : this.argv
    const { completionOf } = await import('../completion/proposals.ts')
    const { words, source, prefix } = completionOf(typed, this.config)
    const begun = (typed.at(-1) ?? '').slice(prefix.length)
    if (source?.from === 'files' || source?.from === 'folders')
      return void process.stdout.write(`:${source.from}\n`)
    const { namesFor } = await import('../completion/names.ts')
    const late = new Promise<typeof words>((resolve) => setTimeout(resolve, patience(), []).unref())
    const names =
      source?.from === 'names' ? await Promise.race([namesFor(source.kind, typed).catch(() => []), late]) : []
    const fitting = [...words, ...names].filter(({ word }) => word.startsWith(begun))
    process.stdout.write(fitting.map(({ word, what }) => `${prefix}${word}\t${what}\n`).join(''))
    if (names.length === 0) process.exit(0) // what was asked may still wait for an answer
  }
}
