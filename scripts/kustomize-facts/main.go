// Prints, for every type of the schema inside kustomize, the lists that merge: one line a type,
// `apiVersion kind => path=keys; path=keys`, with `-` for lists of scalars. compare.ts checks our table against it.
package main

import (
	"fmt"
	"sort"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/kustomize/kyaml/openapi"
)

type printer struct {
	root  *spec.Schema
	lists []string
	// definitions on the way here: some hold themselves
	open map[string]bool
}

func main() {
	root := openapi.Schema()
	names := make([]string, 0, len(root.Definitions))
	for name := range root.Definitions {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		definition := root.Definitions[name]
		kind := kindOf(definition)
		if kind == "" {
			continue
		}
		p := printer{root: root, open: map[string]bool{}}
		p.walk(&definition, "")
		sort.Strings(p.lists)
		fmt.Printf("%s => %s\n", kind, strings.Join(p.lists, "; "))
	}
}

// kindOf names the first type of a definition.
func kindOf(definition spec.Schema) string {
	kinds, ok := definition.Extensions["x-kubernetes-group-version-kind"].([]interface{})
	if !ok || len(kinds) == 0 {
		return ""
	}
	parts := map[string]string{}
	switch first := kinds[0].(type) {
	case map[string]interface{}:
		for key, value := range first {
			parts[key] = fmt.Sprint(value)
		}
	case map[interface{}]interface{}:
		for key, value := range first {
			parts[fmt.Sprint(key)] = fmt.Sprint(value)
		}
	}
	kind := parts["version"] + " " + parts["kind"]
	if parts["group"] != "" {
		kind = parts["group"] + "/" + kind
	}
	return kind
}

func (p *printer) walk(schema *spec.Schema, path string) {
	if ref := schema.Ref.String(); ref != "" {
		if p.open[ref] {
			return
		}
		p.open[ref] = true
		target := p.root.Definitions[strings.TrimPrefix(ref, "#/definitions/")]
		p.walk(&target, path)
		delete(p.open, ref)
		return
	}
	for name, field := range schema.Properties {
		field := field
		below := strings.TrimPrefix(path+"."+name, ".")
		if keys := mergeKeys(field); keys != "" {
			p.lists = append(p.lists, below+"="+keys)
		}
		if field.Items != nil && field.Items.Schema != nil {
			p.walk(field.Items.Schema, below)
		} else {
			p.walk(&field, below)
		}
	}
}

func mergeKeys(field spec.Schema) string {
	strategy := fmt.Sprint(field.Extensions["x-kubernetes-patch-strategy"])
	if len(field.Type) == 0 || field.Type[0] != "array" || !strings.Contains(strategy, "merge") {
		return ""
	}
	if list, ok := field.Extensions["x-kubernetes-list-map-keys"]; ok {
		return strings.Trim(fmt.Sprint(list), "[]")
	}
	if key, ok := field.Extensions["x-kubernetes-patch-merge-key"]; ok {
		return fmt.Sprint(key)
	}
	return "-"
}
