import { describe, expect, it } from 'vitest'
import { memoryTree } from '../files/index.ts'
import { testScripts } from './index.ts'

const widget = (paused: boolean, at = '2001-02-03'): string => `
apiVersion: example.com/v1
kind: Widget
metadata: {name: a, annotations: {at: "${at}"}}
spec: {paused: ${paused}}
`
const files = {
  'example.com/Widget/health.lua': `
    if obj.spec.paused then return {status = 'Suspended', message = 'Widget is paused'} end
    return {status = 'Healthy'}`,
  'example.com/Widget/health_test.yaml': `
tests:
- {healthStatus: {status: Healthy}, inputPath: testdata/runs.yaml}
- {healthStatus: {status: Suspended, message: Widget is paused}, inputPath: testdata/paused.yaml}
`,
  'example.com/Widget/testdata/runs.yaml': widget(false),
  'example.com/Widget/testdata/paused.yaml': widget(true),
  'example.com/Widget/actions/discovery.lua': `return {pause = {disabled = obj.spec.paused}}`,
  'example.com/Widget/actions/pause/action.lua': `
    local os = require('os')
    if obj.spec.paused then error('it is paused', 0) end
    obj.spec.paused = true
    obj.metadata.annotations.at = os.date('!%Y-%m-%d')
    return obj`,
  'example.com/Widget/actions/testdata/runs.yaml': widget(false),
  'example.com/Widget/actions/testdata/paused.yaml': widget(true, '1999-09-09'),
  'example.com/Widget/actions/action_test.yaml': `
discoveryTests:
- {inputPath: testdata/runs.yaml, result: [{name: pause, disabled: false}]}
- {inputPath: testdata/paused.yaml, result: [{name: pause, disabled: true}]}
actionTests:
- {action: pause, inputPath: testdata/runs.yaml, expectedOutputPath: testdata/paused.yaml}
- {action: pause, inputPath: testdata/paused.yaml, expectedErrorMessage: it is paused}
`,
}

describe('testScripts', () => {
  it('runs everything, whatever the clock says', () => {
    const results = testScripts(memoryTree(files))
    expect(results.map(({ name, failure }) => [name, failure])).toEqual([
      ['example.com/Widget/actions discovery testdata/runs.yaml', undefined],
      ['example.com/Widget/actions discovery testdata/paused.yaml', undefined],
      ['example.com/Widget/actions pause testdata/runs.yaml', undefined],
      ['example.com/Widget/actions pause testdata/paused.yaml', undefined],
      ['example.com/Widget testdata/runs.yaml', undefined],
      ['example.com/Widget testdata/paused.yaml', undefined],
    ])
  })

  it.each<[string, { [path: string]: string }, string]>([
    [
      'another verdict',
      { 'example.com/Widget/health.lua': `return {status = 'Degraded', message = 'no'}` },
      'expected Healthy, got Degraded "no"',
    ],
    ['no verdict', { 'example.com/Widget/health.lua': '' }, 'expected Healthy, got no health'],
    [
      'a script that fails',
      { 'example.com/Widget/health.lua': 'return nothing.at.all' },
      "<string>:1: attempt to index a non-table object(nil) with key 'at'",
    ],
    [
      'an input that is not there',
      { 'example.com/Widget/testdata/runs.yaml': '' },
      'example.com/Widget/testdata/runs.yaml: is no Kubernetes object',
    ],
    [
      'a test that cannot be read',
      { 'example.com/Widget/health_test.yaml': 'tests: 1' },
      'example.com/Widget/health_test.yaml: tests must be a list of objects',
    ],
    [
      'an action that does too little',
      { 'example.com/Widget/actions/pause/action.lua': 'return obj' },
      'metadata.annotations.at: expected "1999-09-09", got "2001-02-03"',
    ],
    [
      'an action that does not fail',
      {
        'example.com/Widget/actions/pause/action.lua': 'obj.spec.paused = true return obj',
        'example.com/Widget/actions/testdata/runs.yaml': widget(false, '1999-09-09'),
      },
      'expected the error "it is paused", got none',
    ],
    [
      'an action that is not expected',
      { 'example.com/Widget/actions/discovery.lua': 'return {stop = {}}' },
      'not expected: {"name":"stop"}',
    ],
    [
      'an action that is missing',
      { 'example.com/Widget/actions/discovery.lua': 'return {}' },
      'expected, and not there: {"name":"pause"}',
    ],
  ])('tells %s', (_, change, failure) => {
    const results = testScripts(memoryTree({ ...files, ...change }))
    expect(results.map((one) => one.failure).filter((one) => one !== undefined)).toContain(failure)
  })
})
