/**
 * Scripts that load completion into a shell. They know no command: at each Tab they run `tillbox __complete` with the words
 * of the line. It prints a proposal a line, with a tab before its description; or `:files` or `:folders`, for what the shell
 * itself completes.
 */
export const scripts = {
  /** bash 3.2 and later, which splits words at : and =. */
  bash: `_tillbox() {
  local IFS=$' \\t\\n' glued='' word line kept i
  local -a words
  words=()
  COMPREPLY=()
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
  local current=\${words[\${#words[@]} - 1]}
  # Only what follows the last : or = is replaced.
  kept=''
  [[ $COMP_WORDBREAKS == *=* && $current == --*=* ]] && kept=\${current%%=*}=
  compopt -o nosort 2>/dev/null
  while IFS= read -r line; do
    case "$line" in
      :files | :folders)
        compopt -o filenames 2>/dev/null
        local kind=-f
        [[ $line == :folders ]] && kind=-d
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$kind" -- "\${current#--*=}")
        ;;
      *) line=\${line%%$'\\t'*} && COMPREPLY+=("\${line#"$kept"}") ;;
    esac
  done < <("\${words[0]}" __complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -F _tillbox tillbox
`,
  zsh: `#compdef tillbox
_tillbox() {
  local -a lines shown
  local line
  lines=("\${(@f)$("\${(Q)words[1]}" __complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do
    case $line in
      :files) compset -P '--*='; _files; return ;;
      :folders) compset -P '--*='; _files -/; return ;;
      *) shown+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  (( $#shown )) && _describe -V -t values tillbox shown
}
if [[ $funcstack[1] == _tillbox ]]; then
  _tillbox "$@"
else
  compdef _tillbox tillbox
fi
`,
  fish: `function __tillbox_complete -d 'What can follow the words of the line'
    set -l typed (commandline -opc) (commandline -ct)
    for line in (command $typed[1] __complete -- $typed[2..-1] 2>/dev/null)
        set -l value (string replace -r '^--[^=]*=' '' -- $typed[-1])
        set -l prefix (string match -r '^--[^=]*=' -- $typed[-1])
        switch $line
            case :files
                printf '%s\\n' "$prefix"(__fish_complete_path $value)
            case :folders
                printf '%s\\n' "$prefix"(__fish_complete_directories $value)
            case '*'
                echo $line
        end
    end
end
complete -c tillbox -f -k -a '(__tillbox_complete)'
`,
} as const
