import { setTimeout as sleep } from 'node:timers/promises'

/** Pauses between attempts to connect: the first, and the longest. Milliseconds. */
const [minPause, maxPause] = [200, 2_000]

/** Says that the connection stands; answers whether it is the first one, one after a loss, or the one known already. */
export type Connected = () => 'first' | 'again' | 'still'

/**
 * Runs a session again and again until `signal`, with growing pauses: each runs until its stream ends or the connection is
 * lost. `onLost` is told whether there was a connection to lose. Errors: those of a session, but lost connections.
 */
export async function* reconnecting<T>(
  session: (connected: Connected) => AsyncIterable<T>,
  signal: AbortSignal,
  onLost: (wasConnected: boolean) => void,
): AsyncGenerator<T> {
  let [pause, isConnected, wasConnected] = [minPause, false, false]
  const connected: Connected = () => {
    const kind = isConnected ? 'still' : wasConnected ? 'again' : 'first'
    ;[pause, isConnected, wasConnected] = [minPause, true, true]
    return kind
  }
  for (; !signal.aborted; pause = Math.min(pause * 2, maxPause)) {
    try {
      yield* session(connected)
    } catch (error) {
      if (!isConnectionLoss(error)) throw error
    }
    if (signal.aborted) return
    onLost(isConnected)
    isConnected = false
    await sleep(pause, undefined, { signal }).catch(() => undefined)
  }
}

/** True when the connection broke, or was ended by us, or another program took the port of a sandbox that is gone. */
const isConnectionLoss = (error: unknown): boolean =>
  ['Unreachable', 'ForeignAnswer', 'AbortError'].includes((error as Error).name) ||
  ['ECONNRESET', 'ABORT_ERR', 'ECONNABORTED'].includes((error as NodeJS.ErrnoException).code ?? '')
