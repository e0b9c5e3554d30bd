import { reject } from '../contract/errors.ts'
import type { TerminalView } from '../contract/sandbox/control-answers.ts'
import type { ControlInput } from '../contract/sandbox/controls/controls.ts'
import type { AddTerminal, UnpairTerminal } from '../domain/model/commands.ts'
import type { Ledger, UnpairedTerminal } from '../domain/model/ledger.ts'
import { refuseUnpaired } from '../domain/rules/terminal/refuse-at.ts'
import { unpairedIn, unpairedNamed, usedCode } from '../domain/unpaired-terminals.ts'
import type { EngineAccess, EngineReader } from '../engine/engine.ts'
import { newPairingCode, type ReadableClock } from '../engine/identifiers.ts'
import type { TerminalProfile } from '../fixtures.ts'
import { terminalsOf, unpairedView } from '../views/views.ts'

/** Terminals without a merchant: added or made unpaired, until somebody enters their code. assumption: pairing */

interface Pairing {
  readonly engine: EngineAccess
  readonly clock: ReadableClock
}

/** A code that no terminal of the sandbox has or ever had. */
function freeCode({ state }: Pick<EngineReader, 'state'>): string {
  const shown = new Set(unpairedIn(state.ledgers).map(({ code }) => code))
  return newPairingCode((code) => shown.has(code) || usedCode(state.ledgers, code) !== undefined)
}

/** Runs the command with a free code; resolves to the terminal as listed. Errors: those of the rule. */
const runUnpaired = (
  { engine }: Pairing,
  home: Ledger,
  terminalSn: string,
  command: Omit<AddTerminal, 'code'> | Omit<UnpairTerminal, 'code'>,
): Promise<TerminalView> =>
  engine.run(home, { ...command, code: freeCode(engine) }, undefined, () => {
    const found = home.unpaired.get(terminalSn)
    return found === undefined ? refuseUnpaired(terminalSn) : unpairedView(found)
  })

/** Adds a terminal without a merchant. `home`: the ledger that stores it. Errors: Refusal. */
export const addUnpaired = (pairing: Pairing, home: Ledger, profile: TerminalProfile) =>
  runUnpaired(pairing, home, profile.terminalSn, { type: 'add-terminal', profile })

/** Unpairs a terminal from its merchant. Errors: SBX_TERM_IN_USE. */
export const unpair = (pairing: Pairing, home: Ledger, terminalSn: string): Promise<TerminalView> =>
  runUnpaired(pairing, home, terminalSn, { type: 'unpair-terminal', terminalSn })

/** Pairs the terminal that shows the code with the merchant of the ledger. Errors: SBX_UNREGISTERED, SBX_TERM_EXISTS. */
export function pair(
  { engine, clock }: Pairing,
  ledger: Ledger,
  { code: typed, label }: Pick<ControlInput<'pair-terminal'>, 'code' | 'label'>,
): Promise<TerminalView> {
  const code = typed.toUpperCase().replace(/[\s-]/g, '')
  const { profile } = terminalShowing(engine, code)
  const named = { ...profile, ...(label != null && { label }) }
  return engine.run(ledger, { type: 'pair-terminal', profile: named, code }, undefined, () => {
    const [view] = terminalsOf(ledger, clock.now(), profile.terminalSn)
    return view ?? refuseUnpaired(profile.terminalSn)
  })
}

/** Errors: SBX_UNREGISTERED for a code that no terminal shows, SBX_TERM_EXISTS for a used code. */
function terminalShowing({ state }: Pick<EngineReader, 'state'>, code: string): UnpairedTerminal {
  const shown = unpairedIn(state.ledgers).find((each) => each.code === code)
  if (shown !== undefined) return shown
  const used = usedCode(state.ledgers, code)
  const field = 'code'
  if (used === undefined)
    return reject('SBX_UNREGISTERED', {
      field,
      message: 'No terminal shows that pairing code',
      detail: `no terminal shows ${code}`,
      remedy:
        'See which terminals are not paired: tillbox terminal list; the code of one: tillbox terminal show <serial>',
    })
  const { terminalSn, merchantId } = used
  return reject('SBX_TERM_EXISTS', {
    field,
    message: 'The pairing code was used already',
    detail: `${code} paired ${terminalSn} with the merchant ${merchantId}`,
    remedy: `See the terminals: tillbox terminal list. A new code: tillbox terminal unpair ${terminalSn}`,
  })
}

/** Refuses a request to an unpaired terminal. Errors: SBX_OTHER_OWNER. */
export function requirePaired({ state }: Pick<EngineReader, 'state'>, terminalSn: string): void {
  if (unpairedNamed(state.ledgers, terminalSn) !== undefined) refuseUnpaired(terminalSn)
}
