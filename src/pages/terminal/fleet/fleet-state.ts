import type { ScreenView } from '../../../contract/sandbox/screens.ts'
import { type ScreenContext, screenNamed } from '../../../control/terminals.ts'
import { unpairedIn } from '../../../domain/unpaired-terminals.ts'
import { resultEnds } from '../../../records/screen-view.ts'

/** State of a terminal, in short. */
export type FleetState = 'idle' | 'person' | 'processing' | 'offline' | 'unpaired'

/** The same in words. */
export const fleetStates: Readonly<Record<FleetState, string>> = {
  idle: 'Idle',
  person: 'Waiting for a person',
  processing: 'Processing',
  offline: 'Offline',
  unpaired: 'Not paired',
}

/** State of a terminal. An automatic terminal never waits for a person. */
export function fleetStateOf({ screen, acts }: Pick<ScreenView, 'screen' | 'acts'>): FleetState {
  if (screen === 'pairing') return 'unpaired'
  if (screen === 'offline') return 'offline'
  if (screen === 'idle' || screen === 'result') return 'idle'
  return acts.some((act) => act !== 'cancel') ? 'person' : 'processing'
}

/** Most terminals that one page shows: each is drawn again at every change. */
const most = 200

/** The screens of all terminals, in the order of the sandbox, and the number beyond the limit of a page. */
export function fleetOf(context: ScreenContext): {
  readonly views: readonly ScreenView[]
  readonly more: number
} {
  const { ledgers } = context.engine.state
  const serials = [
    ...[...ledgers.values()].flatMap(({ terminals }) => [...terminals.keys()]),
    ...unpairedIn(ledgers).map(({ profile }) => profile.terminalSn),
  ]
  return {
    views: serials.slice(0, most).map((terminalSn) => screenNamed(context, terminalSn)),
    more: Math.max(0, serials.length - most),
  }
}

/** Milliseconds until the first shown result disappears; null when none is shown. */
export function fleetChanges(context: ScreenContext): number | null {
  const ends = fleetOf(context).views.flatMap((view) => resultEnds(view) ?? [])
  return ends.length === 0 ? null : Math.min(...ends)
}
