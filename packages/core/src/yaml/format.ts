import { RenderError } from '../errors/index.ts'
import { formatJson, isObject, type Json, type JsonObject } from '../json/index.ts'
import { byteLength } from '../text/index.ts'
import { isBreak } from './chars.ts'
import { formatFloatG } from './go-float.ts'
import { parseYaml } from './parse.ts'
import type { YamlDialect } from './problem.ts'
import { analyzeScalar, isSimple, readsAsOther, type ScalarTraits } from './scalar-traits.ts'
import { maxDepth } from './scanner.ts'
import { sortKeys } from './sort-keys.ts'
import {
  blockHints,
  doubleQuoted,
  literalBody,
  plainText,
  type ScalarPlace,
  singleQuoted,
} from './write-scalar.ts'

/** The encoder of go-yaml v3, which writes Go values as they are. */
export interface PrettyOptions {
  /** Columns per level, 2 to 9; 2 as in Helm and Kustomize. Go's own default is 4. */
  readonly indent?: number
  /** Dashes in the column of the key above, as Kustomize writes lists. */
  readonly compactLists?: boolean
}

/**
 * A value as `Marshal` of sigs.k8s.io/yaml writes it: keys sorted, lists not indented, text folded behind column 80,
 * a line feed at the end. The value passes through JSON text on the way, with all that this does to odd characters.
 *
 * Errors: YAML_INVALID in Go's words for NaN, infinities and characters that YAML does not allow.
 * Source: sigs.k8s.io/yaml v1.6.0 yaml.go, go.yaml.in/yaml v2.4.3 encode.go and emitterc.go
 */
export function formatYaml(value: Json): string {
  const style = new SigsStyle()
  const text = new Writer(style).document(value)
  if (!style.suspicious) return text
  // Something in it does not survive the way through JSON text unchanged, so go that way.
  return new Writer(new SigsStyle()).document(parseYaml(formatJson(value)))
}

/**
 * A value as the encoder of go-yaml v3 writes Go values: lists inside mappings indented, nothing folded. A `number` is
 * a float64 (1000000 is `1e+06`), a `bigint` is an integer.
 *
 * Source: go.yaml.in/yaml v3.0.4 encode.go and emitterc.go
 */
export function formatYamlPretty(value: Json, options: PrettyOptions = {}): string {
  return new Writer(new V3Style(options)).document(value)
}

interface Style {
  readonly dialect: YamlDialect
  readonly step: number
  readonly width: number
  /** Indentation of a collection or a continued scalar below one at `indent`. */
  inner(indent: number, inSequence: boolean): number
  /** Indentation of a list that is the value of a simple key at `indent`. */
  list(indent: number): number
  number(value: number | bigint): string
  /** Called with every string. */
  see(text: string, isKey: boolean): void
}

const oddCharacters = /[\u007f-\u009f\ufffe\uffff\ud800-\udfff]/u
const longKey = 150 // far below the 1,024 characters, escaped and quoted, that a key in JSON text may have

class SigsStyle implements Style {
  readonly dialect = 'v2'
  readonly step = 2
  readonly width = 80
  suspicious = false

  inner(indent: number): number {
    return indent + 2
  }

  list(indent: number): number {
    return indent
  }

  number(value: number | bigint): string {
    if (typeof value === 'bigint') {
      return value >= -(2n ** 63n) && value < 2n ** 64n
        ? value.toString()
        : formatFloatG(Number(value))
    }
    if (!Number.isFinite(value)) {
      const text = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
      throw new RenderError(
        'YAML_INVALID',
        `error marshaling into JSON: json: unsupported value: ${text}`,
      )
    }
    if (Number.isSafeInteger(value)) return String(value === 0 ? 0 : value)
    if (Number.isInteger(value) && Math.abs(value) < 1e21) {
      const text = String(value)
      const exact = BigInt(text)
      if (exact >= -(2n ** 63n) && exact < 2n ** 64n) return text
    }
    return formatFloatG(value)
  }

  see(text: string, isKey: boolean): void {
    if (this.suspicious) return
    if (oddCharacters.test(text) || (isKey && text.length > longKey)) this.suspicious = true
  }
}

class V3Style implements Style {
  readonly dialect = 'v3'
  readonly step: number
  readonly width: number = Number.POSITIVE_INFINITY
  private readonly compact: boolean

  constructor(options: PrettyOptions) {
    const step = options.indent ?? 2
    this.step = step < 2 || step > 9 ? 2 : step
    this.compact = options.compactLists ?? false
  }

  inner(indent: number, inSequence: boolean): number {
    if (inSequence) return indent + 2
    return this.step * Math.floor((indent + this.step) / this.step)
  }

  list(indent: number): number {
    return this.inner(indent, false) - (this.compact ? 2 : 0)
  }

  number(value: number | bigint): string {
    if (typeof value === 'bigint') return value.toString()
    const text = formatFloatG(value)
    if (text === 'NaN') return '.nan'
    return text === '+Inf' ? '.inf' : text === '-Inf' ? '-.inf' : text
  }

  see(): void {}
}

/** Every method that writes a value leaves a finished line behind. */
class Writer {
  private readonly style: Style
  private out = ''
  private depth = 0

  constructor(style: Style) {
    this.style = style
  }

  document(value: Json): string {
    if (Array.isArray(value) && value.length > 0) this.list(value, 0, true)
    else if (isObject(value) && !isEmpty(value)) this.mapping(value, 0, true)
    else this.scalar(value, 0, this.style.step)
    return this.out
  }

