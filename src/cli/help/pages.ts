import type { Command, Interfaces } from '@oclif/core'
import { sessionChanges, sessionStates, statusRows } from '../../contract/statuses.ts'
import type { HelpDocument, HelpMember } from '../answer-shapes.ts'
import { exitMeanings } from '../errors/exit-codes.ts'

/** Lists about no command, by the word that `tillbox help` takes; each member of its document is a list. */
export const helpPages: Readonly<
  Record<string, (commands: readonly Command.Loadable[]) => Readonly<Record<string, readonly object[]>>>
> = {
  'exit-codes': () => ({
    codes: Object.entries(exitMeanings).map(([code, meaning]) => ({ code: Number(code), meaning })),
  }),
  flags: (commands) => ({ flags: sharedFlags(commands) }),
  statuses: () => ({ statuses: statusRows(), sessions: sessionRows() }),
}

/** States of a hosted payment page. */
const sessionRows = () =>
  sessionStates.map((state) => ({
    state,
    after: sessionChanges.filter(({ to }) => to === state).map(({ why }) => why),
    next: sessionChanges.filter(({ from }) => from === state).map(({ to }) => to),
  }))

/** What a record has where it is of a status or a state. */
interface Changing {
  readonly state?: string
  readonly after?: readonly string[]
  readonly next?: readonly string[]
}

/** The records of a list as columns; what leads to a status is the longest, and comes last. */
export function pageTable(records: readonly object[]): readonly [head: string[], rows: string[][]] {
  const rows = records.map((record) => {
    const { state, after, next = [], ...others } = record as Changing
    if (after === undefined) return others
    return {
      ...(state !== undefined && { 'checkout session': state }),
      ...others,
      'may become': next.join(', ') || 'final',
      'what leads there': after.join('; '),
    }
  })
  return [Object.keys(rows[0] ?? {}), rows.map((row) => Object.values(row).map(String))]
}

/** Flags that most commands share, as each is found first: where the service is, how answers are shown. */
function sharedFlags(commands: readonly Command.Loadable[]) {
  const all = commands.flatMap(({ flags }) => Object.values(flags)).filter(({ hidden }) => hidden !== true)
  const shared = ['CONNECTION', 'GLOBAL'].flatMap((group) =>
    all.filter(({ helpGroup }) => helpGroup === group),
  )
  return shared
    .filter(({ name }, index) => shared.findIndex((other) => other.name === name) === index)
    .map(({ name, description = '' }) => ({ flag: `--${name}`, meaning: description }))
}

/** The help as a document: of the named command, of a topic's commands, or all; undefined for others. */
export function helpDocument(config: Interfaces.Config, words: readonly string[]): HelpDocument | undefined {
  const id = words.filter((word) => !word.startsWith('-')).join(':')
  const command = id === '' ? undefined : config.findCommand(id)
  if (command !== undefined) return commandHelp(command)
  const listed = config.commands.filter((each) => !each.hidden && (id === '' || each.id.startsWith(`${id}:`)))
  if (listed.length === 0) return undefined
  return { commands: listed.map((each) => ({ command: typed(each.id), summary: each.summary ?? '' })) }
}

const commandHelp = ({ id, summary = '', description = '', args, flags, examples }: Command.Loadable) => ({
  command: typed(id),
  summary,
  description,
  args: visibleMembers(args),
  flags: visibleMembers(flags),
  examples: examplesOf({ examples }),
})

/** The examples of a command. */
export const examplesOf = ({ examples = [] }: Pick<Command.Loadable, 'examples'>): string[] =>
  examples.map((example) => (typeof example === 'string' ? example : example.command))

const visibleMembers = (members: Command.Loadable['args'] | Command.Loadable['flags']): HelpMember[] =>
  Object.values(members)
    .filter(({ hidden }) => hidden !== true)
    .map(({ name, description = '', required = false, options }) => ({
      name,
      description,
      required,
      ...(options && { options }),
    }))

const typed = (id: string): string => id.replaceAll(':', ' ')
