// Command kustomize-facts prints what kustomize knows of Kubernetes: which kinds stand outside of namespaces, which lists
// merge and by which keys, where the built-in transformers write, who refers to whom by name, and the order of kinds.
//
//	go run . > OUT        text in the format that packages/core/src/render/kustomize/facts/table.ts reads
//
// Everything is asked of the modules named in go.mod. What they keep to themselves is read from their syntax trees.
package main

import (
	"fmt"
	"os"
	"runtime/debug"
)

func main() {
	api, kyaml := moduleVersion("sigs.k8s.io/kustomize/api"), moduleVersion("sigs.k8s.io/kustomize/kyaml")
	schema := loadSchema()
	fmt.Printf("made from\n  kubernetes %s\n  kustomize/api %s\n  kustomize/kyaml %s\n", schema.version, api, kyaml)
	section("cluster-scoped", schema.clusterScoped())
	section("definitions", schema.definitions())
	places := loadPlaces()
	for _, list := range places.lists() {
		section("places "+list.name, list.lines)
	}
	section("name references", places.references())
	section("order first", kindList("orderFirst"))
	section("order last", kindList("orderLast"))
}

func section(title string, lines []string) {
	fmt.Printf("\n%s\n", title)
	for _, line := range lines {
		fmt.Println("  " + line)
	}
}

func moduleVersion(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		stop("there is no build information")
	}
	for _, module := range info.Deps {
		if module.Path == path {
			return module.Version
		}
	}
	stop("the program is built without " + path)
	return ""
}

func stop(why any) {
	fmt.Fprintln(os.Stderr, why)
	os.Exit(1)
}
