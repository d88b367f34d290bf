//go:build tools

// Package etcd pins the store behind the API server that tests start; it is never compiled itself.
package etcd

import _ "go.etcd.io/etcd/server/v3"
