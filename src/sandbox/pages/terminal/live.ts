import type { Call } from '../../guard.ts'
import { streamLatest } from '../../live-stream.ts'
import type { Sandbox } from '../../sandbox.ts'
import { type CounterView, counterNamed } from './view.ts'

/** Milliseconds after which a browser comes back when the sandbox is gone. */
const retry = 500

/** Milliseconds between looks at a result, which goes by itself. */
const resultLook = 500

/** Streams the parts of the pages of terminals: everything at first, then whatever is not as it was. */
export async function streamCounters(
  sandbox: Sandbox,
  call: Call,
  terminals: readonly string[],
): Promise<Response> {
  const { partsOf, fragment } = await import('./parts.tsx')
  const sent = new Map<string, string>()
  return streamLatest(sandbox, call, {
    topics: terminals.map((terminalSn) => `terminal ${terminalSn}` as const),
    pause: 20,
    show: () => {
      const views = terminals.flatMap((terminalSn) => counterIfThere(sandbox, terminalSn))
      for (const { screen } of views)
        if (screen.screen === 'result') lookAgain(sandbox, `terminal ${screen.terminalSn}`)
      const parts = views.flatMap(partsOf).filter(({ id, version }) => sent.get(id) !== version)
      for (const { id, version } of parts) sent.set(id, version)
      return parts.length === 0 ? null : { event: 'parts', data: parts.map(fragment).join(''), retry }
    },
  })
}

/** None after a reset that forgot it. */
const counterIfThere = (sandbox: Sandbox, terminalSn: string): CounterView[] =>
  [...sandbox.engine.book.ledgers.values()].some(({ terminals }) => terminals.has(terminalSn))
    ? [counterNamed(sandbox, terminalSn)]
    : []

const looks = new WeakMap<Sandbox, Set<string>>()

/** No event tells that a result has been shown long enough, so those who watch look once more, all at once. */
function lookAgain(sandbox: Sandbox, topic: `terminal ${string}`): void {
  const coming = looks.get(sandbox) ?? new Set()
  if (coming.has(topic)) return
  looks.set(sandbox, coming.add(topic))
  setTimeout(() => {
    coming.delete(topic)
    sandbox.changes.tell(topic)
  }, resultLook).unref()
}
