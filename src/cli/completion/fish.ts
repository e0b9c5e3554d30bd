import type { CommandTree, CompletedCommand, CompletedFlag } from './command-tree.ts'
import type { ValueSource } from './value-source.ts'

/** The completion script for fish 3.1 and later: a `complete` for every command, flag and argument. */
export const fishScript = (tree: CommandTree): string =>
  [
    `# tillbox ${tree.version}: completion for fish. tillbox completion --help says how to load it.`,
    functions,
    'complete -c tillbox -f',
    ...[...tree.topics].flatMap(([topic, next]) =>
      next.map(({ word, summary }) =>
        line(`__tillbox_topic ${quoted(topic)}`, `-a ${quoted(word)} -d ${quoted(summary)}`),
      ),
    ),
    ...tree.commands.flatMap((command) => [...flagLines(command), ...argumentLines(command)]),
    '',
  ].join('\n')

const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`

const line = (condition: string, what: string): string =>
  `complete -c tillbox -n ${quoted(condition)} ${what}`

const flagLines = ({ name, flags }: CompletedCommand): string[] =>
  flags.map(({ names, summary, value }) =>
    line(
      `__tillbox_command ${quoted(name)}`,
      [
        ...names.map((each) => (each.startsWith('--') ? `-l ${each.slice(2)}` : `-s ${each.slice(1)}`)),
        ...(value === undefined ? [] : [`-r ${action(value)}`]),
        `-d ${quoted(summary)}`,
      ].join(' '),
    ),
  )

function argumentLines({ name, flags, args }: CompletedCommand): string[] {
  const withValue = flags.flatMap((flag: CompletedFlag) => (flag.value === undefined ? [] : flag.names))
  return args.flatMap(({ value }, index) =>
    value.from === 'text'
      ? []
      : [
          line(
            `__tillbox_argument ${quoted(name)} ${index + 1} ${quoted(withValue.join(' '))}`,
            action(value),
          ),
        ],
  )
}

function action(source: ValueSource): string {
  switch (source.from) {
    case 'words':
      return `-f -a ${quoted(source.words.join(' '))}`
    case 'names':
      return `-f -k -a '(__tillbox_values ${source.kind})'`
    case 'files':
      return '-F'
    case 'folders':
      return "-f -a '(__fish_complete_directories (commandline -ct))'"
    case 'text':
      return '-f'
  }
}

const functions = `
function __tillbox_topic -a topic -d 'True right after the words of a topic'
    set -l typed (commandline -opc)
    test "$typed[2..-1]" = "$topic"
end

function __tillbox_command -a command -d 'True after the words of a command'
    set -l typed (commandline -opc)
    string match -q -- "$command *" "$typed[2..-1] "
end

function __tillbox_argument -a command place valued -d 'True at an argument of a command, by its place'
    __tillbox_command $command; or return 1
    set -l typed (commandline -opc)
    set -l words (string split ' ' -- $command)
    set -l skip no
    for word in $typed[(math 2 + (count $words))..-1]
        if test $skip = yes
            set skip no
        else if string match -q -- '-*' $word
            contains -- $word (string split ' ' -- $valued); and set skip yes
        else
            set place (math $place - 1)
        end
    end
    test $skip = no -a $place = 1
end

function __tillbox_values -a kind -d 'Values that the running sandbox or the settings of this user list'
    set -l typed (commandline -opc)
    command $typed[1] __complete $kind -- $typed[2..-1] 2>/dev/null
end
`
