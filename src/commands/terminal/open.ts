import { boolean } from '@oclif/core/flags'
import { sandboxFinder } from '../../cli/connection/sandbox-address.ts'
import { UsageError } from '../../cli/errors/exit-codes.ts'
import { canAsk } from '../../cli/input/confirmation.ts'
import { onInterruption } from '../../cli/interruption.ts'
import {
  atTerminal,
  isAttended,
  requireSerial,
  serialArg,
  TerminalCommand,
} from '../../cli/terminal/terminal-command.ts'
import { call, control } from '../../client/client.ts'
import { madeMembers } from '../../client/request/service-request.ts'
import { userAgents } from '../../contract/headers.ts'
import type { AnsweredControl } from '../../contract/sandbox/controls/controls.ts'
import { command } from '../../text/commands.ts'

export default class TerminalOpen extends TerminalCommand {
  static override summary = 'Operate a terminal live in this window, with keys.'
  static override description =
    'Start a sale (n), present cards, tip, enter the PIN (1234 is right), sign, cancel, go offline, print receipts: the keys are listed below the screen, q quits. It continues when the sandbox restarts, and exits with 1 when the terminal is gone. In scripts use terminal show, present, tip, pin, sign and cancel.'
  static override examples = [
    'tillbox terminal open TBX-ATTENDED-001',
    'ssh -t till tillbox terminal open TBX-ATTENDED-001',
  ]
  static override args = serialArg
  static override baseFlags = { ...TerminalCommand.baseFlags, json: boolean({ hidden: true }) } // for people: refused, and not offered

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TerminalOpen)
    const named = canAsk() ? args.serial : requireSerial(args.serial, flags)
    const shown = command('terminal show', named ?? '<serial>', '--json')
    const remedy = `In scripts: ${shown}, and terminal present, tip, pin, sign, cancel`
    if (flags.json) throw new UsageError('terminal open is interactive and prints no JSON', remedy, 'json')
    if (!process.stdin.isTTY || !process.stdout.isTTY || process.env.TERM === 'dumb')
      throw new UsageError('terminal open needs a terminal window', remedy)
    const { sandbox, serial } = await this.chosenTerminal(named, flags, isAttended)
    const first = await atTerminal(sandbox, 'screen', serial)
    const { outcomes } = await control(sandbox, 'outcomes')
    const [{ attend }, { theme }, { readScreens }] = await Promise.all([
      import('../../cli/tty/attend.ts'),
      import('../../cli/output/theme.ts'),
      import('../../client/server-sent-events.ts'),
    ])
    const find = sandboxFinder(flags, sandbox)
    const terminal = {
      outcomes: outcomes.map(({ name }) => name),
      screens: async function* (signal: AbortSignal) {
        const now = await find()
        await atTerminal(now, 'screen', serial) // another sandbox may have no such terminal
        yield* readScreens(now, serial, signal)
      },
      act: async (name: AnsweredControl, members: Readonly<Record<string, unknown>>) =>
        atTerminal(await find(), name, serial, members),
      sell: async (orderAmount: number, priceCurrency: string) => {
        const now = await find()
        const { apiKey, appId } = await control(now, 'connection')
        const { merchantId } = first
        const order = { terminalSn: serial, amount: { orderAmount, priceCurrency } }
        const members = { appId, ...(merchantId !== null && { merchantId }), ...order }
        const target = { ...now, apiKey, userAgent: `${userAgents.command}${this.config.version}` }
        return call(target, 'sale', { ...members, ...madeMembers('sale', members) })
      },
      print: async (id: string) => control(await find(), 'receipt', undefined, { names: { id } }),
    }
    const streams = { input: process.stdin, output: process.stdout }
    await attend(terminal, first, streams, theme, onInterruption('SIGHUP').signal)
  }
}
