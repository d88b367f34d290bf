import {
  formatGoTime,
  hostnameOf,
  parseGoTime,
  parseGoUrl,
  quoteGo,
  quoteRune,
  TimeIssue,
  UrlIssue,
  utc,
} from '../../../text/index.ts'
import { addressBytes } from '../functions/index.ts'

/** What is wrong with a text, or undefined. */
type Check = (text: string) => string | undefined

/** The formats that santhosh-tekuri/jsonschema v6 asserts, by name. */
export const formats: { readonly [name: string]: Check } = {
  'json-pointer': jsonPointer,
  'relative-json-pointer': relativeJsonPointer,
  uuid,
  duration,
  period,
  ipv4,
  ipv6,
  hostname,
  email,
  date,
  time,
  'date-time': dateTime,
  uri,
  iri: uri,
  'uri-reference': uriReference,
  'iri-reference': uriReference,
  'uri-template': uriTemplate,
  semver,
}

function jsonPointer(text: string): string | undefined {
  if (text === '') return undefined
  if (!text.startsWith('/')) return 'not starting with /'
  return /~(?![01])/.test(text) ? '~ must be followed by 0 or 1' : undefined
}

function relativeJsonPointer(text: string): string | undefined {
  const digits = /^[0-9]*/.exec(text)![0]
  if (digits === '') return 'must start with non-negative integer'
  if (digits.length > 1 && digits.startsWith('0')) return 'starts with zero'
  const rest = text.slice(digits.length)
  return rest === '#' ? undefined : jsonPointer(rest)
}

function uuid(text: string): string | undefined {
  const sizes = [8, 4, 4, 4, 12]
  const groups = text.split('-')
  if (groups.length !== sizes.length) return `must have ${sizes.length} elements`
  for (const [i, group] of groups.entries()) {
    if (group.length !== sizes[i]) return `element ${i + 1} must be ${sizes[i]} characters long`
    const bad = /[^0-9a-fA-F]/u.exec(group)
    if (bad !== null) return `non-hex character ${quoteRune(bad[0])}`
  }
  return undefined
}

function duration(text: string): string | undefined {
  if (!text.startsWith('P')) return 'must start with P'
  const rest = text.slice(1)
  if (rest === '') return 'nothing after P'
  if (rest.endsWith('W')) {
    if (rest === 'W') return 'no number in week'
    return /^[0-9]+W$/.test(rest) ? undefined : 'invalid week'
  }
  const allUnits = ['YMD', 'HMS']
  for (const [i, part] of rest.split('T').entries()) {
    if (i !== 0 && part === '') return 'no time elements'
    const all = allUnits[i]
    if (all === undefined) return 'more than one T'
    let units = all
    for (let left = part; left !== ''; ) {
      const digits = /^[0-9]*/.exec(left)![0]
      if (digits === '') return 'missing number'
      const unit = left[digits.length]
      if (unit === undefined) return 'missing unit'
      const found = units.indexOf(unit)
      if (found === -1) {
        return all.includes(unit)
          ? `unit ${quoteRune(unit)} out of order`
          : `invalid unit ${quoteRune(unit)}`
      }
      units = units.slice(found + 1)
      left = left.slice(digits.length + 1)
    }
  }
  return undefined
}

function period(text: string): string | undefined {
  const slash = text.indexOf('/')
  if (slash === -1) return 'missing slash'
  const [start, end] = [text.slice(0, slash), text.slice(slash + 1)]
  const part = (side: string, kind: string, issue: string | undefined): string | undefined =>
    issue === undefined ? undefined : `invalid ${side} ${kind}: ${issue}`
  if (start.startsWith('P')) {
    return part('start', 'duration', duration(start)) ?? part('end', 'date-time', dateTime(end))
  }
  const first = part('start', 'date-time', dateTime(start))
  if (first !== undefined) return first
  return end.startsWith('P')
    ? part('end', 'duration', duration(end))
    : part('end', 'date-time', dateTime(end))
}

