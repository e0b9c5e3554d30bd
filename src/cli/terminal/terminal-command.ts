import { string as stringArg } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import { control, ServiceRefusal } from '../../client/client.ts'
import type { SandboxAddress } from '../../client/discover.ts'
import type { TerminalView } from '../../contract/sandbox/answers.ts'
import type { AnsweredControl, ControlAnswer } from '../../contract/sandbox/controls.ts'
import { capitalize } from '../../text/capitalize.ts'
import { suggestion } from '../../text/suggest.ts'
import { BaseCommand } from '../base-command.ts'
import { type SandboxFlags, sandboxFlags, sandboxOf } from '../connection/sandbox-address.ts'
import { exitHelp } from '../errors/exit-codes.ts'
import { UsageError } from '../errors/usage-error.ts'

/** Environment variable that stands in for the serial number. */
const serialVariable = 'TILLBOX_TERMINAL_SN'

type Members = Readonly<Record<string, unknown>>

/** The terminal that a command is about. Each command names it itself: oclif's parser looks at no inherited arguments. */
export const serialArg = {
  serial: stringArg({ description: `Serial number of the terminal; default: ${serialVariable}.` }),
}

/** A command at one terminal. */
export abstract class TerminalCommand extends BaseCommand {
  static override flags = sandboxFlags

  /** Shows how a terminal is set. */
  protected showSettings(asJson: boolean, terminal: TerminalView): Promise<void> {
    return this.show(asJson, terminal, async () =>
      (await import('./render-terminal.ts')).renderSettings(terminal),
    )
  }
}

/** Switches a terminal on or off. */
export abstract class TerminalSwitch extends TerminalCommand {
  static override description = exitHelp
  static override args = serialArg

  protected abstract readonly online: boolean

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TerminalSwitch)
    const { online } = this
    const serial = serialOf(args.serial)
    await this.showSettings(
      flags.json,
      await atTerminal(await sandboxOf(flags), 'set-terminal', serial, { online }),
    )
  }
}

/** What a person does at a terminal. */
export abstract class TerminalAction extends TerminalCommand {
  static override flags = {
    transaction: string({
      description: 'Act only if the terminal shows this transaction.',
      helpValue: '<id>',
    }),
    ...sandboxFlags,
  }

  /** Does it, and shows what the terminal shows then and what ended. Errors: UsageError; as `atTerminal`. */
  protected async act(
    { args, flags }: ParsedAction,
    name: 'present-card' | 'choose-tip' | 'enter-pin' | 'sign' | 'cancel-at-terminal',
    members: Members = {},
  ): Promise<void> {
    const { transaction: transactionId } = flags
    const order = { ...members, ...(transactionId !== undefined && { transactionId }) }
    const view = await atTerminal(await sandboxOf(flags), name, serialOf(args.serial), order)
    await this.show(flags.json, view, async () => (await import('./render-terminal.ts')).renderAction(view))
  }
}

/** What was typed of an action. */
interface ParsedAction {
  readonly args: { readonly serial?: string | undefined }
  readonly flags: SandboxFlags & { readonly transaction?: string | undefined; readonly json: boolean }
}

/** The terminal that is named, or the one of the environment. Errors: UsageError. */
export function serialOf(typed: string | undefined): string {
  const serial = typed ?? serialFromEnvironment()
  if (serial !== undefined) return serial
  throw new UsageError(
    '<serial> is missing',
    `Name a terminal, such as TBX-ATTENDED-001, or set ${serialVariable}; tillbox terminal list shows all`,
    'serial',
  )
}

/** The terminal of the environment, if there is one. */
export const serialFromEnvironment = (): string | undefined => process.env[serialVariable] || undefined

/** Serial numbers of the terminals of a sandbox. */
export async function serialsOf(address: SandboxAddress): Promise<string[]> {
  const { terminals } = await control(address, 'terminals')
  return terminals.map(({ terminalSn }) => terminalSn)
}

/** Asks a sandbox about a terminal. Errors: as `control`; an unknown terminal with the one that was probably meant. */
export async function atTerminal<N extends AnsweredControl>(
  address: SandboxAddress,
  name: N,
  serial: string,
  members?: Members,
): Promise<ControlAnswer<N>> {
  try {
    return await control(address, name, members, { names: { sn: serial } })
  } catch (error) {
    if (!(error instanceof ServiceRefusal) || error.envelope.code !== 'SBX_UNREGISTERED') throw error
    const remedy = suggestion(serial, await serialsOf(address))
    throw new ServiceRefusal(error.httpStatus, {
      ...error.envelope,
      remedy: `${capitalize(remedy)}${remedy.endsWith('?') ? ' Or' : ', or'} add it: tillbox terminal add ${serial}`,
    })
  }
}
