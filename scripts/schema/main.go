// Command schema prints what litecd must know of the built-in kinds of Kubernetes: which Go struct stands behind each
// kind, the fields of every struct with their types and tags, how lists and maps merge, and which kinds are namespaced.
//
//	go run . > OUT        text in the format that packages/core/src/kube/schema/decode.ts reads
//
// Everything is taken by reflection from the client libraries named in go.mod, and from the structured-merge schema
// that k8s.io/client-go carries with its apply configurations.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

type kind struct {
	gvk   schema.GroupVersionKind
	typ   reflect.Type
	scope string
}

func main() {
	smd := loadMergeSchema()
	kinds := registeredKinds()
	table := newTable(smd)
	for _, k := range kinds {
		table.structRef(k.typ)
	}
	table.resolveAll()

	out := os.Stdout
	for _, line := range table.lines() {
		fmt.Fprintln(out, line)
	}
	fmt.Fprintln(out)
	for _, k := range kinds {
		apiVersion, name := k.gvk.ToAPIVersionAndKind()
		fmt.Fprintf(out, "%s %s %s %s\n", apiVersion, name, k.scope, table.numberOf(k.typ))
	}
	fmt.Fprintf(os.Stderr, "%d kinds, %d structs\n", len(kinds), len(table.structs))
}

// registeredKinds lists the kinds of the client scheme that are resources of an API server.
func registeredKinds() []kind {
	scopes := scopesOfClients()
	var kinds []kind
	for gvk, typ := range scheme.Scheme.AllKnownTypes() {
		if gvk.Version == "__internal" {
			continue
		}
		scope, ok := scopes[gvk.GroupKind()]
		if !ok {
			continue
		}
		kinds = append(kinds, kind{gvk, typ, scope})
	}
	sort.Slice(kinds, func(i, j int) bool {
		a, b := kinds[i].gvk, kinds[j].gvk
		if a.Group != b.Group {
			return a.Group < b.Group
		}
		if a.Version != b.Version {
			return a.Version < b.Version
		}
		return a.Kind < b.Kind
	})
	return kinds
}

// typeText is the type expression of a field; the letters are explained in decode.ts.
func (t *table) typeText(typ reflect.Type, where string) string {
	if letter, ok := special[typ.PkgPath()+"."+typ.Name()]; ok {
		return letter
	}
	if typ.Kind() != reflect.Pointer && customJSON(typ) {
		panic(fmt.Sprintf("%s: %s reads or writes JSON in its own way and is not known here", where, typ))
	}
	switch typ.Kind() {
	case reflect.Pointer:
		return "*" + t.typeText(typ.Elem(), where)
	case reflect.Slice:
		if typ.Elem().Kind() == reflect.Uint8 {
			return "y"
		}
		return "[" + t.typeText(typ.Elem(), where)
	case reflect.Map:
		if typ.Key().Kind() != reflect.String {
			panic(where + ": map with keys that are no strings")
		}
		return "{" + t.typeText(typ.Elem(), where)
	case reflect.Struct:
		return "#" + t.structRef(typ)
	case reflect.String:
		return "s"
	case reflect.Bool:
		return "b"
	case reflect.Int32:
		return "i"
	case reflect.Int64, reflect.Int:
		return "I"
	case reflect.Float64:
		return "f"
	}
	panic(fmt.Sprintf("%s: no letter for %s", where, typ))
}

var special = map[string]string{
	"k8s.io/apimachinery/pkg/api/resource.Quantity":   "q",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString": "x",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":   "d",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":       "t",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":  "m",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":   "j",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":    "r",
}

func customJSON(typ reflect.Type) bool {
	marshaler := reflect.TypeFor[json.Marshaler]()
	unmarshaler := reflect.TypeFor[json.Unmarshaler]()
	pointer := reflect.PointerTo(typ)
	return pointer.Implements(marshaler) || pointer.Implements(unmarshaler)
}

type field struct {
	name, typ, flags, patch, merge string
}

