// Charts that want too much: each ends in a named error before it has used up memory or time.
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { LitecdError } from '../../errors/index.ts'
import { memoryTree } from '../../files/index.ts'
import type { TemplateLimits } from '../../lang/gotemplate/index.ts'
import { loadChart, loadChartArchive, renderChart } from './index.ts'

type Files = { readonly [path: string]: string }

const limits: Partial<TemplateLimits> = { steps: 1_000_000, size: 4_000_000 }

function outcome(files: Files, values = ''): string {
  try {
    const tree = memoryTree({
      'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\n',
      'values.yaml': values,
      ...files,
    })
    renderChart(loadChart(tree, ''), { releaseName: 'rel', limits })
    return 'rendered'
  } catch (error) {
    if (!(error instanceof LitecdError)) throw error
    return error.code
  }
}

const ofTemplate = (template: string, values?: string): string =>
  outcome({ 'templates/t.yaml': template }, values)

/** A value that is shared by itself sixty times over, and one that contains itself. */
const shared = '{{ $d := dict "a" 1 }}{{ range 60 }}{{ $d = dict "a" $d "b" $d }}{{ end }}'
const cyclic = '{{ $d := dict }}{{ $_ := set $d "a" (list $d) }}'

describe('a template that wants too much', () => {
  it.each([
    // loops and lists
    '{{ range until 1000000000 }}{{ end }}',
    '{{ range 1000000000 }}{{ end }}',
    '{{ untilStep 0 1000000000 1 | len }}',
    '{{ seq 1 1000000000 | len }}',
    '{{ range 100000 }}{{ range 100000 }}x{{ end }}{{ end }}',
    '{{ $l := list 1 }}{{ range 60 }}{{ $l = concat $l $l }}{{ end }}',
    '{{ $l := list }}{{ range 1000000000 }}{{ $l = append $l . }}{{ end }}',
    '{{ $d := dict }}{{ range 1000000000 }}{{ $_ := set $d (toString .) 1 }}{{ end }}',
    '{{ $l := until 10000 }}{{ range 1000000000 }}{{ $x := uniq $l }}{{ end }}',
    '{{ $l := until 10000 }}{{ range 1000000000 }}{{ $x := sortAlpha $l }}{{ end }}',
    // texts
    '{{ repeat 1000000000 "abcdefgh" | len }}',
    '{{ $s := "ab" }}{{ range 60 }}{{ $s = printf "%s%s" $s $s }}{{ end }}',
    '{{ $s := "aa" }}{{ range 60 }}{{ $s = replace "a" "aa" $s }}{{ end }}',
    '{{ $s := repeat 100000 "a" }}{{ replace "" $s $s | len }}',
    '{{ $s := repeat 100000 "a" }}{{ regexReplaceAll "a" $s $s | len }}',
    '{{ join (repeat 100000 "a") (until 100000) | len }}',
    '{{ indent 1000000000 "a" | len }}',
    '{{ nindent 100000 (repeat 100000 "\\n") | len }}',
    '{{ splitList "" (repeat 10000000 "a") | len }}',
    '{{ splitn "a" 100000000 (repeat 10000000 "a") | len }}',
    '{{ wrapWith 1 (repeat 10000 "x") (repeat 100000 "y") | len }}',
    '{{ range 1000000000 }}{{ $x := printf "%999999d" 1 }}{{ end }}',
    '{{ range 1000000000 }}{{ $x := title (repeat 100000 "ab ") }}{{ end }}',
    '{{ range 1000000000 }}{{ $x := sha256sum (repeat 1000000 "ab ") }}{{ end }}',
    '{{ range 1000000000 }}{{ $x := snakecase (repeat 100000 "aB") }}{{ end }}',
    '{{ randAlphaNum 1000000000 | len }}',
    '{{ randBytes 1000000000 | len }}',
    '{{ range 1000000000 }}{{ $x := randAscii 10000 }}{{ end }}',
    '{{ range 1000000000 }}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa{{ end }}',
    // values that grow when they are walked
    `${shared}{{ $d }}`,
    `${shared}{{ toYaml $d }}`,
    `${shared}{{ toJson $d }}`,
    `${shared}{{ toToml $d }}`,
    `${shared}{{ toYamlPretty $d }}`,
    `${shared}{{ $x := deepCopy $d }}`,
    `${shared}{{ deepEqual $d (deepCopy $d) }}`,
    `${shared}{{ quote $d }}`,
    `${cyclic}{{ $d }}`,
    `${cyclic}{{ toYamlPretty $d }}`,
    `${cyclic}{{ toToml $d }}`,
    `${cyclic}{{ $x := deepCopy $d }}`,
    `${cyclic}{{ $e := dict }}{{ $_ := set $e "a" (list $e) }}{{ deepEqual $d $e }}`,
    '{{ $_ := set .Values "x" .Values }}{{ .Values }}',
    // templates that call each other
    '{{ define "a" }}{{ include "b" . }}{{ end }}{{ define "b" }}{{ include "a" . }}{{ end }}{{ include "a" . }}',
    '{{ define "r" }}{{ if gt . 0 }}{{ include "r" (sub . 1 | int) }}{{ include "r" (sub . 1 | int) }}{{ end }}{{ end }}{{ include "r" 60 }}',
    '{{ range 1000000000 }}{{ tpl (printf "{{ %d }}" .) $ }}{{ end }}',
    // expensive functions
    '{{ range 1000000000 }}{{ $x := bcrypt (toString .) }}{{ end }}',
    '{{ range 1000000000 }}{{ $x := htpasswd "u" (toString .) }}{{ end }}',
    '{{ range 1000000000 }}{{ $x := genPrivateKey "rsa" }}{{ end }}',
    '{{ range 1000000000 }}{{ $x := genCA (toString .) 1 }}{{ end }}',
    '{{ derivePassword 1 "long" "p" "u" "s" }}',
    '{{ range 1000000000 }}{{ $x := encryptAES "k" (repeat 10000 "x") }}{{ end }}',
    // regular expressions
    '{{ regexMatch (repeat 100000 "(a|b)*") "a" }}',
    '{{ regexMatch "(a*)*b" (repeat 3000000 "aaaaaaa") }}',
    '{{ range 1000000000 }}{{ $x := regexFindAll "a?" (repeat 1000 "a") -1 }}{{ end }}',
    '{{ range 1000000000 }}{{ $x := regexSplit "" (repeat 1000 "a") -1 }}{{ end }}',
    // documents
    '{{ fromYaml (repeat 9000000 "a") | len }}',
    '{{ $s := repeat 10000 "a: 1\\n" }}{{ range 1000000000 }}{{ $x := fromYaml $s }}{{ end }}',
    '{{ $s := print "[" (repeat 10000 "1,") "1]" }}{{ range 1000000000 }}{{ $x := fromJsonArray $s }}{{ end }}',
    '{{ fromYaml (print (repeat 100000 "[") (repeat 100000 "]")) }}',
    // texts of templates
    `${'{{ if true }}'.repeat(20_000)}${'{{ end }}'.repeat(20_000)}`,
    `{{ ${'('.repeat(20_000)}1${')'.repeat(20_000)} }}`,
  ])('%s', (template) => {
    expect(ofTemplate(template)).toBe('BUDGET_EXCEEDED')
  })

  it.each([
    // Helm's own limits, with its words
    ['{{ define "r" }}{{ include "r" . }}{{ end }}{{ include "r" . }}', 'TEMPLATE_EXEC'],
    ['{{ define "r" }}{{ template "r" . }}{{ end }}{{ template "r" . }}', 'TEMPLATE_EXEC'],
    // what Go refuses or cuts, so do we
    ['a: {{ printf "%1000000000d" 1 | len }}', 'rendered'],
    ['a: {{ printf "%*d" 100000000 1 | len }}', 'rendered'],
    [`${cyclic}a: {{ toJson $d | quote }}{{ toYaml $d }}`, 'rendered'],
    ['a: {{ atoi (repeat 100000 "7") }}{{ int (repeat 100000 "7") }}', 'rendered'],
    ['{{ semverCompare (repeat 100000 ">=1.0.0 ") "1.0.0" }}', 'TEMPLATE_EXEC'],
    ['a: {{ round 1e308 1000000000 }}', 'rendered'],
    ['a: {{ .Files.Glob (repeat 10000 "{a,b}") | len }}', 'rendered'],
  ])('%s: %s', (template, want) => {
    expect(ofTemplate(template)).toBe(want)
  })

  it('a text that runs itself', () => {
    expect(ofTemplate('{{ tpl .Values.t . }}', 't: "{{ tpl .Values.t . }}"')).toBe(
      'BUDGET_EXCEEDED',
    )
  })
})

