//go:build tools

// Package kubernetes pins the API server and the controllers that tests start; it is never compiled itself.
package kubernetes

import (
	_ "k8s.io/kubernetes/cmd/kube-apiserver"
	_ "k8s.io/kubernetes/cmd/kube-controller-manager"
)
