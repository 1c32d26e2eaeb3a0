#!/bin/bash
# Builds the documentation as a site: tools/site.sh [OPTION of `mkdocs build`...]
# Open build/site/index.html; nothing in it needs a server but the search. Broken links fail.
set -euo pipefail

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
cd "$root"
if ! .venv/bin/python -c 'import mkdocs' 2>/dev/null; then
  echo "site: MkDocs is missing; ./test --fast installs it into .venv." >&2
  exit 1
fi
# Not --quiet: that would not even count the warnings.
output=$(.venv/bin/python -m mkdocs build --strict "$@" 2>&1) || { echo "$output" >&2; exit 1; }
