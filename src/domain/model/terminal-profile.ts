import * as v from 'valibot'
import * as kind from './kinds.ts'

export const terminalProfile = v.strictObject({
  terminalSn: kind.name,
  summary: kind.text,
  /** Name that people gave it, where the serial number says too little. assumption: terminal-identity */
  label: kind.maybe(kind.text),
  mode: v.picklist(['auto', 'attended']),
  online: kind.maybe(kind.flag),
  /** Answer to a further push: wait in line, or refuse it. */
  busy: kind.maybe(v.picklist(['queue', 'reject'])),
  /** True for a terminal that is always busy. */
  occupied: kind.maybe(kind.flag),
  /** Milliseconds a screen; left out, the sandbox's `--pace`. */
  pace: kind.maybe(kind.count),
  /** Outcome by name that this terminal gives every transaction. */
  outcome: kind.maybe(kind.text),
  /** True when the person at the terminal presses cancel. */
  cancels: kind.maybe(kind.flag),
  /** Tip in percent that the cardholder chooses. */
  tipPercent: kind.maybe(kind.whole(0, 100)),
  /** Minor units up to which an attended terminal takes a card without contact. */
  contactlessLimit: kind.maybe(kind.amount),
  /** Card by name; left out, the one that fits the request. */
  card: kind.maybe(kind.text),
})
/** What a terminal does when left alone. assumption: fixtures */
export type TerminalProfile = Readonly<v.InferOutput<typeof terminalProfile>>
