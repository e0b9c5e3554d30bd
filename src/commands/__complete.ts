import { BaseCommand } from '../cli/base-command.ts'
import { parseDuration } from '../text/duration.ts'

/** How long a person who pressed Tab waits for names, in milliseconds. assumption: completion-wait */
const patience = (): number => parseDuration(process.env.TILLBOX_COMPLETION_WAIT ?? '') ?? 250

/** What completion scripts run: `tillbox __complete terminals -- <words of the line>`. */
export default class Complete extends BaseCommand {
  static override summary = 'List names for a completion script.'
  static override description =
    'Run by the scripts of tillbox completion. Prints nothing where nothing can be listed.'
  static override hidden = true
  static override strict = false

  /** Says nothing of what goes wrong: it would be printed into the line that is typed. */
  async run(): Promise<void> {
    this.parsed = true // the words are of another command: oclif would refuse them, or warn
    const { nameKinds } = await import('../cli/completion/value-source.ts')
    const [kind = '', ...typed] = this.argv.filter((word, index) => index !== 1 || word !== '--')
    const known = nameKinds.find((each) => each === kind)
    if (known === undefined) return
    const { nameLines } = await import('../cli/completion/names.ts')
    const late = new Promise<string>((resolve) => setTimeout(resolve, patience(), '').unref())
    const lines = await Promise.race([nameLines(known, typed).catch(() => ''), late])
    process.stdout.write(lines)
    if (lines === '') process.exit(0) // what was asked may still wait for an answer
  }
}
