import { shellQuote } from '../../text/shell-quote.ts'
import type { CommandTree, CompletedCommand } from './command-tree.ts'
import type { ValueSource } from './value-source.ts'

/** The completion script for bash 3.2 and later: tables of this version, and what reads them. */
export const bashScript = (tree: CommandTree): string =>
  [
    `# tillbox ${tree.version}: completion for bash. tillbox completion --help says how to load it.`,
    wordTable(
      '_tillbox_next',
      'Commands and topics that can follow what was typed.',
      [...tree.topics].map(([topic, next]) => [topic, next.map(({ word }) => word)]),
    ),
    wordTable(
      '_tillbox_flags',
      'Flags of a command.',
      tree.commands.map(({ name, flags }) => [name, flags.flatMap(({ names }) => names)]),
    ),
    flagTable(tree.commands),
    argumentTable(tree.commands),
    namesTable(tree),
    reader,
  ].join('\n')

/** A function that sets `result` to the words of its argument. */
function wordTable(
  name: string,
  what: string,
  rows: readonly (readonly [key: string, words: readonly string[]])[],
): string {
  const cases = rows.map(([key, words]) => `    ${quoted(key)}) result='${words.join(' ')}' ;;`)
  return table(name, what, '$1', cases)
}

const table = (name: string, what: string, subject: string, cases: readonly string[]): string =>
  [`# ${what}`, `${name}() {`, "  result=''", `  case "${subject}" in`, ...cases, '  esac', '}', ''].join(
    '\n',
  )

const quoted = (text: string): string => (text === '' ? "''" : shellQuote(text))

/** The kind of a value, in one word for the reader below. */
function sourceText(source: ValueSource): string {
  if (source.from === 'words') return `words ${source.words.join(' ')}`
  return source.from === 'names' ? `names ${source.kind}` : source.from
}

/** Flags with a value: one line where all commands agree on it. */
function flagTable(commands: readonly CompletedCommand[]): string {
  const all = commands.flatMap(({ name, flags }) =>
    flags.flatMap(({ names, value }) =>
      names.map((flag) => ({ flag, command: name, text: value === undefined ? '' : sourceText(value) })),
    ),
  )
  const cases = [...new Set(all.map(({ flag }) => flag))].flatMap((flag) => {
    const rows = all.filter((row) => row.flag === flag)
    const texts = new Set(rows.map(({ text }) => text))
    if (texts.size === 1) return rows[0]?.text ? [`    *' ${flag}') result=${quoted(rows[0].text)} ;;`] : []
    return rows
      .filter(({ text }) => text !== '')
      .map(({ command, text }) => `    ${quoted(`${command} ${flag}`)}) result=${quoted(text)} ;;`)
  })
  return table(
    '_tillbox_value',
    'What the value of a flag of a command is; empty without one.',
    '$1 $2',
    cases,
  )
}

const argumentTable = (commands: readonly CompletedCommand[]): string =>
  table(
    '_tillbox_argument',
    'What an argument of a command is, by its place.',
    '$1 $2',
    commands.flatMap(({ name, args }) =>
      args.map(
        ({ value }, index) => `    ${quoted(`${name} ${index + 1}`)}) result=${quoted(sourceText(value))} ;;`,
      ),
    ),
  )

/** Every topic and command. */
function namesTable({ topics, commands }: CommandTree): string {
  const names = [...new Set([...[...topics.keys()].filter(Boolean), ...commands.map(({ name }) => name)])]
  return [
    '# True for the words of a topic or a command.',
    '_tillbox_is_known() {',
    '  case "$1" in',
    `    ${names.map(quoted).join(' | ')}) return 0 ;;`,
    '  esac',
    '  return 1',
    '}',
    '',
  ].join('\n')
}

const reader = `# Proposes values of a kind that begin as what was typed.
_tillbox_propose() {
  local line
  case "$1" in
    words\\ *) COMPREPLY+=($(compgen -W "\${1#words }" -- "$2")) ;;
    names\\ *)
      compopt -o nosort 2>/dev/null
      while IFS= read -r line; do
        line=\${line%%$'\\t'*}
        [[ $line == "$2"* ]] && COMPREPLY+=("$line")
      done < <("\${words[0]}" __complete "\${1#names }" -- "\${words[@]:1}" 2>/dev/null)
      ;;
    files | folders)
      compopt -o filenames 2>/dev/null
      local kind=-f
      [[ $1 == folders ]] && kind=-d
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$kind" -- "$2")
      ;;
  esac
}

_tillbox() {
  local IFS=$' \\t\\n' result='' command='' flag='' ended='' glued='' word next i
  local -a words
  words=()
  COMPREPLY=()
  # bash splits words at : and =, which belong to them.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ \${#words[@]} -gt 0 && (-n $glued || $word =~ ^[:=]+$) ]]; then
      words[\${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    glued=''
    [[ $word =~ ^[:=]+$ ]] && glued=1
  done
  local last=$((\${#words[@]} - 1)) at=1 position=1
  local current=\${words[last]}
  while ((at < last)); do
    next="\${command:+$command }\${words[at]}"
    _tillbox_is_known "$next" || break
    command=$next
    ((at += 1))
  done
  for (( ; at < last; at++)); do
    word=\${words[at]}
    flag=''
    if [[ -n $ended || $word != -* ]]; then
      ((position += 1))
    elif [[ $word == -- ]]; then
      ended=1
    elif [[ $word != *=* ]]; then
      _tillbox_value "$command" "$word"
      if [[ -n $result ]]; then
        flag=$word
        ((at += 1))
      fi
    fi
  done
  if ((at == last)); then flag=''; fi # its value stands before the current word
  if [[ -n $flag ]]; then
    _tillbox_value "$command" "$flag"
    _tillbox_propose "$result" "$current"
  elif [[ -z $ended && $current == --*=* ]]; then
    _tillbox_value "$command" "\${current%%=*}"
    _tillbox_propose "$result" "\${current#*=}"
    # Where bash does not split at =, the whole word is replaced.
    if [[ $COMP_WORDBREAKS != *=* ]]; then
      for ((i = 0; i < \${#COMPREPLY[@]}; i++)); do COMPREPLY[i]="\${current%%=*}=\${COMPREPLY[i]}"; done
    fi
  elif [[ -z $ended && $current == -* ]]; then
    _tillbox_flags "$command"
    _tillbox_propose "words $result" "$current"
  else
    if ((position == 1)); then
      _tillbox_next "$command"
      _tillbox_propose "words $result" "$current"
    fi
    _tillbox_argument "$command" "$position"
    _tillbox_propose "$result" "$current"
  fi
  return 0
}

complete -F _tillbox tillbox
`
