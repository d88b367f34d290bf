import { describe, expect, it } from 'vitest'
import { builtInSchemas, type Schema } from '../schema.ts'
import { definitionOf, fieldsOf, isClusterScoped, kindsOf, madeFrom, placesOf } from './index.ts'

describe('the table of facts', () => {
  it('says what it stands for', () => {
    expect([...madeFrom]).toEqual([
      ['kubernetes', 'v1.21.2'],
      ['kustomize/api', 'v0.21.1'],
      ['kustomize/kyaml', 'v0.21.1'],
    ])
  })

  it.each([
    ['v1', 'Node', true],
    ['v1', 'Pod', false],
    ['rbac.authorization.k8s.io/v1', 'ClusterRole', true],
    ['networking.k8s.io/v1', 'IngressClass', true],
    ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', false],
  ])('%s %s is cluster-scoped: %s', (apiVersion, kind, want) => {
    expect(isClusterScoped(apiVersion, kind)).toBe(want)
  })

  it.each([
    ['v1', 'Pod', 'spec.containers.ports', ['containerPort', 'protocol']],
    ['apps/v1', 'Deployment', 'metadata.finalizers', []],
    ['batch/v1', 'CronJob', 'spec.jobTemplate.spec.template.spec.initContainers.env', ['name']],
    ['apps/v1', 'Deployment', 'spec.template.spec.tolerations', undefined],
    ['kustomize.config.k8s.io/v1beta1', 'Kustomization', 'secretGenerator', ['name']],
  ])('%s %s %s merges by %j', (apiVersion, kind, path, want) => {
    let schema: Schema | undefined = builtInSchemas.type(apiVersion, kind)
    expect(schema).toBeDefined()
    for (const step of path.split('.'))
      schema = schema?.field(step) ?? schema?.elements()?.field(step)
    expect(schema?.mergeKeys).toEqual(want)
  })

  it('knows what stands in a field of any content, so that no type is looked up there', () => {
    const data = builtInSchemas.type('apps/v1', 'ControllerRevision')?.field('data')
    expect(data).toBeDefined()
    expect(data?.field('spec')).toBeUndefined()
    expect(definitionOf('autoscaling/v2', 'HorizontalPodAutoscaler')).toBeUndefined()
  })

  it('names only definitions that it has', () => {
    const seen = new Set<string>()
    const visit = (name: string): void => {
      if (seen.has(name)) return
      seen.add(name)
      for (const { definition } of fieldsOf(name)) if (definition !== undefined) visit(definition)
    }
    visit(definitionOf('v1', 'PodList')!)
    expect(seen).toContain('core.v1.Container')
    expect(seen).toContain('meta.v1.ObjectMeta')
  })

  it('has the places of transformers, and the order of kinds', () => {
    expect(placesOf('namePrefix')).toEqual(['* metadata/name'])
    expect(placesOf('commonLabels')).toContain('* metadata/labels!')
    expect(placesOf('labels')).toEqual([])
    expect(kindsOf('first')[0]).toBe('Namespace')
    expect(kindsOf('last')).toHaveLength(2)
  })
})