describe('values and schemas that want too much', () => {
  const bomb = [...'bcdefghi'].map((key, i) => {
    const below = `*${'abcdefgh'[i]}`
    return `${key}: &${key} [${Array(9).fill(below).join(', ')}]`
  })
  const anchors = `a: &a [x, x, x, x, x, x, x, x, x]\n${bomb.join('\n')}\n`

  it.each([
    ['a bomb of aliases', anchors, 'YAML_INVALID'],
    ['deep lists', 'a: ' + '['.repeat(100_000), 'BUDGET_EXCEEDED'],
    ['deep maps', 'a: ' + '{a: '.repeat(9_000) + '}'.repeat(9_000), 'BUDGET_EXCEEDED'],
  ])('%s', (_, values, want) => {
    expect(ofTemplate('a: 1', values)).toBe(want)
  })

  const nested = Array.from({ length: 40 }, (_, i) => {
    const next = `{"$ref": "#/$defs/s${i + 1}"}`
    return `"s${i}": {"allOf": [${next}, ${next}]}`
  })
  it.each([
    [
      'schemas that double',
      `{"$ref": "#/$defs/s0", "$defs": {${nested.join(', ')}, "s40": {}}}`,
      'a: 1',
      'BUDGET_EXCEEDED',
    ],
    [
      'deep schemas',
      '{"not": '.repeat(50_000) + '{}' + '}'.repeat(50_000),
      'a: 1',
      'BUDGET_EXCEEDED',
    ],
    ['schemas that refer to themselves', '{"$ref": "#"}', 'a: 1', 'HELM_VALUES'],
    [
      'unique items without end',
      '{"properties": {"a": {"uniqueItems": true}}}',
      `a: [${Array.from({ length: 20_000 }, (_, i) => `{x: ${i}}`).join(', ')}]`,
      'BUDGET_EXCEEDED',
    ],
    [
      'patterns that blow up elsewhere',
      '{"properties": {"a": {"pattern": "^(a+)+$b"}}}',
      `a: ${'a'.repeat(50_000)}`,
      'HELM_VALUES',
    ],
  ])('%s', (_, schema, values, want) => {
    expect(outcome({ 'templates/t.yaml': 'a: 1', 'values.schema.json': schema }, values)).toBe(want)
  })
})

