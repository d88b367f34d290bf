package main

import (
	"encoding/json"
	"sync"

	openapi "github.com/google/gnostic-models/openapiv2"
	"google.golang.org/protobuf/proto"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/handler"
	models "k8s.io/kube-openapi/pkg/util/proto"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/diff/testdata"
)

// builtInParser reads the OpenAPI of an old cluster that the engine's own tests use. It decides which kinds are served;
// the schemas of the built-in ones are those that the engine brings along.
var builtInParser = sync.OnceValue(func() *managedfields.GvkParser {
	document := &openapi.Document{}
	if err := proto.Unmarshal(testdata.OpenAPIV2Doc, document); err != nil {
		panic(err)
	}
	parser, err := parserOf(document)
	if err != nil {
		panic(err)
	}
	return parser
})

// definedParser knows one version of a custom kind as the API server publishes it.
func definedParser(raw json.RawMessage, version string) (*managedfields.GvkParser, error) {
	definition := &apiextensions.CustomResourceDefinition{}
	if err := json.Unmarshal(raw, definition); err != nil {
		return nil, err
	}
	swagger, err := builder.BuildOpenAPIV2(definition, version, builder.Options{V2: true})
	if err != nil {
		return nil, err
	}
	swagger.Definitions = handler.PruneDefaults(swagger.Definitions)
	text, err := json.Marshal(swagger)
	if err != nil {
		return nil, err
	}
	document, err := openapi.ParseDocument(text)
	if err != nil {
		return nil, err
	}
	return parserOf(document)
}

func parserOf(document *openapi.Document) (*managedfields.GvkParser, error) {
	all, err := models.NewOpenAPIData(document)
	if err != nil {
		return nil, err
	}
	return managedfields.NewGVKParser(all, false)
}
