import { RenderError } from '@litecd/core/errors'
import { describe, expect, it } from 'vitest'
import type { AppReport, Report } from '../workspace/report.ts'
import { palette } from './color.ts'
import { printError } from './error.ts'
import { printJson } from './json.ts'
import { printMarkdown } from './markdown.ts'
import { printReport } from './text.ts'

const nasty = 'x\u001b[2J\u202e\n- forged `</details>` <b>@all</b> &amp; $x$'

/** A report in which everything that comes from a repository is hostile. */
function report(): Report {
  const app: AppReport = {
    preview: {
      namespace: 'argocd',
      name: nasty,
      project: nasty,
      destination: { server: nasty, namespace: nasty },
      change: 'changed',
      specFields: [
        { path: ['spec', nasty], change: 'modify', before: nasty, after: 'y' },
      ] as AppReport['preview']['specFields'],
      objects: [
        {
          key: { group: '', kind: nasty, namespace: nasty, name: nasty },
          apiVersion: 'v1',
          change: 'changed',
          wave: 0,
          hooks: [],
          origin: { path: nasty, line: 1 },
          fields: [],
          secretKeys: [{ key: nasty, change: 'modify' }],
          remark: nasty,
        },
      ],
      objectCount: 1,
      sourceTypes: ['Directory'],
      conditions: [{ type: 'ComparisonError', message: nasty }],
    },
    origin: { position: { path: nasty, line: 1 }, parents: [nasty] },
    reasons: [nasty],
  }
  return {
    base: { name: 'main', commit: '0'.repeat(40) },
    head: { name: 'working tree', commit: '0'.repeat(40) },
    applications: [app],
    unchanged: 0,
    rendered: 1,
    problems: [
      new RenderError('YAML_INVALID', nasty, { position: { path: nasty, line: 2 }, hint: nasty }),
    ],
    remarks: [{ code: 'APP_DUPLICATE', message: nasty, position: { path: nasty, line: 3 } }],
  }
}

const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/

describe('what a repository says, printed', () => {
  it.each<[string, string]>([
    ['text', printReport(report(), palette(false))],
    ['Markdown', printMarkdown(report())],
    ['an error', printError(report().problems[0] as RenderError)],
  ])('moves no cursor in %s', (_title, text) => {
    expect(text).not.toMatch(control)
    expect(text).toContain('\\u001b[2J')
  })

  it('adds no line to the text report with a name', () => {
    const lines = printReport(report(), palette(false)).split('\n')
    const forged = lines.filter((line) => /^\s*- forged/.test(line))
    // messages may have several lines: that of the condition, the problem, its hint, the remark of the object, the note
    expect(forged).toHaveLength(5)
    for (const start of ['~ x', '  why: x', '  rendered by x', '    ~ ']) {
      expect(lines.some((line) => line.startsWith(start) && line.includes('forged'))).toBe(true)
    }
  })

  it('opens and closes no element of the Markdown report', () => {
    const text = printMarkdown(report())
    const outside = text.replace(/^(`{3,})[\s\S]*?^\1$/gm, '').replace(/(`+) .*? \1/g, '')
    expect(outside.match(/<\/?[a-z]+/g)).toEqual([
      '<details',
      '<summary',
      '<b',
      '</b',
      '</summary',
      '</details',
    ])
    expect(outside).not.toMatch(/@all/)
    expect(outside).toContain('&amp;amp;')
    expect(outside).toContain('\\$x\\$')
  })

  it('stays one JSON value', () => {
    const value = JSON.parse(printJson(report())) as { applications: { name: string }[] }
    expect(value.applications[0]?.name).toBe(nasty)
    expect(printJson(report())).not.toContain('\u001b')
  })
})
