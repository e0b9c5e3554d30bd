import { control } from '../../client/client.ts'
import type { SandboxAddress } from '../../client/discover.ts'
import { checkoutPath, type Story } from '../../contract/sandbox/control-answers.ts'
import { terminalPath } from '../../contract/sandbox/screens.ts'
import type { Waiting } from '../../contract/sandbox/waiting.ts'
import { shellQuote } from '../../text/shell-quote.ts'
import { cleaned } from '../output/clean.ts'
import { nextCommands } from '../terminal/next-commands.ts'
import type { WaitingFacts } from './waiting-line.ts'

/** What a payment waits for, from its sandbox; undefined when it waits for nothing, or it is unknown. */
export async function waitingFacts(
  sandbox: SandboxAddress,
  transactionId: string,
): Promise<WaitingFacts | undefined> {
  try {
    const story = cleaned(await storyNamed(sandbox, transactionId))
    const { waiting } = story
    if (waiting === null) return undefined
    if (waiting.for !== 'line' || waiting.behind === null) return factsOf(sandbox, story, waiting)
    const first = cleaned(await storyNamed(sandbox, waiting.behind))
    const others = waiting.ahead > 1 ? ` and ${waiting.ahead - 1} more` : ''
    const what = `${waiting.terminalSn} to be free: it has ${waiting.behind}${others} first`
    if (first.waiting === null) return { what }
    const { what: why, isWithHost: _, ...how } = await factsOf(sandbox, first, first.waiting)
    return { what: `${what}, which waits for ${why}`, ...how }
  } catch {
    return undefined // only a hint is missing, and the payment continues
  }
}

const storyNamed = (sandbox: SandboxAddress, id: string): Promise<Story> =>
  control(sandbox, 'transaction', undefined, { names: { id } })

async function factsOf(
  sandbox: SandboxAddress,
  { waitsFor, timeline }: Story,
  waiting: Waiting,
): Promise<WaitingFacts> {
  const what = waitsFor ?? ''
  const { terminalSn, sessionId } = waiting
  switch (waiting.for) {
    case 'person':
      return { what, ...(await atScreen(sandbox, terminalSn ?? '')) }
    case 'online':
      return { what, act: `tillbox terminal online ${shellQuote(terminalSn ?? '')}` }
    case 'host':
      return { what, act: advanceBy(timeline, waiting.until), isWithHost: true }
    case 'shopper':
      return {
        what,
        page: `${sandbox.baseUrl}${checkoutPath(sessionId ?? '')}`,
        act: `tillbox checkout pay ${shellQuote(sessionId ?? '')}`,
      }
    case 'line':
      return { what }
  }
}

/** The page of a terminal, and the command for its screen. */
async function atScreen(sandbox: SandboxAddress, serial: string) {
  const view = await control(sandbox, 'screen', undefined, { names: { sn: serial } })
  const [first] = view.acts.some((act) => act !== 'cancel') ? nextCommands(cleaned(view)) : []
  return {
    page: `${sandbox.baseUrl}${terminalPath(serial)}`,
    ...(first && { act: `${first[0]}` }),
  }
}

/** The command that advances the sandbox clock by the host's whole delay, so that the command stays the same. */
function advanceBy(timeline: Story['timeline'], until: number | null): string | undefined {
  const hostRequest = timeline.findLast(({ what }) => what === 'host-asked')
  if (until === null || hostRequest === undefined) return undefined
  return `tillbox sandbox clock --advance ${Math.max(Math.ceil((until - hostRequest.at) / 1000), 1)}s`
}
