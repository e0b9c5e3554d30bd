import type { Interfaces } from '@oclif/core'
import { string as stringArg } from '@oclif/core/args'
import { integer, string } from '@oclif/core/flags'
import { control, ServiceRefusal } from '../../client/client.ts'
import type { FoundSandbox, SandboxAddress } from '../../client/discover.ts'
import type { Control } from '../../contract/control/control.ts'
import type { TerminalView } from '../../contract/control/control-answers.ts'
import {
  type AnsweredControl,
  type ControlAnswer,
  type ControlName,
  controls,
} from '../../contract/control/controls/controls.ts'
import { terminalSettings } from '../../contract/control/controls/terminal-controls.ts'
import type { ActAnswer } from '../../contract/control/screens.ts'
import type { Members } from '../../contract/validate.ts'
import { command } from '../../shared/text/commands.ts'
import { suggestion } from '../../shared/text/suggest.ts'
import { capitalize } from '../../shared/text/words.ts'
import type { SandboxFlags } from '../connection/sandbox-address.ts'
import { namedTarget } from '../connection/target.ts'
import { UsageError } from '../errors/exit-codes.ts'
import type { MemberFlags } from '../errors/input-name.ts'
import { canAsk } from '../input/confirmation.ts'
import { parseAmount, parsePace } from '../input/typed-values.ts'
import { flaggedTransaction, transactionFlag } from '../operation/earlier-result.ts'
import { SandboxCommand } from '../sandbox-command.ts'
import { settingOf } from '../settings/effective.ts'
import {
  readyToWait,
  type WaitWebhooksFlags,
  waitForDeliveries,
  waitWebhooksFlags,
} from '../webhook/wait-webhooks.ts'

const serialVariable = 'TILLBOX_TERMINAL_SN'

/** The terminal of a command. Each command names it itself: oclif looks at no inherited arguments. */
export const serialArg = {
  serial: stringArg({
    description: `Serial number of the terminal; default: ${serialVariable}, or "terminal" of the profile.`,
  }),
}

/** A command at one terminal. */
export abstract class TerminalCommand extends SandboxCommand {
  static override memberFlags: MemberFlags = { terminalSn: 'serial' }

  protected showSettings(terminal: TerminalView): Promise<void> {
    return this.show(terminal, () => settingsText(terminal))
  }

  /** The sandbox and the terminal of a command; without a name, asks for one of the matching terminals. */
  protected async chosenTerminal(
    typed: string | undefined,
    flags: SandboxFlags,
    isCandidate: (terminal: TerminalView) => boolean = () => true,
    asks?: ControlName,
  ): Promise<{ sandbox: FoundSandbox; serial: string }> {
    const named = typed ?? usualSerial(flags)
    if (named === undefined && !canAsk()) refuseNoSerial()
    const sandbox = await this.find(flags, asks)
    if (named !== undefined) return { sandbox, serial: named }
    const { chooseTerminal } = await import('../input/choose-listed.ts')
    return { sandbox, serial: (await chooseTerminal(sandbox, isCandidate)) ?? refuseNoSerial() }
  }
}

/** How a terminal is set. */
export const settingsText = async (terminal: TerminalView): Promise<string> =>
  (await import('./render-terminal.ts')).renderSettings(terminal)

/**
 * A command that asks one control operation about a terminal, and shows its answer. `step`: that of the row
 * which says what goes with it.
 */
export function terminalCommand<N extends AnsweredControl>(
  name: N,
  render: (answer: ControlAnswer<N>) => Promise<string>,
  step = '',
) {
  const { summary, steps }: Control = controls[name]
  const said = steps?.[step]
  return class OneTerminalCommand extends TerminalCommand {
    static override summary = `${said?.summary ?? summary}.`
    static override args = serialArg

    async run(): Promise<void> {
      const { args, flags } = await this.parse(OneTerminalCommand)
      const { sandbox, serial } = await this.chosenTerminal(args.serial, flags, undefined, name)
      const answer = await atTerminal(sandbox, name, serial, said?.says)
      await this.show(answer, () => render(answer))
    }
  }
}

/** A person's action at a terminal. */
export abstract class TerminalActionCommand extends TerminalCommand {
  static override memberFlags: MemberFlags = {
    terminalSn: 'serial',
    transactionId: ['transaction', 'serial'],
  }
  static override flags = {
    ...transactionFlag('Act only if the terminal shows this transaction'),
    ...waitWebhooksFlags,
  }

