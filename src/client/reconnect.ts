import { setTimeout as sleep } from 'node:timers/promises'

/** The shortest and the longest pause between attempts to connect. Milliseconds. */
const [minPause, maxPause] = [200, 2_000]

/** Call it when the connection is up; returns whether it is the first, one after a loss, or was up. */
export type Connected = () => 'first' | 'again' | 'still'

/**
 * Repeats a session until `signal`, with growing pauses; a session lasts until its stream ends or the
 * connection is lost. `onLost` gets whether there was a connection.
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

/** True when the connection broke, we aborted it, or another program took the port of a stopped sandbox. */
const isConnectionLoss = (error: unknown): boolean =>
  ['Unreachable', 'ForeignAnswer', 'AbortError'].includes((error as Error).name) ||
  ['ECONNRESET', 'ABORT_ERR', 'ECONNABORTED'].includes((error as NodeJS.ErrnoException).code ?? '')