  private enter(): void {
    if (++this.depth > maxDepth) {
      throw new RenderError('BUDGET_EXCEEDED', `yaml: exceeded max depth of ${maxDepth}`)
    }
  }

  /** `continued`: the first line is begun already, behind a dash or a colon. */
  private list(items: readonly Json[], indent: number, continued: boolean): void {
    this.enter()
    const pad = ' '.repeat(indent)
    const inner = this.style.inner(indent, true)
    let first = continued
    for (const item of items) {
      this.out += first ? '- ' : pad + '- '
      first = false
      if (Array.isArray(item) && item.length > 0) this.list(item, inner, true)
      else if (isObject(item) && !isEmpty(item)) this.mapping(item, inner, true)
      else this.scalar(item, indent + 2, inner)
    }
    this.depth--
  }

  private mapping(object: JsonObject, indent: number, continued: boolean): void {
    this.enter()
    const pad = ' '.repeat(indent)
    let first = continued
    for (const key of sortKeys(Object.keys(object), this.style.dialect)) {
      const value = object[key]
      if (value === undefined) continue
      if (!first) this.out += pad
      first = false
      this.entry(key, value, indent)
    }
    this.depth--
  }

  private entry(key: string, value: Json, indent: number): void {
    const { style } = this
    if (isPlainWord(key, style.dialect)) {
      this.out += key + ':'
      this.value(value, indent, indent + key.length + 1, style.inner(indent, false), true)
      return
    }
    style.see(key, true)
    const traits = analyzeScalar(key, style.dialect)
    const isShort = !traits.multiline && (key.length <= 42 || byteLength(key) <= 128)
    const inner = style.inner(indent, false)
    let column = indent
    if (isShort) {
      const text = this.simpleKey(key, traits)
      this.out += text + ':'
      column += text.length + 1
    } else {
      this.out += '? '
      this.text(key, traits, indent + 2, inner)
      this.out += ' '.repeat(indent) + ':'
      column++
    }
    this.value(value, indent, column, inner, isShort)
  }

  /** The value of an entry at `indent`, behind its colon, which ends before `column`. */
  private value(
    value: Json,
    indent: number,
    column: number,
    inner: number,
    isSimple: boolean,
  ): void {
    const { style } = this
    if (Array.isArray(value) && value.length > 0) {
      this.out += isSimple ? '\n' : ' '
      this.list(value, isSimple ? style.list(indent) : inner, !isSimple)
    } else if (isObject(value) && !isEmpty(value)) {
      this.out += isSimple ? '\n' : ' '
      this.mapping(value, inner, !isSimple)
    } else {
      this.out += ' '
      this.scalar(value, column + 1, inner)
    }
  }

  private simpleKey(key: string, traits: ScalarTraits): string {
    const place = { column: 0, indent: 0, width: Number.POSITIVE_INFINITY }
    if (readsAsOther(key, this.style.dialect)) return doubleQuoted(key, place)
    if (traits.blockPlain) return key
    return traits.single ? singleQuoted(key, place) : doubleQuoted(key, place)
  }

  private scalar(value: Json, column: number, indent: number): void {
    switch (typeof value) {
      case 'string':
        if (isPlainWord(value, this.style.dialect)) {
          this.out += value + '\n'
          return
        }
        this.style.see(value, false)
        this.text(value, analyzeScalar(value, this.style.dialect), column, indent)
        return
      case 'boolean':
        this.out += value ? 'true\n' : 'false\n'
        return
      case 'number':
      case 'bigint':
        this.out += this.style.number(value) + '\n'
        return
      default:
        this.out += value === null ? 'null\n' : Array.isArray(value) ? '[]\n' : '{}\n'
    }
  }

  private text(text: string, traits: ScalarTraits, column: number, indent: number): void {
    const { style } = this
    const place: ScalarPlace = { column, indent, width: style.width }
    if (text.includes('\n')) {
      if (traits.block) {
        this.out += '|' + blockHints(text, style.step) + '\n' + literalBody(text, indent)
        if (!isBreak(text.charCodeAt(text.length - 1))) this.out += '\n'
        return
      }
      this.out += doubleQuoted(text, place)
    } else if (readsAsOther(text, style.dialect)) {
      this.out += doubleQuoted(text, place)
    } else if (traits.blockPlain) {
      this.out += plainText(text, place)
    } else {
      this.out += traits.single ? singleQuoted(text, place) : doubleQuoted(text, place)
    }
    this.out += '\n'
  }
}

function isEmpty(object: JsonObject): boolean {
  for (const key in object) {
    if (Object.hasOwn(object, key) && object[key] !== undefined) return false
  }
  return true
}

const longestWord = 40
const mostWords = 4_096
const plainWords = new Map<string, boolean>()

/**
 * Whether a text without space is written as it is wherever it stands. Manifests have the same few thousand words, and
 * charts write them again and again.
 */
function isPlainWord(text: string, dialect: YamlDialect): boolean {
  if (dialect !== 'v2' || text.length > longestWord) return false
  const known = plainWords.get(text)
  if (known !== undefined) return known
  const isPlain = isSimple(text) && !readsAsOther(text, dialect)
  if (plainWords.size >= mostWords) plainWords.clear()
  plainWords.set(text, isPlain)
  return isPlain
}