  /** Performs the action, and shows the new screen and the end of the payment. */
  protected async act({ args, flags }: ParsedAction, name: Act, members: Members = {}): Promise<void> {
    const { sandbox, serial } = await this.chosenTerminal(args.serial, flags, isAttended, name)
    const transactionId = await flaggedTransaction(flags, sandbox)
    const order = { ...members, ...(transactionId !== undefined && { transactionId }) }
    await readyToWait(sandbox, flags)
    const view = await atTerminal(sandbox, name, serial, order)
    await this.show(view, async () => (await import('./render-terminal.ts')).renderAction(view))
    const shown = [view.transaction, view.last].flatMap((each) => each?.transactionId ?? [])
    await waitForDeliveries(sandbox, flags, { transactionIds: shown })
  }
}

/** What a person does at a terminal. */
type Act = { [N in AnsweredControl]: ControlAnswer<N> extends ActAnswer ? N : never }[AnsweredControl]

interface ParsedAction {
  readonly args: { readonly serial?: string | undefined }
  readonly flags: SandboxFlags & WaitWebhooksFlags & { readonly transaction?: string | undefined }
}

/** The terminal that is named, or the usual one. */
export const requireSerial = (typed: string | undefined, flags: SandboxFlags, argument = 'serial'): string =>
  typed ?? usualSerial(flags) ?? refuseNoSerial(argument)

function refuseNoSerial(argument = 'serial'): never {
  throw new UsageError(
    [`<${argument}>`, 'is missing'],
    `Name a terminal, such as TBX-ATTENDED-001, or set ${serialVariable}; ${command('terminal list')} shows all`,
  )
}

/** A terminal at which a person acts. */
export const isAttended = ({ mode }: Pick<TerminalView, 'mode'>): boolean => mode === 'attended'

/** The terminal of the environment or the profile. */
export const usualSerial = (flags: SandboxFlags): string | undefined =>
  settingOf(namedTarget(flags).settings, 'terminal')?.value

/** Serial numbers of the terminals of a sandbox. */
export async function fetchSerials(address: SandboxAddress): Promise<string[]> {
  const { terminals } = await control(address, 'terminals')
  return terminals.map(({ terminalSn }) => terminalSn)
}

/** Calls a sandbox about a terminal; of an unknown one, its refusal has the most likely name. */
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
    const serials = await fetchSerials(address)
    const near = suggestion(serial, serials)
    const named = near.endsWith('?') ? capitalize(near) : `Known terminals: ${serials.join(', ')}.`
    throw new ServiceRefusal(error.httpStatus, {
      ...error.envelope,
      remedy: `${named} Or add it: ${command('terminal add', serial)}`,
    })
  }
}

/** The settings of a terminal as flags. */
export const settingFlags = {
  label: string({ description: 'Name that people read beside the serial number.', helpValue: '<name>' }),
  mode: string({
    description: 'auto acts without input; attended needs manual or scripted input.',
    options: [...terminalSettings.mode.wrapped.options],
  }),
  busy: string({
    description: 'Payment for a busy terminal: queue lets it wait in line; reject refuses it.',
    options: [...terminalSettings.busy.wrapped.options],
  }),
  pace: string({
    description: 'How long each screen is shown: instant, milliseconds (800), or 2s.',
    helpValue: '<duration>',
  }),
  'tip-percent': integer({
    description: 'Ask for a tip; an automatic terminal chooses this percentage.',
    min: 0,
    max: 100,
    helpValue: '<percent>',
  }),
  'contactless-limit': string({
    description:
      'Largest contactless amount, such as 100.00. It is for every currency: as many minor units as in USD.',
    helpValue: '<amount>',
  }),
  card: string({ description: 'Card that an automatic terminal reads.', helpValue: '<name>' }),
  outcome: string({ description: 'Outcome of every payment.', helpValue: '<name>' }),
}

/** The settings as fields of a request; absent ones are undefined. */
export const settingsFrom = ({
  mode,
  busy,
  pace,
  ...flags
}: Interfaces.InferredFlags<typeof settingFlags>) => ({
  label: flags.label,
  mode,
  busy,
  pace: pace === undefined ? undefined : parsePace(pace),
  tipPercent: flags['tip-percent'],
  contactlessLimit:
    flags['contactless-limit'] === undefined
      ? undefined
      : parseAmount(flags['contactless-limit'], 'USD', 'contactless-limit'),
  card: flags.card,
  outcome: flags.outcome,
})
