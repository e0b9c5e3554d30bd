import type { Command, Interfaces } from '@oclif/core'
import { sessionChanges, sessionStates, statusRows } from '../../contract/statuses.ts'
import type { HelpDocument, HelpMember } from '../answer-shapes.ts'
import { exitMeanings } from '../errors/exit-codes.ts'

/** A page about no command: its document with --json, and its tables. */
interface HelpPage {
  readonly document: object
  readonly tables: readonly (readonly [head: readonly string[], rows: readonly (readonly string[])[]])[]
}

/** Such pages, by the word that `tillbox help` takes. */
export const helpPages: Readonly<Record<string, (commands: readonly Command.Loadable[]) => HelpPage>> = {
  'exit-codes': () => {
    const codes = Object.entries(exitMeanings).map(([code, meaning]) => ({ code: Number(code), meaning }))
    return { document: { codes }, tables: [tableOf(codes)] }
  },
  statuses: statusPage,
  flags: (commands) => {
    const flags = sharedFlags(commands)
    return { document: { flags }, tables: [tableOf(flags)] }
  },
  json: () => ({ document: { rules: jsonRules }, tables: [tableOf(jsonRules)] }),
}

/** The members of records as columns. */
const tableOf = (records: readonly object[]) =>
  [Object.keys(records[0] ?? {}), records.map((record) => Object.values(record).map(String))] as const

/** Statuses of a transaction, and states of a hosted payment page; what leads to each is the longest, and comes last. */
function statusPage(): HelpPage {
  const statuses = statusRows()
  const sessions = sessionStates.map((state) => ({
    state,
    after: sessionChanges.filter(({ to }) => to === state).map(({ why }) => why),
    next: sessionChanges.filter(({ from }) => from === state).map(({ to }) => to),
  }))
  const changes = ({ after, next }: (typeof statuses | typeof sessions)[number]) => [
    next.join(', ') || 'final',
    after.join('; '),
  ]
  const changesHead = ['may become', 'what leads there']
  return {
    document: { statuses, sessions },
    tables: [
      [
        ['status', 'letter', 'word', ...changesHead],
        statuses.map((row) => [row.status, row.letter, row.word, ...changes(row)]),
      ],
      [['checkout session', ...changesHead], sessions.map((row) => [row.state, ...changes(row)])],
    ],
  }
}

/** What holds for every answer with --json, and where each is described. */
const jsonRules = [
  { about: 'documents', rule: 'One object. A list is under its plural name.' },
  {
    about: 'times',
    rule: 'ISO 8601 with an offset; createTime and completeTime are the merchant’s time.',
  },
  { about: 'durations', rule: 'Their names end in Ms: whole milliseconds.' },
  { about: 'amounts', rule: 'Whole minor units, beside their currency.' },
  { about: 'errors', rule: 'One object, error, with exitCode, message, field and remedy.' },
  { about: 'schema', rule: 'fixtures/answers.schema.json of the package lists the members of each answer.' },
]

/** Flags that most commands share, each as it is found first: where the service is, then how answers are shown. */
function sharedFlags(commands: readonly Command.Loadable[]) {
  const all = commands.flatMap(({ flags }) => Object.values(flags)).filter(({ hidden }) => hidden !== true)
  const shared = ['CONNECTION', 'GLOBAL'].flatMap((group) =>
    all.filter(({ helpGroup }) => helpGroup === group),
  )
  return shared
    .filter(({ name }, index) => shared.findIndex((other) => other.name === name) === index)
    .map(({ name, description = '' }) => ({ flag: `--${name}`, meaning: description }))
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
