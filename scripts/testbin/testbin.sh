#!/usr/bin/env bash
# Builds the real programs that tests compare with or run against, each only when it is nowhere to be found.
#
#   testbin.sh [PROGRAM...]     all of the file `versions` when none is named
#
# Looked for in KUBEBUILDER_ASSETS (the Kubernetes programs), then in the cache
# ${XDG_CACHE_HOME:-$HOME/.cache}/litecd-testbin/<folder of `versions`>, which is also where they are built. Needs Go 1.26.
# PATH is not searched here: a program found there may be of any version, which is good enough to run tests but not to pin them.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/litecd-testbin
export CGO_ENABLED=0

folder_of() { awk -v name="$1" '$1 == name { print $2 }' "$here/versions"; }
all() { awk '!/^#/ && NF == 2 { print $1 }' "$here/versions"; }

# from_module MODULE PACKAGE OUT LDFLAGS: built with exactly what the go.mod and go.sum beside this script say.
from_module() { (cd "$here/$1" && go build -mod=readonly -ldflags "$4" -o "$3" "$2"); }

# from_registry PACKAGE@VERSION OUT: built with what the program's own go.mod says.
from_registry() {
  local bin
  bin=$(mktemp -d)
  GOBIN=$bin go install -ldflags '-s -w' "$1"
  mv "$bin"/* "$2"
  rmdir "$bin"
}

# Kubernetes reports this version on /version; without it every client that asks is told v0.0.0.
stamp() {
  local flags='-s -w' package
  for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
    flags+=" -X $package.gitVersion=v$1 -X $package.gitMajor=${1%%.*} -X $package.gitMinor=$(cut -d. -f2 <<<"$1")"
  done
  echo "$flags"
}

build() {
  local name=$1 version=$2 out=$3
  case $name in
    kube-apiserver | kube-controller-manager)
      from_module kubernetes "k8s.io/kubernetes/cmd/$name" "$out" "$(stamp "$version")" ;;
    etcd) from_module etcd go.etcd.io/etcd/server/v3 "$out" '-s -w' ;;
    helm) from_registry "helm.sh/helm/v4/cmd/helm@v$version" "$out" ;;
    kustomize) from_registry "sigs.k8s.io/kustomize/kustomize/v5@v$version" "$out" ;;
    jsonnet) from_registry "github.com/google/go-jsonnet/cmd/jsonnet@v$version" "$out" ;;
    gojq) from_registry "github.com/itchyny/gojq/cmd/gojq@v$version" "$out" ;;
  esac
}

names=("$@")
[ $# -gt 0 ] || mapfile -t names < <(all)
for name in "${names[@]}"; do
  folder=$(folder_of "$name")
  [ -n "$folder" ] || { echo "testbin: unknown program: $name (known: $(all | tr '\n' ' '))" >&2; exit 2; }
  if [ "${folder%%-*}" = kubernetes ] && [ -x "${KUBEBUILDER_ASSETS:-/nonexistent}/$name" ]; then continue; fi
  [ -x "$cache/$folder/$name" ] && continue
  command -v go >/dev/null || { echo "testbin: $name is missing, and Go, which builds it, too (https://go.dev/dl)" >&2; exit 1; }
  echo "testbin: building $name ($folder)" >&2
  mkdir -p "$cache/$folder"
  # Built beside its place and moved there in one step: another run never sees half a program.
  out=$cache/$folder/.$name.$$
  build "$name" "${folder##*-}" "$out"
  mv "$out" "$cache/$folder/$name"
done
