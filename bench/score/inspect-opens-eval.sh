#!/usr/bin/env bash
# Opens an Inspect log that `pab` wrote with Inspect's own Python package, in a throw-away environment.
# Usage: bench/score/inspect-opens-eval.sh [FILE.eval]   (without a file, one is made from a simulated run)
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [[ $# -gt 0 ]]; then
  log=$1
else
  log=$work/pab.eval
  (cd "$root/bench" && node --conditions=@pab/source --import tsx ../packages/cli/src/bin.ts \
    run --target naive --trials 2 --limit 20 --quiet --eval "$log" >"$work/run.txt") || [[ $? -eq 1 ]]
fi
python3 -m venv "$work/venv"
if ! "$work/venv/bin/pip" --quiet install inspect-ai; then
  echo "inspect-ai could not be installed from the package index; the check was not made" >&2
  exit 2
fi
"$work/venv/bin/python" "$root/bench/score/inspect_opens_eval.py" "$log"
