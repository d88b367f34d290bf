package main

import (
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	openapi_v2 "github.com/google/gnostic-models/openapiv2"
	"google.golang.org/protobuf/proto"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/kustomize/kyaml/openapi/kubernetesapi"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

const gvkExtension = "x-kubernetes-group-version-kind"

// schemaFacts is the schema that kustomize merges by, and every type that it could know.
type schemaFacts struct {
	version string
	root    *spec.Schema
	all     map[yaml.TypeMeta]bool
	// definition → its name in the table, for those that matter to a merge
	kept map[string]string
}

func loadSchema() *schemaFacts {
	version := kubernetesapi.DefaultOpenAPI
	s := &schemaFacts{version: version, root: openapi.Schema(), all: map[yaml.TypeMeta]bool{}, kept: map[string]string{}}
	for _, definition := range s.root.Definitions {
		s.note(definition.Extensions)
	}
	asset := path.Join("kubernetesapi", strings.ReplaceAll(version, ".", "_"), "swagger.pb")
	document := &openapi_v2.Document{}
	if err := proto.Unmarshal(kubernetesapi.OpenAPIMustAsset[version](asset), document); err != nil {
		stop(err)
	}
	var swagger spec.Swagger
	if ok, err := swagger.FromGnostic(document); err != nil || !ok {
		stop(fmt.Sprint("the schema of Kubernetes cannot be read: ", err))
	}
	for _, item := range swagger.Paths.Paths {
		for _, operation := range []*spec.Operation{item.Get, item.Put, item.Post, item.Delete, item.Patch} {
			if operation != nil {
				s.note(operation.Extensions)
			}
		}
	}
	for name := range s.root.Definitions {
		if s.matters(name, map[string]bool{}) {
			s.kept[name] = shortName(name)
		}
	}
	return s
}

// note remembers the types that an extension names, one or a list of them.
func (s *schemaFacts) note(extensions spec.Extensions) {
	value := extensions[gvkExtension]
	list, ok := value.([]interface{})
	if !ok {
		list = []interface{}{value}
	}
	for _, entry := range list {
		parts := map[string]string{}
		switch entry := entry.(type) {
		case map[string]interface{}:
			for key, value := range entry {
				parts[key] = fmt.Sprint(value)
			}
		case map[interface{}]interface{}:
			for key, value := range entry {
				parts[fmt.Sprint(key)] = fmt.Sprint(value)
			}
		default:
			continue
		}
		apiVersion := parts["version"]
		if parts["group"] != "" {
			apiVersion = parts["group"] + "/" + apiVersion
		}
		s.all[yaml.TypeMeta{APIVersion: apiVersion, Kind: parts["kind"]}] = true
	}
}

func (s *schemaFacts) sorted() []yaml.TypeMeta {
	list := make([]yaml.TypeMeta, 0, len(s.all))
	for typ := range s.all {
		list = append(list, typ)
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		if a.APIVersion != b.APIVersion {
			return a.APIVersion < b.APIVersion
		}
		return a.Kind < b.Kind
	})
	return list
}

// clusterScoped has a line for each apiVersion.
func (s *schemaFacts) clusterScoped() []string {
	var lines []string
	last := ""
	for _, typ := range s.sorted() {
		if namespaced, known := openapi.IsNamespaceScoped(typ); namespaced || !known {
			continue
		}
		if typ.APIVersion == last {
			lines[len(lines)-1] += " " + typ.Kind
		} else {
			lines = append(lines, typ.APIVersion+" "+typ.Kind)
		}
		last = typ.APIVersion
	}
	return lines
}

// types lists the types that each definition describes.
func (s *schemaFacts) types() map[string][]string {
	found := map[string][]string{}
	for _, typ := range s.sorted() {
		schema := openapi.SchemaForResourceType(typ)
		if schema == nil {
			continue
		}
		name := s.definitionOf(typ, schema.Schema)
		if s.kept[name] == "" {
			stop(name + " describes a type and is not kept")
		}
		found[name] = append(found[name], typ.APIVersion+" "+typ.Kind)
	}
	return found
}

func (s *schemaFacts) definitionOf(typ yaml.TypeMeta, schema *spec.Schema) string {
	for name, definition := range s.root.Definitions {
		if sameDefinition(schema, definition) && slices.Contains(typesOf(definition), typ) {
			return name
		}
	}
	stop(fmt.Sprint("no definition of ", typ))
	return ""
}

func sameDefinition(a *spec.Schema, b spec.Schema) bool {
	return a.Description == b.Description && len(a.Properties) == len(b.Properties)
}

