import type { Command, Interfaces } from '@oclif/core'

/** An argument or a flag of a command. */
interface HelpMember {
  readonly name: string
  readonly description: string
  readonly required: boolean
  /** The words that it may have. */
  readonly options?: readonly string[]
}

/** A command as its help shows it. */
interface CommandHelpDocument {
  readonly command: string
  readonly summary: string
  readonly description: string
  readonly args: readonly HelpMember[]
  readonly flags: readonly HelpMember[]
  readonly examples: readonly string[]
}

/** Every command with its summary. */
interface CommandListDocument {
  readonly commands: readonly { readonly command: string; readonly summary: string }[]
}

/** The help as a document: of the command that is named, or the commands of a topic, or all; undefined for another word. */
export function helpDocument(
  config: Interfaces.Config,
  words: readonly string[],
): CommandHelpDocument | CommandListDocument | undefined {
  const id = words.filter((word) => !word.startsWith('-')).join(':')
  const command = id === '' ? undefined : config.findCommand(id)
  if (command !== undefined) return documentOf(command)
  const listed = config.commands.filter((each) => !each.hidden && (id === '' || each.id.startsWith(`${id}:`)))
  if (listed.length === 0) return undefined
  return { commands: listed.map((each) => ({ command: typed(each.id), summary: each.summary ?? '' })) }
}

const documentOf = ({ id, summary = '', description = '', args, flags, examples }: Command.Loadable) => ({
  command: typed(id),
  summary,
  description,
  args: membersOf(args),
  flags: membersOf(flags),
  examples: (examples ?? []).map((example) =>
    (typeof example === 'string' ? example : example.command).replaceAll('<%= config.bin %>', 'tillbox'),
  ),
})

const membersOf = (members: Command.Loadable['args'] | Command.Loadable['flags']): HelpMember[] =>
  Object.values(members)
    .filter(({ hidden }) => hidden !== true)
    .map(({ name, description = '', required = false, options }) => ({
      name,
      description,
      required,
      ...(options && { options }),
    }))

const typed = (id: string): string => id.replaceAll(':', ' ')
