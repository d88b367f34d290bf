// sources/http: one exchange with a server, for git, Helm and OCI alike.
// In: a request. Out: an answer, or an error in Go's words. Never: credentials to another host than the one asked.
export {
  basicAuthorization,
  HttpError,
  type HttpMethod,
  type HttpRequest,
  type HttpResponse,
  httpRequest,
  type TlsSettings,
} from './client.ts'
export { type ProxySettings, proxyFor } from './proxy.ts'