func typesOf(definition spec.Schema) []yaml.TypeMeta {
	one := &schemaFacts{all: map[yaml.TypeMeta]bool{}}
	one.note(definition.Extensions)
	return one.sorted()
}

// definitions has, for each definition that matters, a line with its name and the types that it describes, and one for each
// field that matters.
func (s *schemaFacts) definitions() []string {
	names := make([]string, 0, len(s.kept))
	for name := range s.kept {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool { return s.kept[names[i]] < s.kept[names[j]] })
	types := s.types()
	var lines []string
	for i, name := range names {
		if i > 0 && s.kept[name] == s.kept[names[i-1]] {
			stop("two definitions have the short name " + s.kept[name])
		}
		line := s.kept[name]
		if len(types[name]) > 0 {
			line += ": " + strings.Join(types[name], ", ")
		}
		lines = append(lines, line)
		definition := s.root.Definitions[name]
		for _, field := range sortedFields(definition) {
			if text := s.fieldText(field, definition.Properties[field]); text != "" {
				lines = append(lines, "  "+text)
			}
		}
	}
	return lines
}

func sortedFields(definition spec.Schema) []string {
	fields := make([]string, 0, len(definition.Properties))
	for field := range definition.Properties {
		fields = append(fields, field)
	}
	sort.Strings(fields)
	return fields
}

// fieldText is `name[keys] Definition`: the keys where the field is a list that merges, the definition of the field or of
// its elements where it is kept. `name{} Definition` is a map of them. A field that is open, and so hides the type of what
// stands in it, is its bare name.
func (s *schemaFacts) fieldText(name string, field spec.Schema) string {
	keys, merges := mergeKeys(field)
	below := s.kept[refName(elementOf(field))]
	if isMapOf(field) {
		if below == "" {
			return ""
		}
		name += "{}"
	}
	if !merges && below == "" && !isOpen(s.resolve(field)) {
		return ""
	}
	if merges {
		name += "[" + strings.Join(keys, " ") + "]"
	}
	return strings.TrimSuffix(name+" "+below, " ")
}

// matters says whether a merge must know the definition: it describes a type, a list below it merges, it is open, or it
// looks like an object of its own, so that without it the type named there would be looked up.
func (s *schemaFacts) matters(name string, open map[string]bool) bool {
	if name == "" || open[name] {
		return false
	}
	open[name] = true
	defer delete(open, name)
	definition := s.root.Definitions[name]
	if isOpen(definition) && definition.Type.Contains("object") || len(typesOf(definition)) > 0 {
		return true
	}
	_, hasKind := definition.Properties["kind"]
	_, hasVersion := definition.Properties["apiVersion"]
	if hasKind && hasVersion {
		return true
	}
	for _, field := range definition.Properties {
		if _, merges := mergeKeys(field); merges || s.matters(refName(elementOf(field)), open) {
			return true
		}
	}
	return false
}

func (s *schemaFacts) resolve(schema spec.Schema) spec.Schema {
	if name := refName(schema); name != "" {
		return s.root.Definitions[name]
	}
	return schema
}

// isOpen: anything may stand here.
func isOpen(schema spec.Schema) bool {
	isMap := len(schema.Type) == 0 || schema.Type.Contains("object")
	return isMap && !isMapOf(schema) && schema.Ref.String() == "" && len(schema.Properties) == 0
}

// isMapOf: the values of the map have a schema.
func isMapOf(schema spec.Schema) bool {
	return schema.AdditionalProperties != nil && schema.AdditionalProperties.Schema != nil
}

// elementOf is the schema of a list's elements or of a map's values, or the schema itself.
func elementOf(schema spec.Schema) spec.Schema {
	if isMapOf(schema) {
		return *schema.AdditionalProperties.Schema
	}
	if schema.Type.Contains("array") && schema.Items != nil && schema.Items.Schema != nil {
		return *schema.Items.Schema
	}
	return schema
}

func refName(schema spec.Schema) string {
	return strings.TrimPrefix(schema.Ref.String(), "#/definitions/")
}

func mergeKeys(field spec.Schema) ([]string, bool) {
	rs := openapi.ResourceSchema{Schema: &field}
	strategy, keys := rs.PatchStrategyAndKeyList()
	merges := len(field.Type) == 1 && field.Type[0] == "array" && strings.Contains(strategy, "merge")
	return keys, merges
}

// shortName leaves out what all names of Kubernetes begin with.
func shortName(name string) string {
	for _, prefix := range []string{"io.k8s.api.", "io.k8s.apimachinery.pkg.apis.", "io.k8s.kube-aggregator.pkg.apis.",
		"io.k8s.apiextensions-apiserver.pkg.apis.", "io.k8s.apimachinery.pkg."} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			return rest
		}
	}
	return name
}
