import { describe, expect, it } from 'vitest'
import {
  builtInKinds,
  type FieldType,
  type StructType,
  structNamed,
  structOfKind,
} from './index.ts'

function structsBelow(type: FieldType, seen: Set<StructType>): void {
  if (type.kind === 'pointer') structsBelow(type.to, seen)
  else if (type.kind === 'list' || type.kind === 'map') structsBelow(type.of, seen)
  else if (type.kind === 'struct' && !seen.has(type.struct)) {
    seen.add(type.struct)
    for (const field of type.struct.fields) structsBelow(field.type, seen)
  }
}

describe('schema of the built-in kinds', () => {
  it('decodes every struct of every kind', () => {
    const seen = new Set<StructType>()
    for (const { apiVersion, kind } of builtInKinds()) {
      const struct = structOfKind(apiVersion, kind)!
      structsBelow({ kind: 'struct', struct }, seen)
      expect(struct.field('apiVersion')?.omitEmpty, `${apiVersion} ${kind}`).toBe(true)
      expect(struct.field('metadata')?.type.kind, `${apiVersion} ${kind}`).toBe('struct')
    }
    expect(seen.size).toBeGreaterThan(850)
    for (const struct of seen) {
      for (const field of struct.fields) {
        if (field.ownership === 'keyed') expect(field.listKeys.length).toBeGreaterThan(0)
        if (field.mergeKey !== '') expect(field.patchStrategy).toBe('merge')
      }
    }
  })

  it('knows merge keys, strategies, ownership and key defaults', () => {
    const container = structNamed('core/v1.Container')!
    expect(container.field('ports')).toMatchObject({
      patchStrategy: 'merge',
      mergeKey: 'containerPort',
      ownership: 'keyed',
      listKeys: ['containerPort', 'protocol'],
      omitEmpty: true,
    })
    expect(structNamed('core/v1.ContainerPort')!.field('protocol')!.keyDefault).toBe('TCP')
    expect(structNamed('apps/v1.DeploymentSpec')!.field('strategy')!.retainKeys).toBe(true)
    expect(structNamed('core/v1.PodSpec')!.field('volumes')).toMatchObject({
      patchStrategy: 'merge',
      retainKeys: true,
      mergeKey: 'name',
    })
    expect(structNamed('meta/v1.ObjectMeta')!.field('finalizers')).toMatchObject({
      patchStrategy: 'merge',
      mergeKey: '',
      ownership: 'set',
    })
    expect(structNamed('meta/v1.LabelSelector')!.atomic).toBe(true)
    expect(structNamed('policy/v1.PodDisruptionBudgetSpec')!.field('selector')!.patchStrategy).toBe(
      'replace',
    )
  })

  it('finds fields by names of another case, as Go does', () => {
    const spec = structNamed('core/v1.PodSpec')!
    expect(spec.field('Containers')).toBe(spec.field('containers'))
    expect(spec.field('DNSPOLICY')?.name).toBe('dnsPolicy')
    expect(spec.field('containerz')).toBeUndefined()
    expect(spec.field('\ncontainers')).toBeUndefined()
  })

  it('has no struct for custom and aggregated kinds, nor for versions that never were', () => {
    expect(structOfKind('argoproj.io/v1alpha1', 'Rollout')).toBeUndefined()
    expect(structOfKind('apiextensions.k8s.io/v1', 'CustomResourceDefinition')).toBeUndefined()
    expect(structOfKind('apps/v9', 'Deployment')).toBeUndefined()
    expect(structOfKind('apps/v1beta1', 'Deployment')?.name).toBe('apps/v1beta1.Deployment')
  })
})