function ipv4(text: string): string | undefined {
  const groups = text.split('.')
  if (groups.length !== 4) return 'expected four decimals'
  for (const group of groups) {
    if (group.length > 1 && group.startsWith('0')) return 'leading zeros'
    if (!/^[+-]?[0-9]+$/.test(group)) {
      return `strconv.Atoi: parsing ${quoteGo(group)}: invalid syntax`
    }
    if (Number(group) < 0 || Number(group) > 255) return 'decimal must be between 0 and 255'
  }
  return undefined
}

function ipv6(text: string): string | undefined {
  if (!text.includes(':')) return 'missing colon'
  if (text.includes('%')) return 'zone id is not a part of ipv6 address'
  return addressBytes(text) === undefined
    ? `ParseAddr(${quoteGo(text)}): unable to parse IP`
    : undefined
}

function hostname(text: string): string | undefined {
  const name = text.endsWith('.') ? text.slice(0, -1) : text
  if (name.length > 253) return 'more than 253 characters long'
  for (const label of name.split('.')) {
    if (label.length < 1 || label.length > 63) return 'label must be 1 to 63 characters long'
    if (label.startsWith('-')) return 'label starts with hyphen'
    if (label.endsWith('-')) return 'label ends with hyphen'
    const bad = /[^a-zA-Z0-9-]/u.exec(label)
    if (bad !== null) return `invalid character ${quoteRune(bad[0])}`
  }
  return undefined
}

