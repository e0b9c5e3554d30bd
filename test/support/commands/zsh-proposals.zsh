# For each line that it reads, up to its last character, prints what zsh proposes, a word a line, then ANSWERED.
# Arguments: the completion script, and where zsh keeps the list of its own completions.
zmodload zsh/zpty
setup=$(mktemp)
cat > $setup <<'SETUP'
PROMPT= PS2= LISTMAX=10000
stty -echo
autoload -Uz compinit
compinit -u -d $2
source $1
zstyle ':completion:*' insert-tab false
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  local -a hits
  builtin compadd -A hits "$@"
  (( $#hits )) && print -rl -- WORD:${^hits}
  builtin compadd "$@"
}
finish() { print -r -- COMPLETED; comppostfuncs=(finish) } # zsh forgets it each time
comppostfuncs=(finish)
print READY
SETUP
zpty inner 'zsh -f -i'
zpty -w inner "set -- ${(q)1} ${(q)2}; source $setup"
local said
while zpty -r inner said; do [[ $said == READY* ]] && break; done
rm -f $setup
while IFS= read -r line; do
  zpty -w -n inner "${line%?}"$'\t'
  while zpty -r inner said; do
    said=${${said%$'\n'}%$'\r'}
    [[ $said == *COMPLETED ]] && break
    [[ $said == *WORD:* ]] && print -r -- ${said##*WORD:}
  done
  zpty -w -n inner $'\C-u' # the line goes, with what was completed
  print ANSWERED
done
zpty -d inner
