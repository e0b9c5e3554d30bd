import type { Call } from '../../guard.ts'
import type { Sandbox } from '../../sandbox.ts'

/** A terminal that can be shown. */
export interface KnownTerminal {
  readonly terminalSn: string
  readonly summary: string
  readonly shown: boolean
}

/** Windows show at most so many at once. */
const most = 8

/** Those that the address names in `show`; without one, where somebody is waited for or something goes on. */
export function chosenTerminals(
  { engine }: Sandbox,
  call: Call,
): { readonly shown: readonly string[]; readonly all: readonly KnownTerminal[] } {
  const terminals = [...engine.book.ledgers.values()].flatMap(({ terminals }) => [...terminals.values()])
  const wanted = new Set(call.req.queries('show') ?? [])
  const named = terminals.filter(({ terminalSn }) => wanted.has(terminalSn))
  const usual = terminals.filter(({ profile, line }) => profile.mode === 'attended' || line.length > 0)
  const shown = new Set((named.length > 0 ? named : usual).slice(0, most).map(({ terminalSn }) => terminalSn))
  return {
    shown: [...shown],
    all: terminals.map(({ terminalSn, profile }) => ({
      terminalSn,
      summary: profile.summary,
      shown: shown.has(terminalSn),
    })),
  }
}
