import { RenderError } from '@litecd/core/errors'
import { describe, expect, it } from 'vitest'
import { printError } from './error.ts'

const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/

describe('an error of a template', () => {
  const at = (path: string, line: number): { readonly [key: string]: string | number } => ({
    template: path,
    path,
    line,
    column: 3,
  })

  it('tells what was nil and who included the place', () => {
    const error = new RenderError('TEMPLATE_EXEC', 'nil pointer', {
      position: { path: 'c.tpl', line: 3, column: 3 },
      hint: 'Set it.',
      data: { nil: '.Values.a', stack: [at('a.yaml', 1), at('b.tpl', 2), at('c.tpl', 3)] },
    })
    expect(printError(error)).toBe(
      [
        'c.tpl:3:3: TEMPLATE_EXEC: nil pointer',
        '  nil: .Values.a',
        '  included at b.tpl:2:3',
        '  included at a.yaml:1:3',
        '  Set it.',
        '',
      ].join('\n'),
    )
  })

  it('shortens a recursion and moves no cursor', () => {
    const stack = Array.from({ length: 1000 }, (_, i) => at('\u001b[2J\nx', i + 1))
    const error = new RenderError('TEMPLATE_EXEC', 'deep', { data: { nil: '.a\nb\u001b', stack } })
    const text = printError(error)
    expect(text.split('\n')).toHaveLength(14)
    expect(text).toContain('… 989 more')
    expect(text).not.toMatch(control)
  })
})
