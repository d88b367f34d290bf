import { describe, expect, it } from 'vitest'
import type { KustomizeSource } from '../../../argo/index.ts'
import { memoryTree } from '../../../files/index.ts'
import { readBuildFlags } from './build-options.ts'
import { editKustomization } from './edit.ts'

const file = `images: [{name: b, newName: c, newTag: "1"}, {name: z, newTag: "9"}]
replicas: [{name: web, count: 1}]
commonLabels: {a: b}
commonAnnotations: {m: w}
labels: [{pairs: {x: w}}]
components: [one]
`

function edit(source: KustomizeSource, text: string = file): unknown {
  const tree = memoryTree({
    'app/kustomization.yaml': text,
    'app/one/kustomization.yaml': '',
    'app/two/kustomization.yaml': '',
  })
  const environment = { ARGOCD_APP_NAME: 'shop' }
  return editKustomization(source, { tree, path: 'app', environment })
}

describe('editKustomization', () => {
  it('leaves a file alone that the Application does not change', () => {
    expect(edit({})).toBeUndefined()
  })

  it.each<[string, KustomizeSource, object]>([
    ['prefix', { namePrefix: 'p-' }, { namePrefix: 'p-' }],
    [
      'images',
      { images: ['b:2', 'a=$ARGOCD_APP_NAME/a', 'z=*:*'] },
      {
        images: [
          { name: 'a', newName: 'shop/a', newTag: '', digest: '' },
          { name: 'b', newName: '', newTag: '2', digest: '' },
          { name: 'z', newName: '', newTag: '9', digest: '' },
        ],
      },
    ],
    [
      'replicas',
      {
        replicas: [
          { name: 'api', count: '3' },
          { name: 'web', count: 2 },
        ],
      },
      {
        replicas: [
          { name: 'api', count: 3 },
          { name: 'web', count: 2 },
        ],
      },
    ],
    [
      'labels with selectors',
      { commonLabels: { c: '"q"', d: '${ARGOCD_APP_NAME}' } },
      { commonLabels: { a: 'b', c: 'q', d: 'shop' } },
    ],
    [
      'labels without selectors',
      { commonLabels: { a: '1' }, labelWithoutSelector: true },
      { labels: [{ pairs: { x: 'w', a: '1' } }] },
    ],
    [
      'labels of templates',
      { commonLabels: { a: '1' }, labelWithoutSelector: true, labelIncludeTemplates: true },
      { labels: [{ pairs: { x: 'w' } }, { pairs: { a: '1' }, includeTemplates: true }] },
    ],
    [
      'annotations as they are',
      { commonAnnotations: { o: '$ARGOCD_APP_NAME' } },
      { commonAnnotations: { m: 'w', o: '$ARGOCD_APP_NAME' } },
    ],
    [
      'components',
      { components: ['one', 'two', 'none'], ignoreMissingComponents: true },
      { components: ['one', 'two'] },
    ],
  ])('%s', (_, source, want) => {
    expect(edit(source)).toMatchObject(want)
  })

  it.each<[string, KustomizeSource, string]>([
    ['a label', { commonLabels: { a: 'c' } }, 'label a already in kustomization file. Use --force'],
    ['an annotation', { commonAnnotations: { m: 'c' } }, 'annotation m already in kustomization'],
    ['a count', { replicas: [{ name: 'web', count: 'x' }] }, 'Received: x'],
    ['an image', { images: ['nothing'] }, 'invalid format of image'],
    ['a component', { components: ['none'] }, 'none has no match'],
    [
      'templates with selectors',
      { commonLabels: { q: '1' }, labelIncludeTemplates: true },
      '--without-selector flag must be specified',
    ],
  ])('refuses %s', (_, source, message) => {
    expect(() => edit(source)).toThrow(message)
  })
})

describe('readBuildFlags', () => {
  it('reads what it knows', () => {
    const text = '--enable-helm  --load-restrictor=LoadRestrictionsNone --reorder none'
    expect(readBuildFlags(text)).toMatchObject({
      enableHelm: true,
      rootOnly: false,
      reorder: 'none',
    })
  })

  it.each([
    ['--mystery', '--mystery of kustomize build is not supported'],
    ['--reorder up', 'illegal flag value --reorder up'],
    ['--load-restrictor x', 'illegal flag value --load-restrictor x'],
  ])('refuses %s', (text, message) => {
    expect(() => readBuildFlags(text)).toThrow(message)
  })
})
