import { unpairedIn } from '../../domain/unpaired-terminals.ts'
import type { Call } from '../../http/call.ts'
import type { PagesContext } from '../frame/pages-context.ts'

/** A terminal that can be shown. */
export interface SelectableTerminal {
  readonly terminalSn: string
  readonly summary: string
  readonly label?: string | undefined
  readonly shown: boolean
}

/** Terminals of a window. */
export interface TerminalSelection {
  /** Serial numbers. */
  readonly shown: readonly string[]
  /** Names that the address has, and no terminal. */
  readonly unknown: readonly string[]
  /** Whether the address names any. */
  readonly isNamed: boolean
  readonly all: readonly SelectableTerminal[]
}

/** Most terminals in one window. */
const most = 8

/** True for an address with `show`: terminals side by side; an empty value means the default ones. */
export const isSideBySide = (call: Call): boolean => call.req.queries('show') !== undefined

/** The terminals that the address names in `show`. */
const namedIn = (call: Call): string[] => [...new Set(call.req.queries('show'))].filter((name) => name !== '')

/** The terminals of a window: it keeps the named ones, whether they exist or not. */
export const followedTerminals = (context: Pick<PagesContext, 'engine'>, call: Call): readonly string[] => {
  const named = namedIn(call).slice(0, most)
  return named.length > 0 ? named : selectedTerminals(context, call).shown
}

/** The terminals in `show`; if it is empty, those that wait for a person or process a payment. */
export function selectedTerminals({ engine }: Pick<PagesContext, 'engine'>, call: Call): TerminalSelection {
  const { ledgers } = engine.state
  const paired = [...ledgers.values()].flatMap(({ terminals }) => [...terminals.values()])
  const unpaired = unpairedIn(ledgers).map(({ profile }) => ({ terminalSn: profile.terminalSn, profile }))
  const terminals = [...paired, ...unpaired]
  const wanted = new Set(namedIn(call))
  const named = terminals.filter(({ terminalSn }) => wanted.has(terminalSn))
  const busy = paired.filter(({ profile, line }) => profile.mode === 'attended' || line.length > 0)
  const usual = [...busy, ...unpaired]
  const shown = new Set((named.length > 0 ? named : usual).slice(0, most).map(({ terminalSn }) => terminalSn))
  return {
    shown: [...shown],
    isNamed: wanted.size > 0,
    unknown: namedIn(call).filter((name) => terminals.every(({ terminalSn }) => terminalSn !== name)),
    all: terminals.map(
      ({ terminalSn, profile }): SelectableTerminal => ({
        terminalSn,
        summary: profile.summary,
        label: profile.label,
        shown: shown.has(terminalSn),
      }),
    ),
  }
}
