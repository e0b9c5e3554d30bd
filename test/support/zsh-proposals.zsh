# Prints what zsh proposes for a line, a word a line. Arguments: the completion script, the line, and
# where zsh keeps the list of its own completions.
zmodload zsh/zpty
setup=$(mktemp)
cat > $setup <<'SETUP'
PROMPT= PS2=
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
finish() { print -r -- COMPLETED }
comppostfuncs=(finish)
print READY
SETUP
zpty inner 'zsh -f -i'
zpty -w inner "set -- ${(q)1} ${(q)3}; source $setup"
local said
while zpty -r inner said; do [[ $said == READY* ]] && break; done
zpty -w -n inner "$2"$'\t'
while zpty -r inner said; do
  said=${${said%$'\n'}%$'\r'}
  [[ $said == *COMPLETED ]] && break
  [[ $said == *WORD:* ]] && print -r -- ${said##*WORD:}
done
zpty -d inner
rm -f $setup
