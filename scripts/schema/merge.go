package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"

	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// mergeSchema is the structured-merge schema of the built-in kinds, by OpenAPI model name.
type mergeSchema struct {
	types map[string]smdschema.TypeDef
	// fields that are a key of some associative list whose elements are of the named type
	keys map[string]map[string]bool
}

// loadMergeSchema reads the schema text out of the source of client-go: the package that holds it is internal.
func loadMergeSchema() *mergeSchema {
	file, err := parser.ParseFile(token.NewFileSet(), moduleDir("applyconfigurations/internal/internal.go"), nil, 0)
	if err != nil {
		panic(err)
	}
	text := ""
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && strings.HasPrefix(lit.Value, "`types:") {
			text, err = strconv.Unquote(lit.Value)
			if err != nil {
				panic(err)
			}
		}
		return true
	})
	if text == "" {
		panic("no structured-merge schema found in client-go")
	}
	parsed, err := typed.NewParser(typed.YAMLObject(text))
	if err != nil {
		panic(err)
	}
	s := parsed.Schema
	m := &mergeSchema{types: map[string]smdschema.TypeDef{}, keys: map[string]map[string]bool{}}
	for _, def := range s.Types {
		m.types[def.Name] = def
	}
	for _, def := range s.Types {
		if def.Map == nil {
			continue
		}
		for _, f := range def.Map.Fields {
			if list := f.Type.Inlined.List; list != nil && list.ElementType.NamedType != nil {
				for _, key := range list.Keys {
					name := *list.ElementType.NamedType
					if m.keys[name] == nil {
						m.keys[name] = map[string]bool{}
					}
					m.keys[name][key] = true
				}
			}
		}
	}
	return m
}

// modelName is the OpenAPI name of a Go type: io.k8s.api.core.v1.Container.
func modelName(pkg, name string) string {
	pkg = strings.TrimPrefix(pkg, "k8s.io/")
	return "io.k8s." + strings.ReplaceAll(pkg, "/", ".") + "." + name
}

// addMergeFacts notes, for each field, how server-side apply treats it, where that is not the default for its type:
// lists are atomic, maps and structs are merged. A struct that the schema does not have is marked `-`.
func (t *table) addMergeFacts(info *structInfo) {
	name := modelName(info.typ.PkgPath(), info.typ.Name())
	def, ok := t.smd.types[name]
	if !ok {
		info.merge = "-"
		return
	}
	if def.Map == nil {
		panic(name + " is no map in the structured-merge schema")
	}
	switch def.Map.ElementRelationship {
	case smdschema.Atomic:
		info.merge = "%a"
	case "", smdschema.Separable:
	default:
		panic(name + ": relationship " + string(def.Map.ElementRelationship))
	}
	if len(def.Map.Fields) != len(info.fields) {
		panic(fmt.Sprintf("%s has %d fields in Go and %d in the structured-merge schema", name, len(info.fields), len(def.Map.Fields)))
	}
	for i := range info.fields {
		f := &info.fields[i]
		found := false
		for _, sf := range def.Map.Fields {
			if sf.Name != f.name {
				continue
			}
			found = true
			f.merge = t.relationship(name+"."+f.name, f.typ, sf.Type)
			if t.smd.keys[name][f.name] && sf.Default != nil {
				text, err := json.Marshal(sf.Default)
				if err != nil || strings.ContainsAny(string(text), " \n") {
					panic(name + "." + f.name + ": odd default")
				}
				f.merge += "=" + string(text)
			}
		}
		if !found {
			panic(name + "." + f.name + " is not in the structured-merge schema")
		}
	}
}

func (t *table) relationship(where, typ string, ref smdschema.TypeRef) string {
	typ = strings.TrimPrefix(typ, "*")
	if ref.NamedType != nil {
		want := ""
		switch typ[0] {
		case '#':
			n, err := strconv.ParseInt(typ[1:], 36, 64)
			if err != nil {
				panic(err)
			}
			want = modelName(t.structs[n].typ.PkgPath(), t.structs[n].typ.Name())
		case 'q', 'x', 't', 'm', 'd', 'r', 'j':
			want = map[byte]string{
				'q': "io.k8s.apimachinery.pkg.api.resource.Quantity",
				'x': "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
				't': "io.k8s.apimachinery.pkg.apis.meta.v1.Time",
				'm': "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime",
				'd': "io.k8s.apimachinery.pkg.apis.meta.v1.Duration",
				'r': "__untyped_atomic_",
				'j': "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1",
			}[typ[0]]
		}
		if want != *ref.NamedType {
			fmt.Fprintf(stderr, "%s: %s is %s in the structured-merge schema\n", where, typ, *ref.NamedType)
		}
		if ref.ElementRelationship != nil {
			if *ref.ElementRelationship == smdschema.Atomic {
				return "%a"
			}
			if *ref.ElementRelationship == smdschema.Separable {
				return "%s"
			}
			panic(where + ": relationship on a named type")
		}
		return ""
	}
	switch {
	case ref.Inlined.List != nil:
		list := ref.Inlined.List
		if typ[0] != '[' {
			panic(where + ": a list in the structured-merge schema, in Go " + typ)
		}
		inner := t.relationship(where+"[]", typ[1:], list.ElementType)
		if inner != "" {
			panic(where + ": relationship below a list: " + inner)
		}
		switch list.ElementRelationship {
		case smdschema.Atomic:
			return ""
		case smdschema.Associative:
			return "%" + strings.Join(append([]string{"l"}, list.Keys...), "+")
		}
		panic(where + ": list without relationship")
	case ref.Inlined.Map != nil:
		m := ref.Inlined.Map
		if typ[0] != '{' {
			panic(where + ": a map in the structured-merge schema, in Go " + typ)
		}
		inner := t.relationship(where+"{}", typ[1:], m.ElementType)
		if inner != "" {
			panic(where + ": relationship below a map: " + inner)
		}
		switch m.ElementRelationship {
		case smdschema.Atomic:
			return "%a"
		case "", smdschema.Separable:
			return ""
		}
		panic(where + ": map relationship")
	case ref.Inlined.Scalar != nil:
		want := map[byte]smdschema.Scalar{'s': smdschema.String, 'y': smdschema.String, 'b': smdschema.Boolean, 'i': smdschema.Numeric, 'I': smdschema.Numeric, 'f': smdschema.Numeric}[typ[0]]
		if want != *ref.Inlined.Scalar {
			fmt.Fprintf(stderr, "%s: %s is scalar %s\n", where, typ, *ref.Inlined.Scalar)
		}
		return ""
	}
	panic(where + ": unknown type in the structured-merge schema")
}
