// apiserver: a real etcd, kube-apiserver and kube-controller-manager for tests, and a stand-in for the kubelet.
// In: the binaries that test/binaries.ts finds. Out: a URL with credentials. Never: an imitation of the API.
export { podDriver } from './pod-driver.ts'
export { ApiProxy, type ProxiedCall } from './proxy.ts'
export { type ApiServer, sharedApiServer, startApiServer } from './server.ts'
export {
  canStartApiServer,
  eventually,
  freshNamespace,
  installCrds,
  sharedClient,
} from './with-server.ts'
