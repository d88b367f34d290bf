package main

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
)

// scopesOfClients asks the typed clients: one whose getter takes a namespace belongs to a namespaced kind.
func scopesOfClients() map[schema.GroupKind]string {
	scopes := map[schema.GroupKind]string{
		// these have no client of their own
		{Kind: "Binding"}:                   "Namespaced",
		{Group: "policy", Kind: "Eviction"}: "Namespaced",
	}
	clients := reflect.TypeFor[kubernetes.Interface]()
	for i := range clients.NumMethod() {
		method := clients.Method(i)
		if method.Name == "Discovery" {
			continue
		}
		group := method.Type.Out(0)
		for j := range group.NumMethod() {
			getter := group.Method(j)
			if getter.Name == "RESTClient" {
				continue
			}
			scope := "Cluster"
			if getter.Type.NumIn() == 1 && getter.Type.In(0).Kind() == reflect.String {
				scope = "Namespaced"
			}
			for _, gk := range kindsOf(getter.Type.Out(0)) {
				if known, ok := scopes[gk]; ok && known != scope {
					panic("two scopes for " + gk.String())
				}
				scopes[gk] = scope
			}
		}
	}
	return scopes
}

// kindsOf finds the kind that a typed client creates, or reads where it cannot create.
func kindsOf(client reflect.Type) []schema.GroupKind {
	object := reflect.TypeFor[runtime.Object]()
	var typ reflect.Type
	if create, ok := client.MethodByName("Create"); ok {
		typ = create.Type.In(1)
	} else if get, ok := client.MethodByName("Get"); ok {
		typ = get.Type.Out(0)
	}
	if typ == nil || !typ.Implements(object) {
		return nil
	}
	gvks, _, err := scheme.Scheme.ObjectKinds(reflect.New(typ.Elem()).Interface().(runtime.Object))
	if err != nil {
		panic(err)
	}
	var out []schema.GroupKind
	for _, gvk := range gvks {
		out = append(out, gvk.GroupKind())
	}
	return out
}
