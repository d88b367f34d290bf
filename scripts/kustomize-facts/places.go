package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/yaml"
)

// placeFacts is where the transformers act when nothing is configured, by the names of `configurations` files.
type placeFacts struct {
	NamePrefix        []types.FieldSpec `json:"namePrefix"`
	NameSuffix        []types.FieldSpec `json:"nameSuffix"`
	Namespace         []types.FieldSpec `json:"namespace"`
	CommonLabels      []types.FieldSpec `json:"commonLabels"`
	TemplateLabels    []types.FieldSpec `json:"templateLabels"`
	CommonAnnotations []types.FieldSpec `json:"commonAnnotations"`
	VarReference      []types.FieldSpec `json:"varReference"`
	Images            []types.FieldSpec `json:"images"`
	Replicas          []types.FieldSpec `json:"replicas"`
	NameReference     []nameReference   `json:"nameReference"`
}

type nameReference struct {
	resid.Gvk  `json:",inline"`
	FieldSpecs []types.FieldSpec `json:"fieldSpecs"`
}

type placeList struct {
	name  string
	lines []string
}

// loadPlaces reads the configuration that the module joins from its constants.
func loadPlaces() placeFacts {
	constants := map[string]ast.Expr{}
	var joined []string
	for _, file := range parsePackage("sigs.k8s.io/kustomize/api", "internal/konfig/builtinpluginconsts") {
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.ValueSpec:
				for i, name := range node.Names {
					if i < len(node.Values) {
						constants[name.Name] = node.Values[i]
					}
				}
			case *ast.FuncDecl:
				if node.Name.Name == "GetDefaultFieldSpecs" {
					joined = convertedNames(node)
				}
			}
			return true
		})
	}
	var text strings.Builder
	for _, name := range joined {
		text.WriteString(textOf(constants[name], constants) + "\n")
	}
	var places placeFacts
	if err := yaml.UnmarshalStrict([]byte(text.String()), &places); err != nil {
		stop(err)
	}
	if len(joined) == 0 || len(places.NameReference) == 0 {
		stop("the places are not where they were")
	}
	return places
}

// convertedNames lists the constants that a function turns into bytes, in order.
func convertedNames(function *ast.FuncDecl) []string {
	var names []string
	ast.Inspect(function, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		if _, ok := call.Fun.(*ast.ArrayType); !ok {
			return true
		}
		if name, ok := call.Args[0].(*ast.Ident); ok {
			names = append(names, name.Name)
		}
		return true
	})
	return names
}

// textOf evaluates text, constants and sums of them; other expressions are empty.
func textOf(expression ast.Expr, constants map[string]ast.Expr) string {
	switch expression := expression.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(expression.Value)
		return text
	case *ast.Ident:
		return textOf(constants[expression.Name], constants)
	case *ast.BinaryExpr:
		return textOf(expression.X, constants) + textOf(expression.Y, constants)
	}
	return ""
}

func parsePackage(module, folder string) []*ast.File {
	found, err := exec.Command("go", "list", "-mod=readonly", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		stop(err)
	}
	paths, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(found)), folder, "*.go"))
	if err != nil {
		stop(err)
	}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			stop(err)
		}
		files = append(files, file)
	}
	return files
}

func (p placeFacts) lists() []placeList {
	named := []struct {
		name  string
		specs []types.FieldSpec
	}{
		{"namePrefix", p.NamePrefix}, {"nameSuffix", p.NameSuffix}, {"namespace", p.Namespace},
		{"commonLabels", p.CommonLabels}, {"templateLabels", p.TemplateLabels},
		{"commonAnnotations", p.CommonAnnotations}, {"varReference", p.VarReference},
		{"images", p.Images}, {"replicas", p.Replicas},
	}
	var lists []placeList
	for _, list := range named {
		lists = append(lists, placeList{list.name, placeLines(list.specs)})
	}
	return lists
}

// placeLines writes `group/version/Kind path`, `*` for every kind, with `!` behind a path that is made where it lacks.
func placeLines(specs []types.FieldSpec) []string {
	var lines []string
	for _, spec := range specs {
		line := kindText(spec.Gvk) + " " + spec.Path
		if spec.CreateIfNotPresent {
			line += "!"
		}
		lines = append(lines, line)
	}
	return lines
}

func kindText(gvk resid.Gvk) string {
	if gvk.Group == "" && gvk.Version == "" && gvk.Kind == "" {
		return "*"
	}
	return strings.ReplaceAll(gvk.Group, "/", `\/`) + "/" + gvk.Version + "/" + gvk.Kind
}

// references has a line for each target, and below it one for each place that names it.
func (p placeFacts) references() []string {
	var lines []string
	for _, reference := range p.NameReference {
		lines = append(lines, kindText(reference.Gvk))
		for _, line := range placeLines(reference.FieldSpecs) {
			lines = append(lines, "  "+line)
		}
	}
	return lines
}

// kindList is one of the lists that put kinds into an order.
func kindList(name string) []string {
	var kinds []string
	for _, file := range parsePackage("sigs.k8s.io/kustomize/kyaml", "resid") {
		ast.Inspect(file, func(node ast.Node) bool {
			spec, ok := node.(*ast.ValueSpec)
			if !ok || len(spec.Names) != 1 || spec.Names[0].Name != name {
				return true
			}
			for _, element := range spec.Values[0].(*ast.CompositeLit).Elts {
				kinds = append(kinds, textOf(element, nil))
			}
			return false
		})
	}
	if len(kinds) == 0 {
		stop("there is no " + name)
	}
	return kinds
}
