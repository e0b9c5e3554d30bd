import type { Ledger, UnpairedTerminal } from './model/ledger.ts'

type Ledgers = ReadonlyMap<string, Pick<Ledger, 'unpaired' | 'pairedCodes'>>

/** Where the code was used: the terminal, and the merchant it was paired with; undefined: unused. */
export function usedCode(
  ledgers: Ledgers,
  code: string,
): { readonly terminalSn: string; readonly merchantId: string } | undefined {
  for (const [merchantId, { pairedCodes }] of ledgers) {
    const terminalSn = pairedCodes.get(code)
    if (terminalSn !== undefined) return { terminalSn, merchantId }
  }
  return undefined
}

/**
 * Terminals that belong to no merchant. A ledger may still hold a terminal that another merchant has paired:
 * its code is then a used one. assumption: pairing
 */
export const unpairedIn = <L extends Ledgers>(ledgers: L): readonly UnpairedTerminal[] =>
  [...ledgers.values()]
    .flatMap(({ unpaired }) => [...unpaired.values()])
    .filter(({ code }) => usedCode(ledgers, code) === undefined)

/** The unpaired terminal with that serial number, and the ledger that holds it; undefined: none. */
export function unpairedNamed<L extends Pick<Ledger, 'unpaired' | 'pairedCodes'>>(
  ledgers: ReadonlyMap<string, L>,
  terminalSn: string,
): { readonly home: L; readonly unpaired: UnpairedTerminal } | undefined {
  for (const home of ledgers.values()) {
    const unpaired = home.unpaired.get(terminalSn)
    if (unpaired !== undefined && usedCode(ledgers, unpaired.code) === undefined) return { home, unpaired }
  }
  return undefined
}
