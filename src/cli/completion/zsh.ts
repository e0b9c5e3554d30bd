import type { CommandTree, CompletedCommand, CompletedFlag } from './command-tree.ts'
import type { ValueSource } from './value-source.ts'

/** The completion script for zsh: a list of specifications for `_arguments` of each command. */
export const zshScript = (tree: CommandTree): string =>
  [
    '#compdef tillbox',
    `# tillbox ${tree.version}: completion for zsh. tillbox completion --help says how to load it.`,
    values,
    '# What may follow the words of a topic.',
    '_tillbox_next() {',
    '  local -a next',
    '  case $1 in',
    ...[...tree.topics].map(
      ([topic, next]) =>
        `    ${quoted(topic)}) next=(${next.map(({ word, summary }) => quoted(described(word, summary))).join(' ')}) ;;`,
    ),
    '    *) return 1 ;;',
    '  esac',
    "  _describe -t commands 'tillbox command' next",
    '}',
    '',
    '# Flags and arguments of a command.',
    '_tillbox_command() {',
    '  case $1 in',
    ...tree.commands.map(commandCase),
    '    *) return 1 ;;',
    '  esac',
    '}',
    '',
    reader([...new Set([...tree.topics.keys(), ...tree.commands.map(({ name }) => name)])].filter(Boolean)),
  ].join('\n')

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** `word:summary`, as `_describe` reads it. */
const described = (word: string, summary: string): string => `${word.replaceAll(':', '\\:')}:${summary}`

function commandCase({ name, flags, args }: CompletedCommand): string {
  const specs = [
    ...flags.flatMap(flagSpecs),
    ...args.map(({ name: what, value }, index) => `${index + 1}::${message(what)}:${action(value)}`),
  ]
  return `    ${quoted(name)}) _arguments -s -S ${specs.map(quoted).join(' ')} ;;`
}

/** A specification for each name; one excludes the other unless the flag can be repeated. */
const flagSpecs = ({ names, summary, multiple, value }: CompletedFlag): string[] =>
  names.map((name) => {
    const excluded = multiple ? '*' : names.length > 1 ? `(${names.join(' ')})` : ''
    const what = `[${summary.replace(/[[\]\\]/g, '\\$&')}]`
    if (value === undefined) return `${excluded}${name}${what}`
    return `${excluded}${name}${name.startsWith('--') ? '=' : '+'}${what}:${message(name)}:${action(value)}`
  })

const message = (name: string): string => name.replace(/^-+/, '').replaceAll('-', ' ')

function action(source: ValueSource): string {
  switch (source.from) {
    case 'words':
      return `(${source.words.map((word) => word.replace(/[\s:()\\]/g, '\\$&')).join(' ')})`
    case 'names':
      return ` _tillbox_values ${source.kind}` // with a space in front nothing is added to its arguments
    case 'files':
      return '_files'
    case 'folders':
      return '_files -/'
    case 'text':
      return ' '
  }
}

const values = `
# Values that the running sandbox or the settings of this user list, in their order.
_tillbox_values() {
  local -a lines shown
  local line
  lines=("\${(@f)$(_call_program names \${(q)program} __complete $1 -- \${(q)typed} 2>/dev/null)}")
  for line in $lines; do
    shown+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  (( $#shown )) && _describe -V -t $1 "$1" shown
}
`

const reader = (names: readonly string[]): string => `_tillbox() {
  local curcontext=$curcontext command='' next program=$words[1]
  local -a typed known
  typed=("\${(@)words[2,-1]}")
  known=(${names.map(quoted).join(' ')})
  while (( CURRENT > 2 )); do
    next="\${command:+$command }$words[2]"
    (( \${known[(Ie)$next]} )) || break
    command=$next
    shift words
    (( CURRENT -= 1 ))
  done
  local found=1
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then _tillbox_next "$command" && found=0; fi
  _tillbox_command "$command" && found=0
  return found
}

if [[ $funcstack[1] == _tillbox ]]; then
  _tillbox "$@"
else
  compdef _tillbox tillbox
fi
`