function email(text: string): string | undefined {
  if (text.length > 254) return 'more than 255 characters long'
  const at = text.lastIndexOf('@')
  if (at === -1) return 'missing @'
  const local = text.slice(0, at)
  let domain = text.slice(at + 1)
  if (local.length > 64) return 'local part more than 64 characters long'
  if (local.length > 1 && local.startsWith('"')) {
    if (/[\\"]/.test(local.slice(1, -1))) {
      return 'backslash and quote are not allowed within quoted local part'
    }
  } else {
    if (local.startsWith('.')) return 'starts with dot'
    if (local.endsWith('.')) return 'ends with dot'
    if (local.includes('..')) return 'consecutive dots'
    const bad = /[^a-zA-Z0-9.!#$%&'*+\-/=?^_`{|}~]/u.exec(local)
    if (bad !== null) return `invalid character ${quoteRune(bad[0])}`
  }
  if (domain.startsWith('[') && domain.endsWith(']')) {
    domain = domain.slice(1, -1)
    const isV6 = domain.startsWith('IPv6:')
    const issue = isV6 ? ipv6(domain.slice(5)) : ipv4(domain)
    return issue === undefined ? undefined : `invalid ipv${isV6 ? 6 : 4} address: ${issue}`
  }
  const issue = hostname(domain)
  return issue === undefined ? undefined : `invalid domain: ${issue}`
}

function date(text: string): string | undefined {
  const parsed = parseGoTime('2006-01-02', text, utc)
  if (parsed instanceof TimeIssue) return parsed.message
  return formatGoTime(parsed, '2006-01-02') === text ? undefined : 'not a date'
}

function time(text: string): string | undefined {
  if (text.length < 9) return 'less than 9 characters long'
  if (text[2] !== ':' || text[5] !== ':') return 'missing colon in correct place'
  const parts = text.slice(0, 8).split(':')
  if (parts.some((part) => !/^[+-]?[0-9]+$/.test(part))) return 'invalid hour/min/sec'
  let [h, m] = [Number(parts[0]), Number(parts[1])]
  const s = Number(parts[2])
  if (h < 0 || m < 0 || s < 0) return 'non-positive hour/min/sec'
  if (h > 23 || m > 59 || s > 60) return 'hour/min/sec out of range'
  let rest = text.slice(8)
  if (rest.startsWith('.')) {
    const digits = /^[0-9]*/.exec(rest.slice(1))![0]
    if (digits === '') return 'no digits in second fraction'
    rest = rest.slice(1 + digits.length)
  }
  if (rest !== 'z' && rest !== 'Z') {
    if (rest.length !== 6) return 'offset must be 6 characters long'
    if (rest[0] !== '+' && rest[0] !== '-') return 'offset must begin with plus/minus'
    if (rest[3] !== ':') return 'missing colon in offset in correct place'
    const offset = [rest.slice(1, 3), rest.slice(4)]
    if (offset.some((part) => !/^[+-]?[0-9]+$/.test(part))) return 'invalid hour/min in offset'
    const [zh, zm] = offset.map(Number) as [number, number]
    if (zh < 0 || zm < 0) return 'non-positive hour/min in offset'
    if (zh > 23 || zm > 59) return 'hour/min in offset out of range'
    let minutes = h * 60 + m + (rest[0] === '+' ? -1 : 1) * (zh * 60 + zm)
    if (minutes < 0) minutes += 24 * 60
    h = Math.trunc(minutes / 60)
    m = minutes % 60
  }
  return s >= 60 && (h !== 23 || m !== 59) ? 'invalid leap second' : undefined
}

function dateTime(text: string): string | undefined {
  if (text.length < 20) return 'less than 20 characters long'
  if (text[10] !== 't' && text[10] !== 'T') return '11th character must be t or T'
  const day = date(text.slice(0, 10))
  if (day !== undefined) return `invalid date element: ${day}`
  const clock = time(text.slice(11))
  return clock === undefined ? undefined : `invalid time element: ${clock}`
}

function urlIssue(text: string): string | undefined {
  const url = parseGoUrl(text)
  if (url instanceof UrlIssue) return url.message
  const name = hostnameOf(url)
  if (!name.includes(':')) return undefined
  if (!url.host.includes('[') || !url.host.includes(']')) {
    return 'ipv6 address not enclosed in brackets'
  }
  const issue = ipv6(name)
  return issue === undefined ? undefined : `invalid ipv6 address: ${issue}`
}

function uri(text: string): string | undefined {
  const issue = urlIssue(text)
  if (issue !== undefined) return issue
  const url = parseGoUrl(text)
  return !(url instanceof UrlIssue) && url.scheme === '' ? 'relative url' : undefined
}

function uriReference(text: string): string | undefined {
  return text.includes('\\') ? 'contains \\' : urlIssue(text)
}

function uriTemplate(text: string): string | undefined {
  const issue = urlIssue(text)
  if (issue !== undefined) return issue
  const url = parseGoUrl(text)
  if (url instanceof UrlIssue) return url.message
  for (const part of url.rawPath.split('/')) {
    let open = false
    for (const char of part.replace(/%7B/gi, '{').replace(/%7D/gi, '}')) {
      if (char !== '{' && char !== '}') continue
      if ((char === '{') === open) return 'nested curly braces'
      open = !open
    }
    if (open) return 'no matching closing brace'
  }
  return undefined
}

function semver(text: string): string | undefined {
  let rest = text
  const plus = rest.indexOf('+')
  if (plus !== -1) {
    const build = rest.slice(plus + 1)
    if (build === '') return 'build is empty'
    for (const id of build.split('.')) {
      if (id === '') return 'build identifier is empty'
      const bad = /[^0-9a-zA-Z-]/u.exec(id)
      if (bad !== null) return `invalid character ${quoteRune(bad[0])} in build identifier`
    }
    rest = rest.slice(0, plus)
  }
  const dash = rest.indexOf('-')
  if (dash !== -1) {
    for (const id of rest.slice(dash + 1).split('.')) {
      if (id === '') return 'pre-release identifier is empty'
      const bad = /[^0-9a-zA-Z-]/u.exec(id)
      if (bad !== null) return `invalid character ${quoteRune(bad[0])} in pre-release identifier`
      if (/^0[0-9]+$/.test(id)) return 'pre-release numeric identifier starts with zero'
    }
    rest = rest.slice(0, dash)
  }
  const numbers = rest.split('.')
  if (numbers.length !== 3) return 'versionCore must have 3 numbers separated by dot'
  for (const [i, name] of ['major', 'minor', 'patch'].entries()) {
    const number = numbers[i]!
    if (number === '') return `${name} is empty`
    if (number.length > 1 && number.startsWith('0')) return `${name} starts with zero`
    if (/[^0-9]/.test(number)) return `${name} contains non-digit`
  }
  return undefined
}
