import { control } from '../../client/client.ts'
import type { SandboxAddress } from '../../client/discover.ts'
import { checkoutPath, type Story } from '../../contract/control/control-answers.ts'
import { terminalPath } from '../../contract/control/screens.ts'
import type { Waiting } from '../../contract/control/waiting.ts'
import { isFinal, type Status } from '../../contract/statuses.ts'
import { hangingText } from '../../shared/text/display-width.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { gluedCommand } from '../hints/hint-text.ts'
import { clean, cleaned } from '../output/clean.ts'
import { tell } from '../output/color.ts'
import { type NamedValue, pairs } from '../output/table.ts'
import { errorTheme } from '../output/theme.ts'
import { nextCommands } from '../terminal/render-terminal.ts'

/** Number of queries before asking what a payment waits for: an automatic payment is usually final before. */
const queriesBeforeAsking = 4

/**
 * Says on standard error what a payment waits for, at each change. `watch` is called for each query of the
 * payment, with undefined for one that was not answered; `end` when the wait is over.
 */
export function waitingNotes(ask: () => Promise<WaitingFacts | undefined>) {
  let queries = 0
  let isAsking = false
  let isOver = false
  let lastNote = ''
  const tellFirst = (note: string) => {
    if (lastNote === '' && process.stderr.isTTY) tell(note) // a log has no use for it
    lastNote ||= note
  }
  const tellWhy = async () => {
    isAsking = true
    const facts = await ask()
    isAsking = false
    if (isOver) return
    if (facts === undefined) return tellFirst('Waiting for the final status; Ctrl-C ends the wait\n')
    const head = hangingText(`Waiting for ${clean(facts.what)}`, 2, errorTheme.width)
    const note = `${head}\n${rows(actionRows(facts))}`
    if (note !== lastNote) tell(note)
    lastNote = note
  }
  return {
    watch: (status: Status | undefined): void => {
      queries += 1
      if (status === undefined || isFinal(status)) return
      if (queries >= queriesBeforeAsking && !isAsking) void tellWhy()
    },
    end: () => {
      isOver = true
    },
  }
}

type DetailRow = readonly [name: string, value: string | undefined, isCommand?: boolean]

const actionRows = ({ page, act }: WaitingFacts): DetailRow[] => [
  ['page', page],
  ['act', act, true],
]

/** How to go on with a payment that is not final. */
export function renderGoOn(id: string, facts: WaitingFacts | undefined, isAbortable: boolean): string {
  const all: DetailRow[] = [
    ['waits for', facts?.what],
    ...(facts === undefined ? [] : actionRows(facts)),
    ['check again', `tillbox query ${shellQuote(id)} --wait 60s`, true],
    ['cancel', isAbortable && !facts?.isWithHost ? `tillbox abort ${shellQuote(id)}` : undefined, true],
  ]
  return `Not final yet.\n${rows(all)}`
}

/** The rows that have a value; a command stays one line, so that it can be copied. */
function rows(all: readonly DetailRow[]): string {
  const shown = all.map(([name, value, isCommand]): NamedValue => {
    const text = value && clean(value)
    return [name, text && isCommand ? gluedCommand(text) : text]
  })
  return `${pairs(shown, errorTheme)}\n`
}

/** What an open payment waits for, and how to continue it. */
export interface WaitingFacts {
  /** In words: `a person at TBX-ATTENDED-001`. */
  readonly what: string
  /** The host is asked: an abort is too late. */
  readonly isWithHost?: boolean | undefined
  /** Page on which a person goes on with it. */
  readonly page?: string | undefined
  /** Command that goes on with it, or with the payment before it. */
  readonly act?: string | undefined
}

/** What a payment waits for, from its sandbox; undefined: nothing, another service, or unknown. */
export async function waitingFacts(
  { isSandbox, target: sandbox }: { readonly isSandbox: boolean; readonly target: SandboxAddress },
  transactionId: string,
): Promise<WaitingFacts | undefined> {
  if (!isSandbox) return undefined
  try {
    const story = cleaned(await storyNamed(sandbox, transactionId))
    const { waiting } = story
    if (waiting === null) return undefined
    if (waiting.for !== 'line' || waiting.behind === null) return await describeWait(sandbox, story, waiting)
    const first = cleaned(await storyNamed(sandbox, waiting.behind))
    const others = waiting.ahead > 1 ? ` and ${waiting.ahead - 1} more` : ''
    const what = `${waiting.terminalSn} to be free: it has ${waiting.behind}${others} first`
    const cause = first.waiting && (await describeWait(sandbox, first, first.waiting))
    if (!cause) return { what }
    const { what: why, isWithHost: _, ...how } = cause
    return { what: `${what}, which waits for ${why}`, ...how }
  } catch {
    return undefined // only a hint is missing, and the payment continues
  }
}

const storyNamed = (sandbox: SandboxAddress, id: string): Promise<Story> =>
  control(sandbox, 'transaction', undefined, { names: { id } })

/** Undefined where the person has acted meanwhile. */
async function describeWait(
  sandbox: SandboxAddress,
  { waitsFor, timeline }: Story,
  waiting: Waiting,
): Promise<WaitingFacts | undefined> {
  const what = waitsFor ?? ''
  const { terminalSn, sessionId } = waiting
  switch (waiting.for) {
    case 'person':
      return atScreen(sandbox, terminalSn ?? '', what)
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

async function atScreen(sandbox: SandboxAddress, serial: string, what: string) {
  const view = await control(sandbox, 'screen', undefined, { names: { sn: serial } })
  const [first] = view.acts.some((act) => act !== 'cancel') ? nextCommands(cleaned(view)) : []
  return first && { what, page: `${sandbox.baseUrl}${terminalPath(serial)}`, act: first[0] }
}

/** The command that advances the sandbox clock by the host's whole delay: the command stays the same. */
function advanceBy(timeline: Story['timeline'], until: number | null): string | undefined {
  const hostRequest = timeline.findLast(({ what }) => what === 'host-asked')
  if (until === null || hostRequest === undefined) return undefined
  return `tillbox sandbox clock --advance ${Math.max(Math.ceil((until - hostRequest.at) / 1000), 1)}s`
}
