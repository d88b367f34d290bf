import { isBlankOrEnd, isBreak } from './chars.ts'
import type { YamlDialect } from './problem.ts'
import { resolvePlain } from './resolve.ts'

/** What a text allows: which styles can carry it, and whether it spans lines. */
export interface ScalarTraits {
  readonly multiline: boolean
  readonly flowPlain: boolean
  readonly blockPlain: boolean
  readonly single: boolean
  readonly block: boolean
}

const emptyTraits: ScalarTraits = {
  multiline: false,
  flowPlain: false,
  blockPlain: true,
  single: true,
  block: false,
}

const simpleTraits: ScalarTraits = {
  multiline: false,
  flowPlain: true,
  blockPlain: true,
  single: true,
  block: true,
}

const simple = /^[A-Za-z0-9_/.+$;=^~()\\][A-Za-z0-9_/.+$;=^~()\\@*&!|<>'"%`-]*$/

/** Whether nothing in a text, which has no space, asks for quotes in any context. */
export function isSimple(text: string): boolean {
  return simple.test(text) && !text.startsWith('...')
}

/**
 * Source: go.yaml.in/yaml v2.4.3 and v3.0.4 emitterc.go, `yaml_emitter_analyze_scalar`
 */
export function analyzeScalar(text: string, dialect: YamlDialect): ScalarTraits {
  if (text === '') return emptyTraits
  if (isSimple(text)) return simpleTraits

  let flowIndicator = text.startsWith('---') || text.startsWith('...')
  let blockIndicator = flowIndicator
  let multiline = false
  let special = false
  let tab = false
  let breakSpace = false
  let spaceBreak = false
  let afterBlank = true
  let afterSpace = false
  let afterBreak = false
  const { length } = text
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    const next = i + 1 < length ? text.charCodeAt(i + 1) : 0x20
    const beforeBlank = next === 0x20 || next === 0x09
    switch (code) {
      case 0x2c: // ,
      case 0x5b: // [
      case 0x5d: // ]
      case 0x7b: // {
      case 0x7d: // }
        flowIndicator = true
        if (i === 0) blockIndicator = true
        break
      case 0x26: // &
      case 0x2a: // *
      case 0x21: // !
      case 0x7c: // |
      case 0x3e: // >
      case 0x27: // '
      case 0x22: // "
      case 0x25: // %
      case 0x40: // @
      case 0x60: // `
        if (i === 0) flowIndicator = blockIndicator = true
        break
      case 0x23: // #
        if (afterBlank) flowIndicator = blockIndicator = true
        break
      case 0x3f: // ?
        flowIndicator = true
        if (i === 0 && beforeBlank) blockIndicator = true
        break
      case 0x3a: // :
        flowIndicator = true
        if (beforeBlank) blockIndicator = true
        break
      case 0x2d: // -
        if (i === 0 && beforeBlank) flowIndicator = blockIndicator = true
        break
      case 0x09:
        if (dialect === 'v3') tab = true
        else special = true
        break
      default:
        if (!isPrintable(code)) special = true
    }
    if (code === 0x20) {
      if (afterBreak) breakSpace = true
      afterSpace = true
      afterBreak = false
    } else if (isBreak(code)) {
      multiline = true
      if (afterSpace) spaceBreak = true
      afterSpace = false
      afterBreak = true
    } else {
      afterSpace = false
      afterBreak = false
    }
    afterBlank = isBlankOrEnd(code)
  }
  const first = text.charCodeAt(0)
  const last = text.charCodeAt(length - 1)
  const ragged = first === 0x20 || last === 0x20 || isBreak(first) || isBreak(last)
  const noPlain = ragged || multiline || breakSpace || spaceBreak || special || tab
  return {
    multiline,
    flowPlain: !noPlain && !flowIndicator,
    blockPlain: !noPlain && !blockIndicator,
    single: !(breakSpace || spaceBreak || special || tab),
    block: !(last === 0x20 || spaceBreak || special),
  }
}

/** Go's idea of what needs no escape; halves of surrogate pairs stand for characters above U+FFFF, which do. */
export function isPrintable(code: number): boolean {
  if (code >= 0x20 && code <= 0x7e) return true
  if (code === 0x0a) return true
  if (code < 0xa0) return false
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd && code !== 0xfeff)
}

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/
const oldBool = /^(?:[yYnN]|yes|Yes|YES|on|On|ON|no|No|NO|off|Off|OFF)$/

/** Whether a reader would take the text, without quotes, for something else than a string. */
export function readsAsOther(text: string, dialect: YamlDialect): boolean {
  if (resolvePlain(text, dialect).tag !== '!!str') return true
  const first = text.charCodeAt(0)
  if ((first <= 0x39 && first >= 0x30) || first === 0x2b || first === 0x2d) {
    return text.includes(':') && base60.test(text)
  }
  return dialect === 'v3' && oldBool.test(text)
}
