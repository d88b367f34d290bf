import { expect, it } from 'vitest'
import { RenderError } from '../../../errors/index.ts'
import { memoryTree } from '../../../files/index.ts'
import type { RenderInput } from '../../types.ts'
import { dataIn, positionIn } from './places.ts'

const input = {
  path: 'apps/web',
  tree: memoryTree({ 'apps/web/Chart.yaml': '', 'apps/web/templates/a.yaml': '' }),
} as unknown as RenderInput

const frame = (path: string): { readonly template: string; readonly path: string } => ({
  template: 't',
  path,
})

it('finds the files of a chart in the tree of the source', () => {
  const error = new RenderError('TEMPLATE_EXEC', 'no', {
    position: { path: 'web/templates/a.yaml', line: 2, column: 3 },
    data: { chart: 'web', stack: [frame('web/templates/a.yaml'), frame('web/charts/x/t.tpl')] },
  })
  expect(positionIn(error, input)).toEqual({
    path: 'apps/web/templates/a.yaml',
    line: 2,
    column: 3,
  })
  expect(dataIn(error, input)).toEqual({
    chart: 'web',
    stack: [frame('apps/web/templates/a.yaml'), frame('web/charts/x/t.tpl')],
  })
})

it('names Chart.yaml where an error has no place', () => {
  const error = new RenderError('HELM_FAILED', 'no', { data: { a: 1 } })
  expect(positionIn(error, input)).toEqual({ path: 'apps/web/Chart.yaml' })
  expect(dataIn(error, input)).toEqual({ a: 1 })
})