type structInfo struct {
	typ    reflect.Type
	number int
	fields []field
	merge  string
}

type table struct {
	structs []*structInfo
	index   map[reflect.Type]*structInfo
	smd     *mergeSchema
}

func newTable(smd *mergeSchema) *table {
	return &table{index: map[reflect.Type]*structInfo{}, smd: smd}
}

func base36(n int) string { return strings.ToLower(fmt.Sprint(strconvBase36(n))) }

func strconvBase36(n int) string {
	const digits = "0123456789abcdefghijklmnopqrstuvwxyz"
	if n < 36 {
		return digits[n : n+1]
	}
	return strconvBase36(n/36) + digits[n%36:n%36+1]
}

func (t *table) numberOf(typ reflect.Type) string { return base36(t.index[typ].number) }

// structRef gives the number of a struct, registering it when it is new; its fields are filled later.
func (t *table) structRef(typ reflect.Type) string {
	info, ok := t.index[typ]
	if !ok {
		info = &structInfo{typ: typ, number: len(t.structs)}
		t.structs = append(t.structs, info)
		t.index[typ] = info
	}
	return base36(info.number)
}

func (t *table) resolveAll() {
	for i := 0; i < len(t.structs); i++ {
		info := t.structs[i]
		t.collect(info, info.typ)
		seen := map[string]bool{}
		for _, f := range info.fields {
			if seen[strings.ToLower(f.name)] {
				panic(fmt.Sprintf("%s has two fields named %s", info.typ, f.name))
			}
			seen[strings.ToLower(f.name)] = true
		}
		t.addMergeFacts(info)
	}
}

// collect lists the JSON fields of a struct; embedded structs without a name of their own are part of it.
func (t *table) collect(info *structInfo, typ reflect.Type) {
	for i := range typ.NumField() {
		sf := typ.Field(i)
		tag := sf.Tag.Get("json")
		if tag == "-" || sf.PkgPath != "" && !sf.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if sf.Anonymous && name == "" {
			t.collect(info, sf.Type)
			continue
		}
		if name == "" {
			name = sf.Name
		}
		where := fmt.Sprintf("%s.%s", typ, sf.Name)
		flags := ""
		for option := range strings.SplitSeq(options, ",") {
			switch option {
			case "omitempty":
				flags += "?"
			case "omitzero":
				flags += "!"
			case "", "inline":
			default:
				panic(where + ": json option " + option)
			}
		}
		patch := ""
		if strategy := sf.Tag.Get("patchStrategy"); strategy != "" {
			patch = "~" + strings.ReplaceAll(strategy, ",", "+")
		}
		if key := sf.Tag.Get("patchMergeKey"); key != "" {
			if patch == "" {
				patch = "~"
			}
			patch += "/" + key
		}
		info.fields = append(info.fields, field{name: name, typ: t.typeText(sf.Type, where), flags: flags, patch: patch})
	}
}

func (t *table) lines() []string {
	var lines []string
	for _, info := range t.structs {
		var b strings.Builder
		b.WriteString(shortName(info.typ))
		b.WriteString(info.merge)
		for _, f := range info.fields {
			fmt.Fprintf(&b, " %s:%s%s%s%s", f.name, f.typ, f.flags, f.patch, f.merge)
		}
		lines = append(lines, b.String())
	}
	return lines
}

// shortName is `core/v1.Container` for k8s.io/api/core/v1.Container and `meta/v1.ObjectMeta` for those of apimachinery.
func shortName(typ reflect.Type) string {
	path := strings.Split(typ.PkgPath(), "/")
	return strings.Join(path[len(path)-2:], "/") + "." + typ.Name()
}

// moduleDir is a file of client-go's sources, wherever the module cache has them.
func moduleDir(file string) string {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/client-go").Output()
	if err != nil {
		panic(err)
	}
	return filepath.Join(strings.TrimSpace(string(dir)), file)
}

var stderr = os.Stderr
