import { string } from '@oclif/core/flags'
import { control } from '../../../client/client.ts'
import type { SandboxAddress } from '../../../client/discover.ts'
import { ForeignAnswer } from '../../../client/http.ts'
import type { TerminalView } from '../../../contract/control/control-answers.ts'
import { UsageError } from '../../errors/exit-codes.ts'
import {
  atTerminal,
  serialArg,
  settingFlags,
  settingsFrom,
  TerminalCommand,
} from '../../terminal/terminal-command.ts'

/** Flags of the settings that can be left to the sandbox again: a terminal always has a mode. */
const { mode: _, ...clearable } = settingFlags

const camelCase = (flag: string): string => flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

export default class TerminalSet extends TerminalCommand {
  static override summary = 'Change or show the settings of a terminal.'
  static override description =
    'Settings that are left out stay. They survive restarts. tillbox outcomes lists the outcomes.'
  static override examples = [
    'tillbox terminal set TBX-AUTO-001 --mode attended --busy reject',
    'tillbox terminal set TBX-AUTO-001 --pace 800 --card amex-chip',
    'tillbox terminal set TBX-AUTO-001 --clear pace --clear card',
    'tillbox terminal set TBX-AUTO-001 --json',
  ]
  static override args = serialArg
  static override flags = {
    ...settingFlags,
    clear: string({
      description: 'Return this setting to its default. Can be repeated.',
      options: Object.keys(clearable),
      multiple: true,
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TerminalSet)
    const cleared = (flags.clear ?? []) as (keyof typeof clearable)[]
    const both = cleared.find((name) => flags[name] !== undefined)
    if (both !== undefined)
      throw new UsageError(`--${both} and --clear ${both} exclude each other`, 'Remove one of them', 'clear')
    const typedSettings = Object.entries(settingsFrom(flags)).filter(([, value]) => value !== undefined)
    const changes = Object.fromEntries([...typedSettings, ...cleared.map((name) => [camelCase(name), null])])
    const isLookUp = Object.keys(changes).length === 0
    const asks = isLookUp ? 'screen' : 'set-terminal'
    const { sandbox, serial } = await this.chosenTerminal(args.serial, flags, undefined, asks)
    const terminal = isLookUp
      ? await terminalNow(sandbox, serial)
      : await atTerminal(sandbox, 'set-terminal', serial, changes)
    await this.showSettings(terminal)
  }
}

/** How a terminal is set. */
async function terminalNow(sandbox: SandboxAddress, serial: string): Promise<TerminalView> {
  await atTerminal(sandbox, 'screen', serial)
  const { terminals } = await control(sandbox, 'terminals')
  const terminal = terminals.find(({ terminalSn }) => terminalSn === serial)
  if (terminal !== undefined) return terminal
  const why = `it shows the terminal ${serial}, and lists none of that name`
  throw new ForeignAnswer(sandbox.baseUrl, 200, why)
}
