// text: small languages over strings, each its own module: globs, versions, durations, time layouts, hashes.
// In: strings. Out: strings, numbers, matchers. Never: Kubernetes, YAML, I/O.
export { compileGlob, type GlobMatcher, matchGlob } from './glob.ts'
