import type { Call } from '../../guard.ts'
import { streamLatest } from '../../live-stream.ts'
import type { Sandbox } from '../../sandbox.ts'
import { resultEnds } from '../../screen-view.ts'
import { type CounterView, counterNamed } from './view.ts'

/** Milliseconds after which a browser comes back when the sandbox is gone. */
const retry = 500

/** Streams the parts of the pages of terminals: everything at first, then whatever is not as it was. */
export async function streamCounters(
  sandbox: Sandbox,
  call: Call,
  terminals: readonly string[],
): Promise<Response> {
  const { partsOf, fragment } = await import('./parts.tsx')
  const sent = new Map<string, string>()
  const viewsNow = () => terminals.flatMap((terminalSn) => counterIfThere(sandbox, terminalSn))
  return streamLatest(sandbox, call, {
    topics: terminals.map((terminalSn) => `terminal ${terminalSn}` as const),
    pause: 20,
    show: () => {
      const views = viewsNow()
      const parts = views.flatMap(partsOf).filter(({ id, version }) => sent.get(id) !== version)
      for (const { id, version } of parts) sent.set(id, version)
      return parts.length === 0 ? null : { event: 'parts', data: parts.map(fragment).join(''), retry }
    },
    again: () => {
      const ends = viewsNow().flatMap(({ screen }) => resultEnds(screen) ?? [])
      return ends.length === 0 ? null : Math.min(...ends)
    },
  })
}

/** None after a reset that forgot it. */
const counterIfThere = (sandbox: Sandbox, terminalSn: string): CounterView[] =>
  [...sandbox.engine.book.ledgers.values()].some(({ terminals }) => terminals.has(terminalSn))
    ? [counterNamed(sandbox, terminalSn)]
    : []
