import { describe, expect, it } from 'vitest'
import { RenderError } from '../../../errors/index.ts'
import { memoryTree } from '../../../files/index.ts'
import { loadChart, renderChart } from '../index.ts'

function failureOf(files: { readonly [path: string]: string }, values = ''): RenderError {
  const tree = memoryTree({
    'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 0.1.0\n',
    'values.yaml': values,
    ...files,
  })
  try {
    renderChart(loadChart(tree, ''), { releaseName: 'rel' })
  } catch (error) {
    expect(error).toBeInstanceOf(RenderError)
    return error as RenderError
  }
  throw new Error('the chart renders')
}

describe('an error of a template', () => {
  it('tells its place, the includes that led there, and what was nil', () => {
    const error = failureOf({
      'templates/_t.tpl':
        '{{ define "outer" }}\n  {{ include "inner" . }}\n{{ end }}\n{{ define "inner" }}é {{ .Values.image.tag }}{{ end }}\n',
      'templates/a.yaml': 'a: 1\nb: {{ include "outer" . }}\n',
    })
    // printed by helm 4.2.2
    expect(error.message).toBe(
      [
        'app/templates/a.yaml:2:6',
        '  executing "app/templates/a.yaml" at <include "outer" .>:',
        '    error calling include:',
        'app/templates/_t.tpl:2:5',
        '  executing "outer" at <include "inner" .>:',
        '    error calling include:',
        'app/templates/_t.tpl:4:33',
        '  executing "inner" at <.Values.image.tag>:',
        '    nil pointer evaluating interface {}.tag',
      ].join('\n'),
    )
    expect(error.code).toBe('TEMPLATE_EXEC')
    expect(error.position).toEqual({ path: 'app/templates/_t.tpl', line: 4, column: 33 })
    expect(error.data).toEqual({
      chart: 'app',
      stack: [
        { template: 'app/templates/a.yaml', path: 'app/templates/a.yaml', line: 2, column: 7 },
        { template: 'outer', path: 'app/templates/_t.tpl', line: 2, column: 6 },
        { template: 'inner', path: 'app/templates/_t.tpl', line: 4, column: 33 },
      ],
      nil: '.Values.image',
    })
  })

  it('names the subchart', () => {
    const error = failureOf({
      'charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 0.1.0\n',
      'charts/sub/templates/x.yaml': '{{ fail "no" }}',
    })
    expect(error.message).toBe('execution error at (app/charts/sub/templates/x.yaml:1:3): no')
    expect(error.data['chart']).toBe('sub')
    expect(error.position).toEqual({ path: 'app/charts/sub/templates/x.yaml', line: 1, column: 4 })
  })

  it.each([
    ['{{ upper .Values.a.b }}', '.Values.a.b'],
    ['{{ required "give it" .Values.name }}', '.Values.name'],
    ['{{ $v := .Values }}{{ required "give it" $v.name }}', '$v.name'],
    ['{{ .Values.x.y.z }}', '.Values.x'],
    ['{{ fail "x" }}', undefined],
    ['{{ index .Values.l 3 }}', undefined],
  ])('%s: what was nil is %s', (template, nil) => {
    expect(failureOf({ 'templates/t.yaml': template }, 'a: {c: 1}').data['nil']).toBe(nil)
  })

  it('keeps values out of its facts', () => {
    const error = failureOf(
      { 'templates/t.yaml': '{{ tpl .Values.password . }}{{ b64enc .Values.password | fail }}' },
      `password: 'hunter2 {{ include "hunter2" "hunter2" }}'`,
    )
    expect(JSON.stringify([error.data, error.position, error.hint])).not.toContain('hunter2')
    expect(error.position).toEqual({ path: 'app/templates/t.yaml', line: 1, column: 4 })
  })

  it('tells where a template cannot be parsed', () => {
    const error = failureOf({ 'templates/t.yaml': 'a: 1\n{{ if }}\n' })
    expect(error.message).toBe('parse error at (app/templates/t.yaml:2): missing value for if')
    expect(error.position).toEqual({ path: 'app/templates/t.yaml', line: 2 })
    expect(error.data).toEqual({ chart: 'app' })
  })

  it('tells in which file a budget ran out', () => {
    const error = failureOf({ 'templates/t.yaml': '{{ range until 1000000000 }}{{ end }}' })
    expect(error.code).toBe('BUDGET_EXCEEDED')
    expect(error.position).toEqual({ path: 'app/templates/t.yaml' })
  })
})
