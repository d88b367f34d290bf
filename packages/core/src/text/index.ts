// text: small languages over strings, each its own module: globs, versions, durations, time layouts, hashes.
// In: strings. Out: strings, numbers, matchers. Never: Kubernetes, YAML, I/O.

export { decodeBase32, decodeBase64, encodeBase32, encodeBase64 } from './base64.ts'
export { type CronSchedule, nextCron, type ParsedCron, parseCron } from './cron.ts'
export { compileDoublestar } from './doublestar.ts'
export { type ParsedDuration, parseDuration } from './duration.ts'
export { compileFilepathMatch, filepathMatch } from './filepath-match.ts'
export { compileGlob, type GlobMatcher, matchGlob } from './glob.ts'
export { formatGoDuration, parseGoDuration, roundGoDuration } from './go-duration.ts'
export { floatText, formatFloat, type NumberIssue, parseGoFloat, parseGoInt } from './go-number.ts'
export { goBase, goClean, goDir, goExt, goJoin } from './go-path.ts'
export { canBackquote, quoteGo, quoteRune, unquoteGo, unquoteRune } from './go-quote.ts'
export {
  compileRegexp,
  type GoRegexp,
  mustCompileText,
  quoteRegexp,
  RegexpIssue,
  type RegexpMatch,
  regexpCost,
} from './go-regexp.ts'
export {
  byteLength,
  bytesToText,
  compareBytes,
  healText,
  isAscii,
  replaceInvalid,
  runeCount,
  sliceBytes,
  textToBytes,
} from './go-string.ts'
export {
  addNanos,
  type CivilTime,
  civilOf,
  dateInZone,
  fixedZone,
  formatGoTime,
  type GoTime,
  layoutRfc3339Nano,
  loadZone,
  localZone,
  monthNames,
  nanosBetween,
  parseGoTime,
  TimeIssue,
  utc,
  weekdayNames,
  type Zone,
  zeroTime,
} from './go-time.ts'
export {
  fields,
  isDigit,
  isLetter,
  isLower,
  isNumber,
  isPrint,
  isPunct,
  isSpace,
  isTitle,
  isUpper,
  lowerRune,
  titleRune,
  titleWords,
  toLower,
  toUpper,
  trimSpace,
  trimSpaceLeft,
  trimSpaceRight,
  upperRune,
} from './go-unicode.ts'
export {
  formatGoUrl,
  formatUserinfo,
  type GoUrl,
  hostnameOf,
  parseGoUrl,
  queryEscape,
  UrlIssue,
} from './go-url.ts'
export { md5 } from './md5.ts'
export { matchPathspec } from './pathspec.ts'
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
export { adler32, hmacSha256, sha1, sha256, sha512, toHex } from './sha.ts'
export { sha3 } from './sha3.ts'
export { zoneOffsetMs } from './zone.ts'
