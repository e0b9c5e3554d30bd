import type { Command, Interfaces } from '@oclif/core'
import { sessionChanges, sessionStates, statusRows } from '../../contract/statuses.ts'
import type { HelpDocument, HelpMember } from '../answer-shapes.ts'
import { exitMeanings } from '../errors/exit-codes.ts'

/** What a command ends with. */
export const exitCodeRows = (): [string, string][] =>
  Object.entries(exitMeanings).map(([code, meaning]) => [code, meaning])

/** Columns of the statuses. */
export const statusHelpHead = ['status', 'letter', 'word', 'may become', 'what leads there']

/** Statuses of a transaction: name, letter, word, what it may become, and what leads there, which is the longest. */
export const statusHelpRows = (): string[][] =>
  statusRows().map(({ status, letter, word, after, next }) => [
    status,
    letter,
    word,
    next.join(', ') || 'final',
    after.join('; '),
  ])

/** States of a hosted payment page: what each may become, and what leads there. */
export const sessionStateRows = () =>
  sessionStates.map((state) => ({
    state,
    after: sessionChanges.filter(({ to }) => to === state).map(({ why }) => why),
    next: sessionChanges.filter(({ from }) => from === state).map(({ to }) => to),
  }))

/** Columns of the states of a hosted payment page. */
export const sessionHelpHead = ['checkout session', 'may become', 'what leads there']

/** States of a hosted payment page as rows of a table. */
export const sessionHelpRows = (): string[][] =>
  sessionStateRows().map(({ state, after, next }) => [state, next.join(', ') || 'final', after.join('; ')])
/** What holds for every answer with --json, and where each is described. */
export const jsonRows = (): [string, string][] => [
  ['documents', 'One object. A list is under its plural name.'],
  ['times', 'ISO 8601 with an offset; createTime and completeTime are the merchant’s time.'],
  ['durations', 'Their names end in Ms: whole milliseconds.'],
  ['amounts', 'Whole minor units, beside their currency.'],
  ['errors', 'One object, error, with exitCode, message, field and remedy.'],
  ['schema', 'fixtures/answers.schema.json of the package lists the members of each answer.'],
]

/** Flags that most commands share, each once: where the service is, then how answers are shown. */
export function sharedFlagRows(commands: readonly Command.Loadable[]): [string, string][] {
  const rows = new Map<string, [string, string]>()
  for (const group of ['CONNECTION', 'GLOBAL'])
    for (const { flags } of commands)
      for (const { name, description = '', helpGroup, hidden } of Object.values(flags))
        if (helpGroup === group && hidden !== true && !rows.has(name))
          rows.set(name, [`--${name}`, description])
  return [...rows.values()]
}

/** The help as a document: of the command that is named, or the commands of a topic, or all; undefined for another word. */
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
