#!/bin/bash
# The tools of view/: tools/view.sh install | check | test | build | is-current
# Needs npm; the Node that runs the rest comes from npm too, as systems often have an old one.
set -euo pipefail

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
cd "$root/view"

install() {
  local stamp=node_modules/.installed
  cmp -s package-lock.json "$stamp" && return
  command -v npm >/dev/null || { echo "npm is missing; on Debian: apt-get install npm" >&2; return 1; }
  # Nothing of what is installed may run on its own. Not `npm ci`: that wants the packages of all
  # other systems in the lock file, which not every registry has.
  npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error
  cp package-lock.json "$stamp"
}

use_own_node() {
  local machine=x64
  [[ $(uname -m) == aarch64 ]] && machine=arm64
  PATH=$PWD/node_modules/node-linux-$machine/bin:$PWD/node_modules/.bin:$PATH
}

check() { tsc --noEmit && eslint . && prettier --check --log-level warn .; }

build() { vite build --logLevel warn && node tools/pack.js; }

# Compares what is inside, as another zlib may compress it to other bytes.
is_current() {
  committed=$(mktemp)
  trap 'rm -f "$committed"' EXIT
  gzip -dc bundle/view.html.gz >"$committed"
  build
  gzip -dc bundle/view.html.gz | cmp -s - "$committed" && return
  echo "view/bundle/view.html.gz is older than the sources; commit the one that was built now." >&2
  return 1
}

case ${1:-} in
  install) install ;;
  check | test | build | is-current)
    install
    use_own_node
    case $1 in
      check) check ;;
      test) vitest run ;;
      build) build ;;
      is-current) is_current ;;
    esac
    ;;
  *)
    echo "usage: tools/view.sh install | check | test | build | is-current" >&2
    exit 2
    ;;
esac