/** One entry of a tar archive; `type` 0 is a file, 2 a symbolic link. */
function entry(name: string, body: Uint8Array, type = '0', link = ''): Uint8Array {
  const header = new Uint8Array(512)
  const put = (at: number, text: string): void => header.set(new TextEncoder().encode(text), at)
  put(0, name)
  put(100, '0000644\0')
  put(124, body.length.toString(8).padStart(11, '0') + '\0')
  put(136, '00000000000\0')
  put(148, ' '.repeat(8))
  put(156, type)
  put(157, link)
  put(257, 'ustar\u000000')
  const sum = header.reduce((total, byte) => total + byte, 0)
  put(148, sum.toString(8).padStart(6, '0') + '\0 ')
  const padded = new Uint8Array(Math.ceil(body.length / 512) * 512)
  padded.set(body)
  return Uint8Array.from([...header, ...(body.length > 100_000 ? [] : padded)])
}

function archive(...entries: readonly Uint8Array[]): Uint8Array {
  const end = new Uint8Array(1024)
  return gzipSync(Buffer.concat([...entries, end]))
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const chartYaml = entry('c/Chart.yaml', bytes('apiVersion: v2\nname: c\nversion: 0.1.0\n'))

describe('an archive that wants too much', () => {
  const failure = (data: Uint8Array): string => {
    try {
      loadChartArchive(data)
      return 'loaded'
    } catch (error) {
      if (!(error instanceof LitecdError)) throw error
      return `${error.code} ${error.message}`
    }
  }

  it('loads when nothing is wrong', () => {
    expect(failure(archive(chartYaml))).toBe('loaded')
  })

  it.each([
    [
      'a path out of the chart',
      archive(chartYaml, entry('c/../../etc/passwd', bytes('x'))),
      'SOURCE_UNSAFE',
    ],
    ['an absolute path', archive(chartYaml, entry('c//etc/passwd', bytes('x'))), 'SOURCE_UNSAFE'],
    ['no gzip', bytes('plain'), ''],
  ])('%s', (_, data, want) => {
    const text = failure(data)
    expect(text).not.toBe('loaded')
    expect(text).toContain(want)
  })

  it('follows no symbolic link', () => {
    const data = archive(chartYaml, entry('c/templates/x.yaml', bytes(''), '2', '/etc/passwd'))
    expect(failure(data)).toBe('loaded')
    expect(renderChart(loadChartArchive(data), { releaseName: 'rel' }).text.trim()).toBe('')
  })

  it('stops at a megabyte that unpacks to gigabytes', () => {
    const zeros = new Uint8Array(64 * 1024 * 1024)
    const parts = Array.from({ length: 6 }, () => zeros)
    const data = new Uint8Array(gzipSync(Buffer.concat([chartYaml, ...parts])))
    expect(data.length).toBeLessThan(1_000_000)
    expect(failure(data)).toMatch(/^(BUDGET_EXCEEDED|SOURCE_CORRUPT|HELM_FAILED) /)
  })

  it('stops at a file of more than five megabytes', () => {
    const tree = memoryTree({
      'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\n',
      'big.txt': 'x'.repeat(5 * 1024 * 1024 + 1),
    })
    expect(() => loadChart(tree, '')).toThrow(
      'chart file "big.txt" is larger than the maximum file size 5242880',
    )
  })
})

describe('what a chart cannot reach', () => {
  it.each([
    ['files outside', '{{ .Files.Get "../secret" }}{{ .Files.Get "/etc/passwd" }}', ''],
    ['files by pattern', '{{ range $k, $v := .Files.Glob "**secret" }}{{ $k }}{{ end }}', ''],
    ['the network', '{{ getHostByName "localhost" }}', ''],
    ['live objects', '{{ lookup "v1" "Secret" "ns" "s" | toJson }}', '{}'],
  ])('%s', (_, template, want) => {
    const tree = memoryTree({
      secret: 'no',
      'c/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\n',
      'c/templates/t.yaml': `a: '${template}'\n`,
    })
    const { text } = renderChart(loadChart(tree, 'c'), { releaseName: 'rel' })
    expect(text).toBe(`---\n# Source: c/templates/t.yaml\na: '${want}'\n`)
  })

  it.each(['env', 'expandenv'])('the environment through %s', (name) => {
    expect(ofTemplate(`{{ ${name} "HOME" }}`)).toBe('TEMPLATE_PARSE')
  })
})
