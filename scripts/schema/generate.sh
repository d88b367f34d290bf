#!/usr/bin/env bash
# Writes packages/core/src/kube/schema/built-in.ts: the fields of the built-in kinds of the Kubernetes release that
# go.mod names. Needs Go 1.26.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$here/../../packages/core/src/kube/schema/built-in.ts
cd "$here"
table=$(go run -mod=readonly .)
{
  echo "// Made by scripts/schema from k8s.io/client-go v0.36.1; not edited by hand. decode.ts explains the format."
  echo 'export const builtInTable: string = `'
  printf '%s\n' "$table"
  echo '`'
} > "$out"
