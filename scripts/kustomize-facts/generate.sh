#!/usr/bin/env bash
# Writes packages/core/src/render/kustomize/facts/built-in.ts: what the kustomize modules that go.mod names know of
# Kubernetes. With --check it writes nothing and fails when the file is not what it would write. Needs Go 1.26.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$here/../../packages/core/src/render/kustomize/facts/built-in.ts
cd "$here"
table=$(go run -mod=readonly .)
case $table in *'`'* | *'${'*) echo 'the table does not fit into a template' >&2; exit 1 ;; esac
made=$(
  echo '// Made by scripts/kustomize-facts/generate.sh; not edited by hand. table.ts explains the format.'
  echo 'export const builtInTable: string = String.raw`'
  printf '%s\n`\n' "$table"
)
if [ "${1:-}" = --check ]; then
  diff -u "$out" - <<<"$made" || { echo 'scripts/kustomize-facts/generate.sh writes another table' >&2; exit 1; }
  echo 'the facts of kustomize are what its modules say'
else
  printf '%s\n' "$made" > "$out"
fi
