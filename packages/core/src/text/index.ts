// text: small languages over strings, each its own module: globs, versions, durations, time layouts, hashes.
// In: strings. Out: strings, numbers, matchers. Never: Kubernetes, YAML, I/O.
export { type CronSchedule, nextCron, type ParsedCron, parseCron } from './cron.ts'
export { type ParsedDuration, parseDuration } from './duration.ts'
export { compileGlob, type GlobMatcher, matchGlob } from './glob.ts'
export { zoneOffsetMs } from './zone.ts'
export { filepathMatch } from './filepath-match.ts'
export {
  compareVersions,
  formatVersion,
  highestVersion,
  type Parsed,
  parseConstraint,
  parseStrictVersion,
  parseVersion,
  type Version,
  type VersionConstraint,
} from './semver.ts'
