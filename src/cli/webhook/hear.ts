import { setTimeout as sleep } from 'node:timers/promises'
import type { Place } from '../../client/discover.ts'
import { readEvents } from '../../client/event-stream.ts'
import { Unreachable } from '../../client/http.ts'
import type { StreamedNotification } from '../../contract/webhooks.ts'
import type { Memory } from './listener-memory.ts'

/** Notifications that are remembered, so that none is dealt with twice when a stream is opened again. */
const mostRemembered = 10_000

/**
 * Hears everything until `signal`, over restarts of the sandbox. What is not dealt with (`deal` says false) is asked for
 * again, freshly signed. `ready` is said when it begins. Errors: what is no loss of the sandbox.
 */
export async function hearAll(
  find: () => Promise<Place>,
  memory: Memory,
  signal: AbortSignal,
  ready: string,
  deal: (notification: StreamedNotification) => Promise<boolean>,
): Promise<void> {
  const known = new Set<string>()
  let say: string | undefined = ready
  for (let pause = 200; !signal.aborted; pause = Math.min(pause * 2, 2_000)) {
    const opened = (begin: string | undefined, missed: number) => {
      if (begin !== undefined) memory.keep(begin)
      pause = 200
      if (say !== undefined) process.stderr.write(`${say}\n${missed > 0 ? missedText(missed) : ''}`)
      say = undefined
    }
    let undealt = false
    try {
      for await (const notification of readEvents(await find(), memory.last(), signal, opened)) {
        const { id } = notification
        undealt = !known.has(id) && !(await deal(notification))
        if (undealt) break
        memory.keep(id)
        if (known.add(id).size > mostRemembered) known.delete(known.values().next().value ?? '')
      }
    } catch (error) {
      const lost =
        error instanceof Unreachable ||
        ['ECONNRESET', 'ABORT_ERR'].includes((error as NodeJS.ErrnoException).code ?? '')
      if (!lost) throw error
    }
    if (undealt || signal.aborted) continue
    if (say === undefined) process.stderr.write('The sandbox is gone; waiting for it\n')
    say = say === ready ? ready : 'Listening again'
    await sleep(pause, undefined, { signal }).catch(() => undefined)
  }
}

const missedText = (count: number): string =>
  count === 1
    ? '1 notification was missed meanwhile, and follows\n'
    : `${count} notifications were missed meanwhile, and follow\n`
