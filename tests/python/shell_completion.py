"""What real shells offer after a line that was begun."""

import subprocess
from pathlib import Path

# As readline calls the function: it cuts words at '=', too.
BASH = """
source "$1"
complete -p pyrometer >/dev/null || exit 1
COMP_LINE=$2
read -ra COMP_WORDS <<<"${2//=/ = }"
[[ $2 == *[\\ =] ]] && COMP_WORDS+=("")
[[ $2 == *= ]] && unset 'COMP_WORDS[-1]'
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_pyrometer pyrometer "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
# An interactive shell behind a terminal, in which Tab is pressed; instead of listing matches it
# prints them between two lines.
ZSH = """
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "script=${(q)1}"
zpty -w shell '
PS1= PS2= RPS1=
stty -echo
autoload -Uz compinit && compinit -u -D
source $script
bindkey "^I" complete-word
zstyle ":completion:*" insert-tab false
zstyle ":completion:*" list-separator ""
mark() { print -r -- "====" }
compprefuncs=(mark)
comppostfuncs=(mark exit)
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  typeset -a hits
  builtin compadd -A hits "$@"
  [[ -n $hits ]] && print -rl -- "${hits[@]}"
}
print -r -- rea""dy'
zpty -r shell line '*ready*'
zpty -n -w shell "$2"$'\\t'
local -i marks=0
while zpty -r shell line; do
  line=${line%%[[:space:]]#}
  if [[ $line == *====* ]]; then ((++marks == 2)) && break
  elif ((marks == 1)); then print -r -- ${line//$'\\r'/}; fi
done
zpty -d shell
"""
FISH = "source $argv[1]; complete -C $argv[2]"


def offered(shell: str, script: Path, line: str, folder: Path) -> list[str]:
    """The words that Tab would offer behind the line."""
    command = {
        "bash": ["bash", "--norc", "-c", BASH, "-"],
        "zsh": ["zsh", "-f", "-o", "extendedglob", "-c", ZSH, "-"],
        "fish": ["fish", "--no-config", "-c", FISH],
    }[shell]
    done = subprocess.run(
        [*command, script, line],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    assert (done.returncode, done.stderr) == (0, "")
    begun = line.split(" ")[-1].rpartition("=")
    return [
        word.split("\t")[0].removeprefix("".join(begun[:2])).replace("\\", "").rstrip("/")
        for word in done.stdout.splitlines()
        if word
    ]
